import Foundation
import HTTPClientInterface
import RouterServiceInterface
import StorageInterface
import Synchronization

/// Sends requests to a backend inside the program, which keeps its data in a store of its own.
final class EmbeddedClient: HTTP.Client {
    /// The name of the store, which no user can have: a user's has no slash.
    static let storeName = "server/embedded"
    /// The folder of names in which each user has a folder of notes.
    static let notesFolder = "server/notes/"

    private let stores: any Storage.Stores
    private let backend: Mutex<EmbeddedBackend>
    /// The opening of the store, which stays open as long as the store is held.
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
            response = try await self.response(to: request)
        } catch {
            throw HTTP.Failure.unreachable(reason: errorMessage(of: error))
        }
        try Task.checkCancellation()
        return try response.checked()
    }

    /// Returns the response of any status.
    ///
    /// - Throws: `Storage.Failure` when a write cannot be stored, which then has no effect.
    func response(to request: HTTP.Request) async throws(Storage.Failure) -> HTTP.Response {
        // The configuration needs no store.
        if request.path == EmbeddedConfiguration.path {
            return backend.withLock { $0.fulfil(request).response }
        }
        let store = try await open()
        return try await Storage.onDisk { () throws(Storage.Failure) in
            // The lock is held until the write is stored, so that requests are fulfilled one after another.
            try self.backend.withLock { backend throws(Storage.Failure) in
                let response = backend.fulfil(request)
                if let write = response.write {
                    try Self.store(write, in: store)
                    backend.apply(write)
                }
                return response.response
            }
        }
    }

    private static func store(
        _ write: EmbeddedBackend.Write, in store: any Storage.Store
    ) throws(Storage.Failure) {
        switch write {
        case .record(let record):
            try store.setNow(record, for: EmbeddedBackend.Record.key, isSynchronized: true)
        case .note(let note, let user):
            let key = Storage.Key<EmbeddedNote>("\(notesFolder)\(user)/\(note.id.lowercased())")
            try store.setNow(note, for: key, isSynchronized: true)
        }
    }

    /// Opens and reads the store, if it is not open.
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
            // The server keeps its identifier.
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

// Sessions outlive the client when its module is replaced, and are never stored, because they hold tokens.
extension EmbeddedClient: Restorable {
    static var stateScope: StateScope { .memory }

    var savedState: [String: String]? { backend.withLock { $0.sessions } }

    func restore(_ state: [String: String]?) {
        backend.withLock { $0.sessions = state ?? [:] }
    }
}
