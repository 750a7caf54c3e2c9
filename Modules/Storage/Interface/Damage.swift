import Synchronization

extension Storage {
    /// Stored data that cannot be read, or that takes more room than it needs.
    public struct Damage: Hashable, Sendable, Codable {
        /// The identifier of the store's user; empty for the program's own store.
        public let user: String
        /// The number of saved changes that are lost, at least.
        public let changes: Int
        /// The names of values that are lost, or are as they were before, where these are known.
        public let names: [String]
        /// The file that holds the unreadable bytes.
        public let file: String?
        /// The number of bytes in the file.
        public let count: Int
        /// The reason, in words for the user.
        public let reason: String?

        /// Describes damage.
        public init(
            of user: String, changes: Int = 0, names: [String] = [], file: String? = nil, count: Int = 0,
            reason: String? = nil
        ) {
            (self.user, self.changes, self.names) = (user, changes, names)
            (self.file, self.count, self.reason) = (file, count, reason)
        }
    }

    /// Reports each damage once in a run of the program; for implementations of ``Stores``.
    public final class DamageReports: Sendable {
        /// The damage, for ``Stores/damage``.
        public let stream: AsyncStream<Damage>
        private let continuation: AsyncStream<Damage>.Continuation
        private let reported = Mutex<Set<Damage>>([])

        public init() { (stream, continuation) = AsyncStream.makeStream() }

        /// Reports the damage that is among the values of a store.
        public func report(_ values: Values) { for damage in values.damage { report(damage) } }

        /// Reports damage that is not among the values of its store.
        public func report(_ damage: Damage) {
            if reported.withLock({ $0.insert(damage).inserted }) { continuation.yield(damage) }
        }
    }
}

extension Storage.Damage: CustomStringConvertible {
    /// A description of the damage, in words for the user.
    public var description: String {
        if file == nil, names.isEmpty { return reason ?? "" }
        let data = user.isEmpty ? "stored data" : "stored data of \(user)"
        let known = names.prefix(3).map { "'\($0)'" }.joined(separator: ", ") + (names.count > 3 ? ", …" : "")
        let reason = reason.map { ": \($0)" } ?? "."
        guard let file else { return "Of the \(data), \(known) cannot be read\(reason)" }
        return
            "A part of the \(data) cannot be read: \(changes == 1 ? "1 change is" : "\(changes) changes are") lost"
            + (names.isEmpty ? "" : " (\(known))") + reason
            + " The \(count) unreadable bytes are kept in \(file)."
    }
}

extension Storage.Stores {
    /// Remembers that the user has seen some damage, so that it is no longer reported.
    ///
    /// - Throws: ``Storage/Failure`` if that could not be saved.
    public func acknowledge(_ damage: Storage.Damage) async throws {
        try await store(of: damage.user).transaction { $0.damage.removeAll { $0 == damage } }
    }
}
