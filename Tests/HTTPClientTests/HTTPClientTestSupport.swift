import Foundation
import HTTPClientInterface
import Testing

@testable import HTTPClientImplementation

extension URLSessionClient {
    /// A client for a server of a test; it does not wait between attempts.
    static func forTests(
        _ baseURL: URL, limits: TransferLimits = TransferLimits(),
        sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in }
    ) throws -> URLSessionClient {
        URLSessionClient(address: try ServerAddress(baseURL), limits: limits, sleep: sleep)
    }
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
