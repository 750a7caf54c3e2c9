public import RouterServiceInterface

/// Values that outlive the program, kept apart for each user.
public enum Storage {}

extension Storage {
    /// Opens the stores of users.
    public protocol Stores: AnyObject, Sendable {
        /// Opens the store of a user, or returns the one that is open; a new user's is empty.
        ///
        /// A store is open while something holds it. The user's identifier may be any string.
        ///
        /// - Throws: ``Failure`` when the store cannot be opened; nothing of it has changed then.
        func store(of user: Identifier) async throws(Failure) -> any Store

        /// The stores with reports of damage, each after it was opened and after each transaction; for one reader.
        var damaged: AsyncStream<any Store> { get }
    }

    /// Keeps the values of one user.
    ///
    /// Secrets are not for storing: a type that wraps one, such as a session's token, is not `Codable`.
    public protocol Store: AnyObject, Sendable {
        /// The values as the last transaction left them.
        var values: Values { get }

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

        /// Removes everything of the user: all values, and whatever of them is left in files.
        ///
        /// - Throws: ``Failure`` when something could not be removed; the rest is.
        func erase() async throws(Failure)
    }
}

extension Storage {
    /// The folder in which stores are kept.
    ///
    /// A required value: the App registers the one that the user chose. Without one, values are kept in memory, until the
    /// program ends.
    public struct Folder: Sendable {
        /// The absolute path of the folder, which is created with the first store.
        public let path: String

        public init(path: String) { self.path = path }
    }
}
