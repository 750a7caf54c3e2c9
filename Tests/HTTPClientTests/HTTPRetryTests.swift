import Foundation
import HTTPClientInterface
import HTTPClientTesting
import Testing

@testable import HTTPClientImplementation

/// When a request is sent again, and when it is not.
@Suite(.timeLimit(.minutes(5)))
struct HTTPRetryTests {
    @Test(arguments: [HTTP.Method.get, .put, .delete], [502, 503, 504])
    func idempotentRequest_isSentAgainUntilTheServerIsAvailable(method: HTTP.Method, status: Int) async throws
    {
        let pauses = RecordedPauses()
        let requests = try await ScriptedServer.run([.answer(status), .answer(status), .answer(200)]) {
            server in
            let client = try URLSessionClient.forTests(server.baseURL) { await pauses.add($0) }
            #expect(try await client.send(HTTP.Request(method, ["x"])).status == 200)
        }
        #expect(requests.count == 3)
        #expect(await pauses.all == [.milliseconds(200), .milliseconds(400)])
    }

    @Test func lastAttempt_decidesTheFailure() async throws {
        let pauses = RecordedPauses()
        let requests = try await ScriptedServer.run([.answer(503), .answer(502), .answer(504)]) { server in
            let client = try URLSessionClient.forTests(server.baseURL) { await pauses.add($0) }
            #expect(await failure(of: client, HTTP.Request(.get, ["x"])) == .status(504, body: "{}"))
        }
        #expect(requests.count == 3)
        #expect(await pauses.all.count == 2)
    }

    @Test func lostConnection_isTriedAgain() async throws {
        let requests = try await ScriptedServer.run([
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")], .answer(200),
        ]) { server in
            let client = try URLSessionClient.forTests(server.baseURL)
            #expect(try await client.send(HTTP.Request(.get, ["x"])).status == 200)
        }
        #expect(requests.count == 2)
    }

    @Test func slowAnswer_isTriedAgain() async throws {
        let limits = TransferLimits(timeout: .milliseconds(1500))
        let requests = try await ScriptedServer.run([[.hold], .answer(200)]) { server in
            let client = try URLSessionClient.forTests(server.baseURL, limits: limits)
            #expect(try await client.send(HTTP.Request(.get, ["x"])).status == 200)
        }
        #expect(requests.count == 2)
    }

    @Test(arguments: [
        [ScriptedServer.Step].answer(503), [.send("")],
        [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")],
        [.hold], .answer(307, headers: "Location: /y\r\n"), .answer(302, headers: "Location: /y\r\n"),
    ])
    func post_isSentOnce(script: [ScriptedServer.Step]) async throws {
        let limits = TransferLimits(timeout: .milliseconds(1500))
        let requests = try await ScriptedServer.run([script]) { server in
            let client = try URLSessionClient.forTests(server.baseURL, limits: limits)
            _ = await failure(of: client, HTTP.Request(.post, ["x"], body: Data("{}".utf8)))
        }
        #expect(requests.count == 1)
    }

    @Test(arguments: [400, 401, 404, 422, 500])
    func failureThatStays_isNotTriedAgain(status: Int) async throws {
        let requests = try await ScriptedServer.run([.answer(status)]) { server in
            _ = await failure(of: try .forTests(server.baseURL), HTTP.Request(.get, ["x"]))
        }
        #expect(requests.count == 1)
    }

    @Test func tooLargeAnswer_isNotTriedAgain() async throws {
        let requests = try await ScriptedServer.run([.answer(200, "1234")]) { server in
            let limits = TransferLimits(bodyBytes: 3)
            let client = try URLSessionClient.forTests(server.baseURL, limits: limits)
            #expect(await failure(of: client, HTTP.Request(.get, ["x"])) == .tooLarge(limit: 3))
        }
        #expect(requests.count == 1)
    }

    @Test func pauses_doubleAndNeverOverflow() {
        let limits = TransferLimits(backoff: .seconds(1))
        #expect([1, 2, 3, 4].map(limits.pause) == [1, 2, 4, 8].map { .seconds($0) })
        #expect(limits.pause(after: .max) == .seconds(1024))
    }
}
