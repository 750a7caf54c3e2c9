public import Foundation

extension Storage {
    /// The name of a value, and its type.
    public struct Key<Value: Codable & Sendable>: Hashable, Sendable {
        /// The name, one for all types; begins with the name of the module that keeps the value, as in `notes/17`.
        ///
        /// Names that begin with `storage/` and `damaged/` are Storage's own.
        public let name: String

        public init(_ name: String) { self.name = name }
    }

    /// The values of one user at one moment; in a transaction, with its changes so far.
    public struct Values: Sendable {
        /// The user's identifier.
        public let user: String
        private var base: [String: Data]
        /// The changes since this was created: JSON by name, nil for a removed value; for implementations.
        ///
        /// They are kept apart, so that a transaction copies them alone.
        public private(set) var changes: [String: Data?] = [:]

        /// Creates values from their JSON, by name.
        public init(of user: String = "", encoded: [String: Data] = [:]) {
            (self.user, base) = (user, encoded)
        }

        /// The values as JSON, by name; for implementations.
        public var encoded: [String: Data] {
            var copy = self
            copy.apply(changes)
            return copy.base
        }

        /// Returns the value of a key; nil if the key has no value.
        ///
        /// - Throws: ``Failure/undecodable(key:type:reason:)`` when the value is not of the key's type.
        public func value<Value>(for key: Key<Value>) throws(Failure) -> Value? {
            guard let data = data(key.name) else { return nil }
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
            let kept = base.keys.filter { $0.hasPrefix(prefix) && changes[$0] == nil }
            let set = changes.compactMap { $1 != nil && $0.hasPrefix(prefix) ? $0 : nil }
            return (kept + set).sorted().map { Key($0) }
        }

        /// Sets the value of a key.
        ///
        /// - Throws: ``Failure/unencodable(key:type:reason:)`` when the value has no JSON.
        public mutating func set<Value>(_ value: Value, for key: Key<Value>) throws(Failure) {
            do {
                changes[key.name] = try JSONEncoder().encode(value)
            } catch {
                throw .unencodable(key: key.name, type: "\(Value.self)", reason: Failure.reason(error))
            }
        }

        /// Removes the value of a key, if there is one.
        public mutating func removeValue<Value>(for key: Key<Value>) {
            if data(key.name) != nil { changes.updateValue(nil, forKey: key.name) }
        }

        /// Removes all values, of every module.
        public mutating func removeAll() {
            for name in base.keys { changes.updateValue(nil, forKey: name) }
            changes = changes.filter { base[$0.key] != nil }
        }

        /// Sets aside a value that cannot be decoded, and reports it to the user.
        ///
        /// Its bytes stay in the store, under a name that begins with `damaged/`.
        ///
        /// - Parameters:
        ///   - key: The key, which has no value then.
        ///   - reason: The reason, in words for the user.
        public mutating func setAside<Value>(_ key: Key<Value>, because reason: String) {
            guard let data = data(key.name) else { return }
            var name = "damaged/" + key.name
            while self.data(name) != nil { name += "+" }
            changes[name] = data
            removeValue(for: key)
            damage.append(Damage(of: user, names: [key.name], reason: reason))
        }

        private func data(_ name: String) -> Data? {
            if let change = changes[name] { change } else { base[name] }
        }
    }
}

// For implementations of stores.
extension Storage.Values {
    /// The damage that the user has not yet seen; one of the values.
    public var damage: [Storage.Damage] {
        get { (try? value(for: Self.damageKey)) ?? [] }
        set {
            removeValue(for: Self.damageKey)
            // All damage has JSON.
            if !newValue.isEmpty { try? set(newValue, for: Self.damageKey) }
        }
    }

    private static let damageKey = Storage.Key<[Storage.Damage]>("storage/damage")

    /// Runs the body of a transaction.
    ///
    /// - Returns: Its result and its changes. Nothing else holds these values then, so that applying the changes copies nothing.
    public func changes<Result>(
        by body: (inout Storage.Values) throws -> Result
    ) rethrows -> (result: Result, changes: [String: Data?]) {
        var copy = self
        return (try body(&copy), copy.changes)
    }

    /// Applies the changes of a transaction.
    public mutating func apply(_ changes: [String: Data?]) {
        for (name, value) in changes { base[name] = value }
    }
}
