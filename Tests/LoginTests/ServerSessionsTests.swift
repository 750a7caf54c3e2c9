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

    @Test func signIn_sendsTheCredentialsAndKeepsTheSession() async throws {
        let sessions = try await signedIn()
        #expect(sessions.current == Login.Session(user: "ann", token: Login.Token("t1")))
        let request = try #require(client.requests.first)
        #expect(request.method == .post && request.path == ["session"] && request.token == nil)
        let body = try JSONDecoder().decode([String: String].self, from: #require(request.body))
        #expect(body == ["user": "ann", "password": "secret"])
    }

    @Test func signIn_whenTheServerRefuses_leavesNobodySignedIn() async throws {
        client.fail(.post, "session", with: .status(401, body: #"{"error":"No."}"#))
        let sessions = ServerSessions(client: client)
        await #expect(throws: HTTP.Failure.status(401, body: #"{"error":"No."}"#)) {
            try await sessions.signIn(userName: "ann", password: "wrong")
        }
        #expect(sessions.current == nil)
    }

    @Test func signOut_isSentToTheServerWithTheToken() async throws {
        let sessions = try await signedIn()
        client.answer(.delete, "session", status: 204, json: "")
        try await sessions.signOut()
        #expect(sessions.current == nil)
        #expect(client.requests.last?.method == .delete)
        #expect(client.requests.last?.token == HTTP.Secret("t1"))
    }

    @Test func signOut_whenTheServerIsDown_endsTheSessionAllTheSame() async throws {
        let sessions = try await signedIn()
        client.fail(.delete, "session", with: .unreachable(reason: "connection refused"))
        await #expect { try await sessions.signOut() } throws: { error in
            error.localizedDescription.contains("the server was not notified")
                && error.localizedDescription.contains("connection refused")
        }
        #expect(sessions.current == nil)
    }

    @Test func signOut_whenTheServerForgotTheSession_isDone() async throws {
        let sessions = try await signedIn()
        client.fail(.delete, "session", with: .status(401, body: ""))
        try await sessions.signOut()
        #expect(sessions.current == nil)
    }

    @Test func forget_endsOnlyTheSessionThatItNames() async throws {
        let sessions = try await signedIn()
        sessions.forget(Login.Session(user: "ann", token: Login.Token("older")))
        #expect(sessions.current != nil)
        sessions.forget(Login.Session(user: "ann", token: Login.Token("t1")))
        #expect(sessions.current == nil)
    }

    @Test func token_isNeverPrinted() async throws {
        let session = Login.Session(user: "ann", token: Login.Token("hush"))
        var dumped = ""
        dump(session, to: &dumped)
        for text in ["\(session)", String(reflecting: session), dumped] { #expect(!text.contains("hush")) }
    }

    @Test func session_outlivesTheServiceInMemoryOnly() async throws {
        let state = try JSONEncoder().encode(await signedIn().savedState)
        let next = ServerSessions(client: client)
        #expect(next.savedState == nil)
        next.restore(try JSONDecoder().decode(ServerSessions.SavedState.self, from: state))
        #expect(next.current == Login.Session(user: "ann", token: Login.Token("t1")))
        #expect(ServerSessions.stateScope == .memory)
    }

    private func signedIn() async throws -> ServerSessions {
        client.answer(.post, "session", status: 200, json: #"{"user":"ann","token":"t1"}"#)
        let sessions = ServerSessions(client: client)
        _ = try await sessions.signIn(userName: "ann", password: "secret")
        return sessions
    }
}
