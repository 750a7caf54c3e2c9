public import Foundation
import RouterServiceInterface

/// Values that outlive the program, kept apart for each user.
public enum Storage {}

extension Storage {
    /// Opens the stores of users.
    public protocol Stores: AnyObject, Sendable {
        /// Opens the store of a user, or returns the open one; a new user's store is empty.
        ///
        /// A store is open while something holds it.
        func store(of user: String) async throws(Failure) -> any Store

        /// Whether there is a store of the user, or it cannot be known.
        func hasStore(of user: String) -> Bool

        /// Reports of values that could not be read and were set aside, for one reader.
        var damage: AsyncStream<String> { get }
    }

    /// Keeps the values of one user; modules use the methods with keys.
    public protocol Store: AnyObject, Sendable {
        /// Reads the value of a name, or all values of a folder of names such as `notes/drafts/`.
        ///
        /// `take` receives the name and the JSON of a value; if it throws, the value is set aside and reported.
        func read(_ name: String, take: (String, Data) throws -> Void) throws(Failure)

        /// Replaces the JSON of a value, or removes the value; see ``set(_:for:isSynchronized:)``.
        ///
        /// Writes take their data one after another, and the value is kept of the write that took its data last.
        func write(
            as name: String, isSynchronized: Bool, _ data: () throws(Failure) -> Data?
        ) throws(Failure)

        /// Removes everything of the user; a write that began before has no effect.
        func removeAll() throws(Failure)
    }

    /// The name of a value, and its type.
    public struct Key<Value: Codable & Sendable>: Hashable, Sendable {
        /// The name in its folders of names, the module's first: `notes/drafts/17`.
        public let name: String

        public init(_ name: String) { self.name = name }
    }

    /// The folder in which stores are kept.
    ///
    /// A required value: the App registers the folder that the user chose.
    public struct Folder: Sendable {
        /// The absolute path of the folder, which is created with the first store.
        public let path: String

        public init(path: String) { self.path = path }
    }
}

extension Storage {
    /// The reason why values cannot be read or saved, with the system's words.
    public enum Failure: LocalizedError, Hashable {
        /// Data that cannot be opened, read or removed, or that another program has open.
        case unusable(path: String, reason: String)
        /// A value that could not be saved, and is unchanged.
        case notSaved(path: String, reason: String)

        public var errorDescription: String? {
            switch self {
            case .unusable(let path, let reason):
                "The data in \(path) cannot be used: \(reason). Correct that, or choose another folder."
            case .notSaved(let path, let reason):
                "The change could not be saved in \(path): \(reason). Earlier saved data is kept. Correct that, and "
                    + "save again."
            }
        }
    }
}

extension Storage.Store {
    /// Reads the value of a key, if there is one; a value of another type is set aside and reported.
    public func value<Value>(for key: Storage.Key<Value>) async throws(Storage.Failure) -> Value? {
        try await values(of: Value.self, in: key.name)[key.name]
    }

    /// Reads all values in a folder of names, by name.
    public func values<Value: Codable & Sendable>(
        of type: Value.Type, in folder: String
    ) async throws(Storage.Failure) -> [String: Value] {
        try await Storage.onDisk { () throws(Storage.Failure) in
            var values: [String: Value] = [:]
            let decoder = JSONDecoder()
            try self.read(folder) { values[$0] = try decoder.decode(type, from: $1.normalizedJSON) }
            return values
        }
    }

    /// Replaces a value in one step, or removes it.
    ///
    /// - Parameters:
    ///   - value: The value; nil to remove it.
    ///   - key: The name of the value.
    ///   - isSynchronized: Whether the value also survives a loss of power from then on; false for a copy of a server's value.
    /// - Throws: ``Storage/Failure/notSaved(path:reason:)``; the value is then unchanged.
    public func set<Value>(
        _ value: Value?, for key: Storage.Key<Value>, isSynchronized: Bool = true
    ) async throws(Storage.Failure) {
        try await Storage.onDisk { () throws(Storage.Failure) in
            try self.setNow(value, for: key, isSynchronized: isSynchronized)
        }
    }

    /// Sets a value on this thread as `set` does, and waits for no other write.
    ///
    /// The value is evaluated when its place in the order of the writes is known.
    public func setNow<Value>(
        _ value: @autoclosure () -> Value?, for key: Storage.Key<Value>, isSynchronized: Bool
    ) throws(Storage.Failure) {
        try write(as: key.name, isSynchronized: isSynchronized) { () throws(Storage.Failure) in
            do { return try value().map { try JSONEncoder().encode($0) } } catch {
                throw .notSaved(path: key.name, reason: "\(error)")
            }
        }
    }
}

extension Storage {
    private static let disk = DispatchQueue(label: "Storage")

    /// Performs work that waits for the disk, in the order of the calls, on a thread that no task shares.
    public static func onDisk<Output: Sendable>(
        _ work: @escaping @Sendable () throws(Failure) -> Output
    ) async throws(Failure) -> Output {
        let done = await withCheckedContinuation { done in
            disk.async { done.resume(returning: Result(catching: work)) }
        }
        return try done.get()
    }
}
