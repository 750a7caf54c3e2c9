import Foundation
import HTTPClientInterface
import RouterServiceInterface
import StorageInterface
import Synchronization

/// Sends requests to a backend inside the program, which keeps its data in a store of its own.
final class EmbeddedClient: HTTP.Client {
    /// The name of the store, which no user can have: a user's has no slash.
    static let storeName: Identifier = "server/embedded"

    private let stores: any Storage.Stores
    private let backend: Mutex<EmbeddedBackend>
    /// Stays open as long as it is held.
    private let openStore = Mutex<(any Storage.Store)?>(nil)

    init(
        stores: any Storage.Stores, configuration: EmbeddedConfiguration = EmbeddedConfiguration(),
        clock: @escaping @Sendable () -> Date = { .now },
        distance: @escaping @Sendable () -> Int = { .random(in: 1...1_000_000_000) }
    ) {
        self.stores = stores
        backend = Mutex(
            EmbeddedBackend(configuration: configuration, clock: clock, distance: distance))
    }

    func send(_ request: HTTP.Request) async throws -> HTTP.Response {
        try Task.checkCancellation()
        let response: HTTP.Response
        do {
            response = try await answer(to: request)
        } catch let failure as Storage.Failure {
            throw HTTP.Failure.unreachable(reason: errorMessage(of: failure))
        }
        try Task.checkCancellation()
        return try response.checked()
    }

    /// Answers a request as a server would, whatever the status.
    ///
    /// - Throws: `Storage.Failure` when a value cannot be stored.
    func answer(to request: HTTP.Request) async throws -> HTTP.Response {
        // It is asked for at each start, and nothing of it is stored.
        if request.path == EmbeddedConfiguration.path {
            return try backend.withLock { try $0.fulfil(request) }
        }
        return try await open().transaction { values in
            try self.backend.withLock { try $0.answer(to: request, in: &values) }
        }
    }

    /// Opens the store, if it is not open.
    @discardableResult
    func open() async throws(Storage.Failure) -> any Storage.Store {
        if let store = openStore.withLock({ $0 }) { return store }
        let store = try await stores.store(of: Self.storeName)
        openStore.withLock { $0 = store }
        return store
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
