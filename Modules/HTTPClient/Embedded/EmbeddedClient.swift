import HTTPClientInterface
import RouterServiceInterface

/// Sends requests to a backend inside the program.
final class EmbeddedClient: HTTP.Client {
    private let backend = EmbeddedBackend()

    func send(_ request: HTTP.Request) async throws -> HTTP.Response {
        try Task.checkCancellation()
        let response = await backend.answer(to: request)
        try Task.checkCancellation()
        guard (200...299).contains(response.status) else {
            throw HTTP.Failure.status(response.status, body: String(decoding: response.body, as: UTF8.self))
        }
        return response
    }
}

// The backend outlives the client, as a server does. It holds tokens, so its state is never stored.
extension EmbeddedClient: Restorable {
    static var stateScope: StateScope { .memory }

    var savedState: EmbeddedBackend.State? { backend.state }

    func restore(_ state: EmbeddedBackend.State) {
        backend.state = state
    }
}
