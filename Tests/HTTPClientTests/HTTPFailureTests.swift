import Foundation
import HTTPClientInterface
import HTTPClientTesting
import Testing

@testable import HTTPClientImplementation

/// Failures on the wire, and the client's errors for them.
@Suite(.timeLimit(.minutes(5)))
struct HTTPFailureTests {
    private let get = HTTP.Request(.get, ["users", "ann"], token: "t0ken")

    /// The failure after a script of the server; nil, and a recorded issue, without one.
    private func clientFailure(
        after script: [ScriptedServer.Step], limits: TransferLimits = TransferLimits()
    ) async throws -> HTTP.Failure? {
        let (response, _) = try await exchange(get, with: script, limits: limits)
        return #expect(throws: HTTP.Failure.self) { try response.get() }
    }

    @Test func refusedConnection_isUnreachableInWords() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1"))
        let failure = await failure(of: try .forTests(url), get)
        #expect(failure == .unreachable(reason: "nothing responds at 127.0.0.1:1."))
        #expect(
            failure?.errorDescription
                == "The server cannot be reached: nothing responds at 127.0.0.1:1.")
    }

    @Test(arguments: [400, 401, 403, 404, 405, 422, 500])
    func statusOutside200To299_isThrownWithItsBody(status: Int) async throws {
        let headers = status == 401 ? "WWW-Authenticate: Bearer\r\n" : ""
        let script = [ScriptedServer.Step].response(status, #"{"error":"No."}"#, headers: headers)
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
            let (response, requests) = try await exchange(
                HTTP.Request(method, ["session"]),
                with: .response(401, #"{"error":"No."}"#, headers: headers))
            #expect(throws: HTTP.Failure.status(401, body: #"{"error":"No."}"#)) { try response.get() }
            #expect(requests.count == 1)
        }
    }

    @Test(arguments: [301, 302, 307, 308], ["Location: /y\r\n", "Location: http://localhost:1/y\r\n", ""])
    func redirect_isThrownWithItsStatus_andNotFollowed(status: Int, location: String) async throws {
        for method in [HTTP.Method.get, .put, .post] {
            let request = HTTP.Request(method, ["x"], token: "t0ken")
            let script = [ScriptedServer.Step].response(status, headers: location)
            let (response, requests) = try await exchange(request, with: script)
            let error = #expect(throws: HTTP.Failure.self) { try response.get() }
            // Foundation for Linux drops the body.
            guard case .status(status, _)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(requests.count == 1)
        }
    }

    @Test func statusBody_isKeptUpToItsLimit() async throws {
        let failure = try await clientFailure(after: .response(500, String(repeating: "x", count: 100_000)))
        #expect(failure == .status(500, body: String(repeating: "x", count: 65_536)))
        #expect(failure?.errorDescription == "The server responded with status 500.")
    }

    @Test(arguments: [
        [ScriptedServer.Step.hold],
        [.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"), .hold],
        [.send("HTTP/1.1 200 OK\r\nContent-Length: 50000\r\n\r\n"), .drip],
    ])
    func slowResponse_timesOutHoweverItIsSlow(script: [ScriptedServer.Step]) async throws {
        let limits = TransferLimits(timeout: .milliseconds(400))
        let start = ContinuousClock.now
        let failure = try await clientFailure(after: script, limits: limits)
        #expect(failure == .timedOut(seconds: 0.4))
        #expect(failure?.errorDescription == "The server did not respond within 0.4 s.")
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"id\":",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"id\"\r\n",
    ])
    func connectionThatEndsEarly_isUnreachable(text: String) async throws {
        #expect(
            try await clientFailure(after: [.send(text)]) == .unreachable(reason: "the connection was lost."))
    }

    @Test(arguments: ["", "SSH-2.0-OpenSSH_9.6\r\n"])
    func responseThatIsNotHTTP_isUnreachable(text: String) async throws {
        try await ScriptedServer.run([[.send(text)]]) { server in
            let failure = await failure(of: try .forTests(server.baseURL), get)
            // Foundation for macOS reports that nothing came as a lost connection.
            let reasons = ["127.0.0.1:\(server.port) sent an invalid response.", "the connection was lost."]
            #expect(reasons.map { .unreachable(reason: $0) }.contains(failure))
        }
    }

    #if os(Linux)
        /// Foundation for macOS may send an idempotent request again.
        @Test(
            arguments: [HTTP.Method.post, .put, .delete],
            [
                [ScriptedServer.Step].response(503), [.send("")],
                [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")], [.hold],
            ])
        func requestThatFails_isSentOnce(method: HTTP.Method, script: [ScriptedServer.Step]) async throws {
            let limits = TransferLimits(timeout: .milliseconds(1500))
            let request = HTTP.Request(method, ["x"], body: Data("{}".utf8))
            let (response, requests) = try await exchange(request, with: script, limits: limits)
            #expect(throws: HTTP.Failure.self) { try response.get() }
            #expect(requests.count == 1)
        }

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
        // The response never ends, so only a client that counts while it receives can fail with 'tooLarge'.
        let body = String(repeating: "x", count: 1001)
        let limits = TransferLimits(timeout: .seconds(20), bodyBytes: 1000)
        let script = [ScriptedServer.Step.send("HTTP/1.1 200 OK\r\n\(head)\(body)"), .hold]
        #expect(try await clientFailure(after: script, limits: limits) == .tooLarge(limit: 1000))
    }

    @Test func bodyOfExactlyTheLimit_isAccepted() async throws {
        let limits = TransferLimits(bodyBytes: 1000)
        let body = String(repeating: "x", count: 1000)
        let (response, _) = try await exchange(get, with: .response(200, body), limits: limits)
        #expect(try response.get().body.count == 1000)
    }

    @Test func manyRequestsAtOnce_eachGetTheirOwnResponse() async throws {
        let scripts = (0..<20).map { [ScriptedServer.Step].response(200, "\($0)") }
        try await ScriptedServer.run(scripts) { server in
            let client = try URLSessionClient.forTests(server.baseURL)
            let bodies = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in scripts {
                    group.addTask { [get] in String(decoding: try await client.send(get).body, as: UTF8.self)
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(bodies == Set((0..<20).map(String.init)))
        }
    }
}
