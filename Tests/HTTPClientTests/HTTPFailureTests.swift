import Foundation
import HTTPClientInterface
import HTTPClientTesting
import Testing

@testable import HTTPClientImplementation

/// Failures on the wire, and the client's errors for them.
@Suite(.timeLimit(.minutes(5)))
struct HTTPFailureTests {
    private let get = HTTP.Request(.get, ["users", "ann"], token: "t0ken")
    private var once: TransferLimits { TransferLimits(attempts: 1) }

    /// The failure of one attempt, after which the server plays a script; nil, and a recorded issue, without one.
    private func clientFailure(
        after script: [ScriptedServer.Step], limits: TransferLimits = TransferLimits(attempts: 1)
    ) async throws -> HTTP.Failure? {
        let (answer, _) = try await exchange(get, with: script, limits: limits)
        return #expect(throws: HTTP.Failure.self) { try answer.get() }
    }

    @Test func refusedConnection_isUnreachableInWords() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1"))
        let failure = await failure(of: try .forTests(url, limits: once), get)
        #expect(failure == .unreachable(reason: "nothing answers at 127.0.0.1:1"))
        #expect(
            failure?.errorDescription
                == "The server cannot be reached (nothing answers at 127.0.0.1:1).")
    }

    @Test(arguments: [400, 401, 403, 404, 405, 422, 500])
    func statusOutside200To299_isThrownWithItsBody(status: Int) async throws {
        let headers = status == 401 ? "WWW-Authenticate: Bearer\r\n" : ""
        let script = [ScriptedServer.Step].answer(status, #"{"error":"No."}"#, headers: headers)
        let failure = try await clientFailure(after: script)
        #expect(failure == .status(status, body: #"{"error":"No."}"#))
        #expect(failure?.errorDescription == "No.")
    }

    @Test func message_isFoundBesideWhatElseTheBodyHolds() {
        let body = #"{"error":"Changed.","note":{"id":"1"},"count":2}"#
        #expect(HTTP.Failure.status(412, body: body).errorDescription == "Changed.")
    }

    @Test(arguments: [
        "Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"1\", qop=\"auth\"", "Negotiate", "NTLM",
    ])
    func challengeOfAnotherScheme_isA401LikeAnyOther(challenge: String) async throws {
        let headers = "WWW-Authenticate: \(challenge)\r\n"
        for method in [HTTP.Method.get, .post] {
            let (answer, requests) = try await exchange(
                HTTP.Request(method, ["session"]),
                with: .answer(401, #"{"error":"No."}"#, headers: headers))
            #expect(throws: HTTP.Failure.status(401, body: #"{"error":"No."}"#)) { try answer.get() }
            #expect(requests.count == 1)
        }
    }

    @Test func redirectThatLeadsNowhere_isThrownWithItsStatus() async throws {
        let failure = try await clientFailure(after: .answer(301))
        // Foundation for Linux drops the body.
        guard case .status(301, _)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test func statusBody_isKeptUpToItsLimit() async throws {
        let failure = try await clientFailure(after: .answer(500, String(repeating: "x", count: 100_000)))
        #expect(failure == .status(500, body: String(repeating: "x", count: 65_536)))
        #expect(failure?.errorDescription == "The server answered with status 500.")
    }

    @Test(arguments: [
        [ScriptedServer.Step.hold],
        [.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"), .hold],
        [.send("HTTP/1.1 200 OK\r\nContent-Length: 50000\r\n\r\n"), .drip],
    ])
    func slowAnswer_timesOutHoweverItIsSlow(script: [ScriptedServer.Step]) async throws {
        let limits = TransferLimits(timeout: .milliseconds(400), attempts: 1)
        let start = ContinuousClock.now
        let failure = try await clientFailure(after: script, limits: limits)
        #expect(failure == .timedOut(seconds: 0.4))
        #expect(failure?.errorDescription == "The server did not answer within 0.4 s.")
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"id\":",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"id\"\r\n",
    ])
    func connectionThatEndsEarly_isUnreachable(text: String) async throws {
        #expect(
            try await clientFailure(after: [.send(text)]) == .unreachable(reason: "the connection was lost"))
    }

    @Test(arguments: ["", "SSH-2.0-OpenSSH_9.6\r\n"])
    func responseThatIsNotHTTP_isUnreachable(text: String) async throws {
        try await ScriptedServer.run([[.send(text)]]) { server in
            let failure = await failure(of: try .forTests(server.baseURL, limits: once), get)
            // Foundation for macOS reports that nothing came as a lost connection.
            let reasons = ["127.0.0.1:\(server.port) sent an invalid response", "the connection was lost"]
            #expect(reasons.map { .unreachable(reason: $0) }.contains(failure))
        }
    }

    #if os(Linux)
        /// README names these responses; where one of them no longer ends the program, README is to be changed.
        @Test(arguments: [
            "HTTP/1.1 200 OK\r\nContent-Le",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Sum: 1\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775296\r\n\r\n{}",
        ])
        func responseThatFoundationForLinuxCannotTake_endsTheProgram(text: String) async {
            await #expect(processExitsWith: .failure) { [text = text as String] in
                try await ScriptedServer.run([[.send(text)]]) { server in
                    let client = try URLSessionClient.forTests(server.baseURL)
                    _ = try? await client.send(HTTP.Request(.get, ["x"]))
                }
            }
        }
    #endif

    @Test(arguments: [
        "Content-Length: 2000000\r\n\r\n", "Content-Length: 10000000000\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n7D0\r\n",
        "Connection: close\r\n\r\n",
    ])
    func largeBody_isRefusedWhileItComes(head: String) async throws {
        // The answer never ends, so that only a client which counts while it receives can fail with 'tooLarge'.
        let body = String(repeating: "x", count: 1001)
        let limits = TransferLimits(timeout: .seconds(20), attempts: 1, bodyBytes: 1000)
        let script = [ScriptedServer.Step.send("HTTP/1.1 200 OK\r\n\(head)\(body)"), .hold]
        #expect(try await clientFailure(after: script, limits: limits) == .tooLarge(limit: 1000))
    }

    @Test func bodyOfExactlyTheLimit_isAccepted() async throws {
        let limits = TransferLimits(attempts: 1, bodyBytes: 1000)
        let body = String(repeating: "x", count: 1000)
        let (answer, _) = try await exchange(get, with: .answer(200, body), limits: limits)
        #expect(try answer.get().body.count == 1000)
    }

    @Test func manyRequestsAtOnce_eachGetTheirOwnAnswer() async throws {
        let scripts = (0..<20).map { [ScriptedServer.Step].answer(200, "\($0)") }
        try await ScriptedServer.run(scripts) { server in
            let client = try URLSessionClient.forTests(server.baseURL)
            let answers = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in scripts {
                    group.addTask { [get] in String(decoding: try await client.send(get).body, as: UTF8.self)
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(answers == Set((0..<20).map(String.init)))
        }
    }
}
