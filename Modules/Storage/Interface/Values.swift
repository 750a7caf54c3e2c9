public import Foundation

extension Storage {
    /// The name of a value, and its type.
    public struct Key<Value: Codable & Sendable>: Hashable, Sendable {
        /// The name, one for all types; begins with the name of the module that keeps the value, as in `notes/17`.
        public let name: String

        public init(_ name: String) { self.name = name }
    }

    /// The values of one user at one moment; in a transaction, with its changes so far.
    public struct Values: Sendable {
        /// The values as JSON, by name; for implementations.
        public private(set) var encoded: [String: Data]
        /// The names whose values were set or removed since this was created; for implementations.
        public private(set) var changedNames: Set<String> = []

        /// Creates values from their JSON, by name.
        public init(encoded: [String: Data] = [:]) { self.encoded = encoded }

        /// Returns the value of a key; nil if the key has no value.
        ///
        /// - Throws: ``Failure/undecodable(key:type:reason:)`` when the value is not of the key's type.
        public func value<Value>(for key: Key<Value>) throws(Failure) -> Value? {
            guard let data = encoded[key.name] else { return nil }
            do {
                return try JSONDecoder().decode(Value.self, from: data)
            } catch {
                throw .undecodable(key: key.name, type: "\(Value.self)", reason: Failure.reason(error))
            }
        }

        /// Returns the keys whose names begin with a prefix, in the order of the names.
        ///
        /// - Parameters:
        ///   - type: The type of the values, which is not checked before they are read.
        ///   - prefix: The prefix, such as `notes/`.
        /// - Returns: The keys.
        public func keys<Value>(of type: Value.Type, withPrefix prefix: String) -> [Key<Value>] {
            encoded.keys.filter { $0.hasPrefix(prefix) }.sorted().map { Key($0) }
        }

        /// Sets the value of a key.
        ///
        /// - Throws: ``Failure/unencodable(key:type:reason:)`` when the value has no JSON.
        public mutating func set<Value>(_ value: Value, for key: Key<Value>) throws(Failure) {
            do {
                encoded[key.name] = try JSONEncoder().encode(value)
            } catch {
                throw .unencodable(key: key.name, type: "\(Value.self)", reason: Failure.reason(error))
            }
            changedNames.insert(key.name)
        }

        /// Removes the value of a key, if there is one.
        public mutating func removeValue<Value>(for key: Key<Value>) {
            if encoded.removeValue(forKey: key.name) != nil { changedNames.insert(key.name) }
        }

        /// Removes all values, of every module.
        public mutating func removeAll() {
            changedNames.formUnion(encoded.keys)
            encoded = [:]
        }
    }
}
