import Foundation
import HTTPClientInterface
import HTTPClientTesting
import Testing

/// The fake that other modules' tests rely on.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct FakeHTTPClientTests {
    private let client = FakeHTTPClient()
    private let get = HTTP.Request(.get, ["users", "ann"])

    @Test func responses_areGivenOnceInTheirOrder() async throws {
        client.respond(.get, "users/ann", json: "1")
        client.respond(.get, "users/ann", status: 204)
        client.respond(.put, "users/ann", json: "2")
        #expect(try await client.send(get).body == Data("1".utf8))
        #expect(try await client.send(get).status == 204)
        let error = await #expect(throws: UnpreparedRequest.self) { try await client.send(get) }
        #expect(
            error?.errorDescription
                == "Nothing is prepared for GET /users/ann. Call 'respond(.get, \"users/ann\", …)' first.")
        #expect(client.requests == [get, get, get])
    }

    @Test func statusOutside200To299_isThrown() async {
        client.respond(.get, "users/ann", status: 404, json: #"{"error":"No."}"#)
        let failure = await #expect(throws: HTTP.Failure.self) { try await client.send(get) }
        #expect(failure == .status(404, body: #"{"error":"No."}"#))
    }

    @Test func failure_isThrown() async {
        client.fail(.get, "users/ann", with: .unreachable(reason: "refused"))
        let failure = await #expect(throws: HTTP.Failure.self) { try await client.send(get) }
        #expect(failure == .unreachable(reason: "refused"))
    }

    @Test func silence_endsWithCancellation() async {
        client.hang(.get, "users/ann")
        let task = Task { try await client.send(get) }
        while client.requests.isEmpty { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
