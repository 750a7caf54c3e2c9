import Foundation
import HTTPClientInterface
import HTTPClientTesting
import Testing

@testable import HTTPClientImplementation

/// When a request is sent again, and when it is not.
@Suite(.timeLimit(.minutes(5)))
struct HTTPRetryTests {
    private let get = HTTP.Request(.get, ["x"])

    @Test(arguments: [HTTP.Method.get, .put, .delete], [502, 503, 504])
    func idempotentRequest_isSentAgainUntilTheServerIsAvailable(method: HTTP.Method, status: Int) async throws
    {
        let pauses = RecordedPauses()
        let (answer, requests) = try await exchange(
            HTTP.Request(method, ["x"]), with: .answer(status), .answer(status), .answer(200)
        ) { await pauses.add($0) }
        #expect(try answer.get().status == 200)
        #expect(requests.count == 3)
        #expect(await pauses.all == [.milliseconds(200), .milliseconds(400)])
    }

    @Test func lastAttempt_decidesTheFailure() async throws {
        let pauses = RecordedPauses()
        let (answer, requests) = try await exchange(
            get, with: .answer(503), .answer(502), .answer(504)
        ) { await pauses.add($0) }
        #expect(throws: HTTP.Failure.status(504, body: "{}")) { try answer.get() }
        #expect(requests.count == 3)
        #expect(await pauses.all.count == 2)
    }

    @Test func lostConnection_isTriedAgain() async throws {
        let lost = [ScriptedServer.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")]
        let (answer, requests) = try await exchange(get, with: lost, .answer(200))
        #expect(try answer.get().status == 200)
        // Foundation for macOS may send it again on its own.
        #expect(requests.count >= 2)
    }

    @Test func slowAnswer_isTriedAgain() async throws {
        let limits = TransferLimits(timeout: .milliseconds(1500))
        let (answer, requests) = try await exchange(get, with: [.hold], .answer(200), limits: limits)
        #expect(try answer.get().status == 200)
        #expect(requests.count == 2)
    }

    @Test(arguments: [
        [ScriptedServer.Step].answer(503), [.send("")],
        [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")],
        [.hold], .answer(307, headers: "Location: /y\r\n"), .answer(302, headers: "Location: /y\r\n"),
    ])
    func post_isSentOnce(script: [ScriptedServer.Step]) async throws {
        let limits = TransferLimits(timeout: .milliseconds(1500))
        let post = HTTP.Request(.post, ["x"], body: Data("{}".utf8))
        let (answer, requests) = try await exchange(post, with: script, limits: limits)
        #expect(throws: HTTP.Failure.self) { try answer.get() }
        #expect(requests.count == 1)
    }

    @Test(arguments: [400, 401, 404, 422, 500])
    func failureThatStays_isNotTriedAgain(status: Int) async throws {
        let (answer, requests) = try await exchange(get, with: .answer(status))
        #expect(throws: HTTP.Failure.self) { try answer.get() }
        #expect(requests.count == 1)
    }

    @Test func tooLargeAnswer_isNotTriedAgain() async throws {
        let (answer, requests) = try await exchange(
            get, with: .answer(200, "1234"), limits: TransferLimits(bodyBytes: 3))
        #expect(throws: HTTP.Failure.tooLarge(limit: 3)) { try answer.get() }
        #expect(requests.count == 1)
    }

    @Test func pauses_doubleAndNeverOverflow() {
        let limits = TransferLimits(backoff: .seconds(1))
        #expect([1, 2, 3, 4].map(limits.pause) == [1, 2, 4, 8].map { .seconds($0) })
        #expect(limits.pause(after: .max) == .seconds(1024))
    }
}
