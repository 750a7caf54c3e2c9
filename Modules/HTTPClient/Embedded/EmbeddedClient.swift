import HTTPClientInterface

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
