public import Foundation
public import RouterServiceInterface

extension Storage {
    /// The name of a value, and its type.
    public struct Key<Value: Codable & Sendable>: Hashable, Sendable {
        /// The name, one for all types; begins with the name of the module that keeps the value, as in `notes/17`.
        ///
        /// Names that begin with `storage/` and `damaged/` are Storage's own.
        public let name: Identifier

        public init(_ name: Identifier) { self.name = name }
    }

    /// The values of one user at one moment; in a transaction, with its changes so far.
    public struct Values: Sendable {
        private var base: [Identifier: Data]
        /// The changes since this was created: JSON by name, nil for a removed value; for implementations.
        ///
        /// They are kept apart, so that a transaction copies them alone.
        public private(set) var changes: [Identifier: Data?] = [:]

        /// Creates values from their JSON, by name.
        public init(encoded: [Identifier: Data] = [:]) { base = encoded }

        /// The values as JSON, by name; for implementations.
        public var encoded: [Identifier: Data] { changes.reduce(into: base) { $0[$1.key] = $1.value } }

        /// Returns the value of a key; nil if the key has no value.
        ///
        /// - Throws: ``Failure/undecodable(key:type:reason:)`` when the value is not of the key's type.
        public func value<Value>(for key: Key<Value>) throws(Failure) -> Value? {
            guard let data = data(key.name) else { return nil }
            do {
                return try JSONDecoder().decode(Value.self, from: data)
            } catch {
                throw .undecodable(key: key.name.text, type: "\(Value.self)", reason: "\(error)")
            }
        }

        /// Returns the keys whose names begin with a prefix, such as `notes/`, in the order of the names.
        ///
        /// The type of the values is not checked before they are read.
        public func keys<Value>(of type: Value.Type, withPrefix prefix: String) -> [Key<Value>] {
            encoded.keys.filter { $0.text.utf8.starts(with: prefix.utf8) }.sorted().map { Key($0) }
        }

        /// Sets the value of a key; nil removes it.
        ///
        /// - Throws: ``Failure/unencodable(key:type:reason:)`` when the value has no JSON.
        public mutating func set<Value>(_ value: Value?, for key: Key<Value>) throws(Failure) {
            guard let value else { return removeValue(for: key) }
            do {
                changes[key.name] = try JSONEncoder().encode(value)
            } catch {
                throw .unencodable(key: key.name.text, type: "\(Value.self)", reason: "\(error)")
            }
        }

        /// Removes the value of a key, if there is one.
        public mutating func removeValue<Value>(for key: Key<Value>) {
            if data(key.name) != nil { changes.updateValue(nil, forKey: key.name) }
        }

        private func data(_ name: Identifier) -> Data? { changes[name] ?? base[name] }
    }
}

extension Storage.Values {
    /// Reports of data that cannot be read, in words for the user.
    ///
    /// They are a value like the others: a report is there in each run, until the user has seen it and it is removed.
    public var damage: [String] {
        get { (try? value(for: Self.damageKey)) ?? [] }
        set {
            removeValue(for: Self.damageKey)
            // All text has JSON.
            if !newValue.isEmpty { try? set(newValue, for: Self.damageKey) }
        }
    }

    private static let damageKey = Storage.Key<[String]>("storage/damage")

    /// Returns the value of a key; sets aside one that cannot be decoded, and adds a report to the damage.
    ///
    /// Its bytes stay in the store, under a name that begins with `damaged/`, and the key has no value.
    public mutating func intactValue<Value>(for key: Storage.Key<Value>) -> Value? {
        do {
            return try value(for: key)
        } catch {
            var name: Identifier = "damaged/\(key.name)"
            while data(name) != nil { name = "\(name)+" }
            changes[name] = data(key.name)
            removeValue(for: key)
            damage.append(errorMessage(of: error))
            return nil
        }
    }
}

// For implementations of stores.
extension Storage.Values {
    /// Runs the body of a transaction.
    ///
    /// - Returns: Its result and its changes. Nothing else holds these values then, so that applying the changes copies nothing.
    public func changes<Result>(
        by body: (inout Storage.Values) throws -> Result
    ) rethrows -> (result: Result, changes: [Identifier: Data?]) {
        var copy = self
        return (try body(&copy), copy.changes)
    }

    /// Applies the changes of a transaction.
    public mutating func apply(_ changes: [Identifier: Data?]) {
        for (name, value) in changes { base[name] = value }
    }
}
