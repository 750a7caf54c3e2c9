import Foundation
import HTTPClientInterface
import RouterServiceInterface
import StorageInterface
import Synchronization

/// Sends requests to a backend inside the program, which keeps its data in a store of its own.
final class EmbeddedClient: HTTP.Client {
    /// The name of the store, which no user can have: a user's has no slash.
    static let storeName = "server/embedded"
    /// The folder of the notes of all users, each in a folder of their own.
    static let notesFolder = "server/notes/"

    private let stores: any Storage.Stores
    private let backend: Mutex<EmbeddedBackend>
    /// The store, which stays open as long as it is held.
    private let opening = Mutex<Task<Result<any Storage.Store, Storage.Failure>, Never>?>(nil)

    init(
        stores: any Storage.Stores, configuration: EmbeddedConfiguration = EmbeddedConfiguration(),
        drawVersion: @escaping @Sendable () -> String = {
            String(UInt64.random(in: 0 ... .max), radix: 16)
        }
    ) {
        self.stores = stores
        backend = Mutex(EmbeddedBackend(configuration: configuration, drawVersion: drawVersion))
    }

    func send(_ request: HTTP.Request) async throws -> HTTP.Response {
        try Task.checkCancellation()
        let response: HTTP.Response
        do throws(Storage.Failure) {
            response = try await answer(to: request)
        } catch {
            throw HTTP.Failure.unreachable(reason: errorMessage(of: error))
        }
        try Task.checkCancellation()
        return try response.checked()
    }

    /// Answers a request as a server would, whatever the status.
    ///
    /// - Throws: `Storage.Failure` when a change cannot be stored; it has no effect then.
    func answer(to request: HTTP.Request) async throws(Storage.Failure) -> HTTP.Response {
        // It is asked for at each start, and nothing of it is stored.
        if request.path == EmbeddedConfiguration.path {
            return backend.withLock { $0.fulfil(request).response }
        }
        let store = try await open()
        return try await Storage.onDisk { () throws(Storage.Failure) in
            // Under the lock until the change is stored: requests are fulfilled one after another.
            try self.backend.withLock { backend throws(Storage.Failure) in
                let answer = backend.fulfil(request)
                if let change = answer.change {
                    try Self.store(change, in: store)
                    backend.apply(change)
                }
                return answer.response
            }
        }
    }

    private static func store(
        _ change: EmbeddedBackend.Change, in store: any Storage.Store
    ) throws(Storage.Failure) {
        switch change {
        case .record(let record):
            try store.setNow([EmbeddedBackend.Record.key: record], isSynchronized: true)
        case .note(let note, let user):
            let key = Storage.Key<EmbeddedNote>("\(notesFolder)\(user)/\(note.id.lowercased())")
            try store.setNow([key: note], isSynchronized: true)
        }
    }

    /// Opens the store and reads it, if it is not open.
    @discardableResult
    func open() async throws(Storage.Failure) -> any Storage.Store {
        let task = opening.withLock { opening in
            let task = opening ?? Task { await self.openStore() }
            opening = task
            return task
        }
        let opened = await task.value
        if case .failure = opened { opening.withLock { if $0 == task { $0 = nil } } }
        return try opened.get()
    }

    private func openStore() async -> Result<any Storage.Store, Storage.Failure> {
        do throws(Storage.Failure) {
            let store = try await stores.store(of: Self.storeName)
            let stored = try await store.value(for: EmbeddedBackend.Record.key)
            let record = stored ?? EmbeddedBackend.Record()
            // Stored at once, so that the server keeps its identifier.
            if stored == nil { try await store.set(record, for: EmbeddedBackend.Record.key) }
            var notes: [String: [EmbeddedNote]] = [:]
            for user in record.displayNames.keys {
                let folder = "\(Self.notesFolder)\(user)/"
                notes[user] = Array(try await store.values(of: EmbeddedNote.self, in: folder).values)
            }
            backend.withLock { $0.load(record, notes) }
            return .success(store)
        } catch {
            return .failure(error)
        }
    }
}

// Who is signed in outlives the client, as it does at a server. It is never stored, because it holds tokens.
extension EmbeddedClient: Restorable {
    static var stateScope: StateScope { .memory }

    var savedState: EmbeddedSessions? { backend.withLock { $0.sessions } }

    func restore(_ state: EmbeddedSessions?) {
        backend.withLock { $0.sessions = state ?? EmbeddedSessions() }
    }
}
