import Foundation
import HTTPClientInterface
import HTTPClientTesting
import Testing

@testable import HTTPClientImplementation

extension URLSessionClient {
    /// A client for a server of a test.
    static func forTests(
        _ baseURL: URL, limits: TransferLimits = TransferLimits()
    ) throws -> URLSessionClient {
        let server = try #require(HTTP.Server(baseURL.absoluteString))
        return URLSessionClient(address: ServerAddress(server), limits: limits)
    }
}

/// Sends a request to a server that plays a script.
///
/// - Returns: The response or the failure, and the requests that the server received.
func exchange(
    _ request: HTTP.Request, with script: [ScriptedServer.Step], limits: TransferLimits = TransferLimits()
) async throws -> (response: Result<HTTP.Response, any Error>, requests: [String]) {
    var response: Result<HTTP.Response, any Error>?
    let requests = try await ScriptedServer.run([script]) { server in
        let client = try URLSessionClient.forTests(server.baseURL, limits: limits)
        do { response = .success(try await client.send(request)) } catch { response = .failure(error) }
    }
    return (try #require(response), requests)
}

/// The failure of a client's request; nil, and a recorded issue, if it did not fail.
func failure(
    of client: URLSessionClient, _ request: HTTP.Request, at place: SourceLocation = #_sourceLocation
) async -> HTTP.Failure? {
    await #expect(throws: HTTP.Failure.self, sourceLocation: place) { try await client.send(request) }
}
