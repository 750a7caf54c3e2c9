import Foundation
import HomeInterface
import LoginInterface
import LoginTesting
import RouterServiceInterface
import RouterServiceTesting
import Testing

@testable import LoginImplementation

@MainActor
struct SignOutTests {
    private let sessions = FakeSessions(user: "ann")
    private let router = RecordingRouter()

    @Test func fakeModule_handlesTheRoutesOfTheModule_andNobodyIsSignedIn() throws {
        let recorded = RecordedModules(FakeLoginModule())
        #expect(Set(recorded.routes) == Set(RecordedModules(LoginModule()).routes))
        #expect(try recorded.resolve((any Login.Sessions).self).current == nil)
    }

    @Test func signOut_endsTheSession() async throws {
        try await signOut()
        #expect(sessions.current == nil)
        #expect(router.events.compactMap { ($0 as? Login.SignedOut)?.user } == ["ann"])
    }

    @Test func signOut_whenNobodyIsSignedIn_saysSo_andIsNotAnnounced() async {
        sessions.current = nil
        await #expect { try await signOut() } throws: { $0.localizedDescription == "You are not signed in." }
        #expect(router.events.isEmpty)
    }

    @Test func signOut_whenTheServerCannotBeReached_passesTheReasonOn() async throws {
        sessions.failure = URLError(.notConnectedToInternet)
        await #expect(throws: URLError.self) { try await signOut() }
        #expect(router.events.count == 1, "the session has ended all the same")
    }

    @Test func signOut_endsTheSessionHere_beforeTheServerIsAsked() async throws {
        let order = Order(router: router)
        await #expect(throws: URLError.self) {
            try await SignOutAction(sessions: order, router: router).perform(Login.SignOut())
        }
        #expect(order.current == nil)
        #expect(order.eventsBeforeTheServer == 1)
    }

    @Test func module_contributesAnEntryThatSignsInOrOut() throws {
        let recorded = RecordedModules(LoginModule(), FakeLoginModule())
        let entry = try #require(try recorded.resolve([Home.Entry].self).first)
        #expect(entry.title() == "Sign in")
        #expect(entry.detail() == nil)
        #expect(AnyRoute(entry.route()) == AnyRoute(Login.SignIn()))
        let sessions = try #require(recorded.resolve((any Login.Sessions).self) as? FakeSessions)
        sessions.current = Login.Session(user: "ann", token: Login.Token("t"))
        #expect(entry.title() == "Sign out")
        #expect(entry.detail() == "ann")
        #expect(AnyRoute(entry.route()) == AnyRoute(Login.SignOut()))
    }

    private func signOut() async throws {
        try await SignOutAction(sessions: sessions, router: router).perform(Login.SignOut())
    }
}

/// A session whose end on the server fails, after what other modules knew by then is noted.
@MainActor
private final class Order: Login.Sessions {
    private(set) var current: Login.Session? = Login.Session(user: "ann", token: Login.Token("t"))
    private(set) var eventsBeforeTheServer: Int?
    private let router: RecordingRouter

    init(router: RecordingRouter) { self.router = router }

    func signIn(userName: String, password: String) async throws -> Login.Session { throw URLError(.unknown) }

    func forget(_ session: Login.Session) { current = nil }

    func expire(_ session: Login.Session) { current = nil }

    func end(_ session: Login.Session) async throws {
        eventsBeforeTheServer = router.events.count
        throw URLError(.notConnectedToInternet)
    }
}
