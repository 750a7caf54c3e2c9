import Foundation
import HTTPClientInterface
import HTTPClientTesting
import Testing

@testable import HTTPClientImplementation

extension URLSessionClient {
    /// A client for a server of a test; it does not wait between attempts.
    static func forTests(
        _ baseURL: URL, limits: TransferLimits = TransferLimits(),
        sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in }
    ) throws -> URLSessionClient {
        let server = try #require(HTTP.Server(baseURL.absoluteString))
        return URLSessionClient(address: ServerAddress(server), limits: limits, sleep: sleep)
    }
}

/// Sends a request to a server that plays scripts.
///
/// - Returns: The answer or the failure, and the requests that the server received.
func exchange(
    _ request: HTTP.Request, with scripts: [ScriptedServer.Step]...,
    limits: TransferLimits = TransferLimits(),
    sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in }
) async throws -> (answer: Result<HTTP.Response, any Error>, requests: [String]) {
    var answer: Result<HTTP.Response, any Error>?
    let requests = try await ScriptedServer.run(scripts) { server in
        let client = try URLSessionClient.forTests(server.baseURL, limits: limits, sleep: sleep)
        do { answer = .success(try await client.send(request)) } catch { answer = .failure(error) }
    }
    return (try #require(answer), requests)
}

/// The failure of a client's request; nil, and a recorded issue, if it did not fail.
func failure(
    of client: URLSessionClient, _ request: HTTP.Request, at place: SourceLocation = #_sourceLocation
) async -> HTTP.Failure? {
    await #expect(throws: HTTP.Failure.self, sourceLocation: place) { try await client.send(request) }
}

/// Keeps the pauses that a client asked for, and lets them pass at once.
actor RecordedPauses {
    private(set) var all: [Duration] = []

    func add(_ pause: Duration) {
        all.append(pause)
    }
}
