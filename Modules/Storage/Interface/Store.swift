extension Storage {
    /// Opens the stores of users.
    public protocol Stores: AnyObject, Sendable {
        /// Opens the store of a user, or returns the one that is open; a new user's is empty.
        ///
        /// A store is open while something holds it.
        ///
        /// - Parameter user: The user's identifier, any string.
        /// - Returns: The store.
        /// - Throws: ``Failure`` when the store cannot be opened; nothing of it has changed then.
        func store(of user: String) async throws(Failure) -> any Store
    }

    /// Keeps the values of one user.
    ///
    /// Secrets are not for storing: a type that wraps one, such as a session's token, is not `Codable`.
    public protocol Store: AnyObject, Sendable {
        /// The values as the last transaction left them.
        var values: Values { get }

        /// The damage that was found when the store was opened; nil when everything could be read.
        var damage: Damage? { get }

        /// Changes values, all or none of them.
        ///
        /// Transactions run one after another, each on the values that the one before it left. When this returns, the
        /// changes are saved, and outlive the program and a loss of power.
        ///
        /// ```swift
        /// try await store.transaction { values in
        ///     try values.set(note, for: Self.note(note.id))
        ///     values.removeValue(for: Self.draft(note.id))
        /// }
        /// ```
        ///
        /// - Parameter body: Changes the values; where it throws, nothing changes.
        /// - Returns: The result of the body.
        /// - Throws: The error of the body, or ``Failure`` if the changes could not be saved; the values are then as before.
        func transaction<Result: Sendable>(
            _ body: @Sendable (inout Values) throws -> Result
        ) async throws -> Result
    }

    /// The end of a store that could not be read, and was set aside.
    ///
    /// The store holds every transaction before it. The usual cause is a program that was ended while it saved.
    public struct Damage: Hashable, Sendable, CustomStringConvertible {
        /// The file that holds the unreadable data.
        public let file: String
        /// The number of bytes in it.
        public let count: Int

        /// Describes damage.
        public init(file: String, count: Int) {
            (self.file, self.count) = (file, count)
        }

        /// A description of the damage, in words for the user.
        public var description: String {
            "The last \(count) bytes of the stored data could not be read, and what they held is missing. They are kept "
                + "in \(file)."
        }
    }
}

extension Storage {
    /// The folder in which stores are kept.
    ///
    /// A required value: the App registers the one that the user chose. Stores in memory do without it.
    public struct Folder: Sendable {
        /// The absolute path of the folder, which is created with the first store.
        public let path: String

        public init(path: String) { self.path = path }
    }
}
