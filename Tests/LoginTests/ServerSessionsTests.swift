import DisplayInterface
import DisplayTesting
import Foundation
import HTTPClientInterface
import HTTPClientTesting
import LoginInterface
import RouterServiceInterface
import Testing

@testable import LoginImplementation

@MainActor
struct ServerSessionsTests {
    private let client = FakeHTTPClient()
    private let terminal = FakeTerminal()

    @Test func signIn_sendsTheCredentialsAndKeepsTheSession() async throws {
        let sessions = try await signedIn()
        #expect(sessions.current == session)
        let request = try #require(client.requests.first)
        #expect(request.method == .post)
        #expect(request.path == ["session"])
        #expect(request.token == nil)
        let body = try JSONDecoder().decode([String: String].self, from: #require(request.body))
        #expect(body == ["user": "ann", "password": "secret"])
    }

    @Test func signIn_whenTheServerRefuses_leavesNobodySignedIn() async throws {
        client.fail(.post, "session", with: .status(401, body: #"{"error":"No."}"#))
        let sessions = newSessions()
        await #expect(throws: HTTP.Failure.status(401, body: #"{"error":"No."}"#)) {
            try await sessions.signIn(userName: "ann", password: "wrong")
        }
        #expect(sessions.current == nil)
    }

    @Test(arguments: ["", ".", "..", "a/b", "a\nb", String(repeating: "a", count: 5_000)])
    func signIn_withAResponseThatHasNoUserName_isNotASession(user: String) async throws {
        let name = String(decoding: try JSONEncoder().encode(user), as: UTF8.self)
        client.respond(.post, "session", json: #"{"user":\#(name),"token":"t1"}"#)
        let sessions = newSessions()
        await #expect { try await sessions.signIn(userName: "ann", password: "secret") } throws: { error in
            error.localizedDescription.contains("at 'user', this cannot be the name of a user.")
        }
        #expect(sessions.current == nil)
    }

    @Test func end_isSentToTheServerWithTheToken() async throws {
        client.respond(.delete, "session", status: 204, json: "")
        try await newSessions().end(session)
        #expect(client.requests.last?.method == .delete)
        #expect(client.requests.last?.token == "t1")
    }

    @Test func end_whenTheServerIsDown_saysSo() async throws {
        client.fail(.delete, "session", with: .unreachable(reason: "connection refused"))
        await #expect { try await newSessions().end(session) } throws: { error in
            error.localizedDescription.contains("the server was not notified")
                && error.localizedDescription.contains("connection refused")
        }
    }

    @Test func end_whenTheClientFailsWithoutADescription_namesTheError() async throws {
        await #expect { try await newSessions(FailingClient()).end(session) } throws: { error in
            error.localizedDescription.hasSuffix("the server was not notified. outOfPaper")
        }
    }

    @Test func end_whenTheServerForgotTheSession_isDone() async throws {
        client.fail(.delete, "session", with: .status(401, body: ""))
        try await newSessions().end(session)
    }

    @Test func end_whenTheUserDoesNotWait_isCancelled() async throws {
        client.hang(.delete, "session")
        let ending = Task { try await newSessions().end(session) }
        while client.requests.isEmpty { await Task.yield() }
        ending.cancel()
        await #expect(throws: CancellationError.self) { try await ending.value }
    }

    @Test func forget_endsOnlyTheSessionThatItNames() async throws {
        let sessions = try await signedIn()
        sessions.forget(Login.Session(user: "ann", token: Login.Token("older")))
        #expect(sessions.current != nil)
        sessions.forget(Login.Session(user: "ann", token: Login.Token("t1")))
        #expect(sessions.current == nil)
    }

    @Test func expiry_endsOnlyTheSessionThatItNames_andNotifiesTheUser() async throws {
        let sessions = try await signedIn()
        sessions.expire(Login.Session(user: "ann", token: Login.Token("older")))
        #expect(sessions.current != nil)
        #expect(terminal.warnings.isEmpty)
        sessions.expire(session)
        #expect(sessions.current == nil)
        #expect(terminal.notices.isEmpty, "it is no success")
        #expect(terminal.warnings == ["The server has ended your session. Sign in again."])
    }

    @Test func token_isNeverPrinted() async throws {
        let session = Login.Session(user: "ann", token: Login.Token("hush"))
        for text in ["\(session)", String(reflecting: session)] { #expect(!text.contains("hush")) }
    }

    @Test func session_outlivesTheServiceInMemoryOnly() async throws {
        let state = try JSONEncoder().encode(await signedIn().savedState)
        let next = newSessions()
        #expect(next.savedState == nil)
        next.restore(try JSONDecoder().decode(ServerSessions.SavedState.self, from: state))
        #expect(next.current == Login.Session(user: "ann", token: Login.Token("t1")))
        #expect(ServerSessions.stateScope == .memory)
    }

    private let session = Login.Session(user: "ann", token: Login.Token("t1"))

    private func newSessions(_ client: (any HTTP.Client)? = nil) -> ServerSessions {
        ServerSessions(client: client ?? self.client, dialog: Deferred { terminal })
    }

    private func signedIn() async throws -> ServerSessions {
        client.respond(.post, "session", status: 200, json: #"{"user":"ann","token":"t1"}"#)
        let sessions = newSessions()
        _ = try await sessions.signIn(userName: "ann", password: "secret")
        return sessions
    }
}

private final class FailingClient: HTTP.Client {
    enum Failure: Error { case outOfPaper }

    func send(_ request: HTTP.Request) async throws -> HTTP.Response { throw Failure.outOfPaper }
}
