import Foundation
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

    @Test func signOut_endsTheSession() async throws {
        try await signOut()
        #expect(sessions.current == nil)
        #expect(router.events.compactMap { ($0 as? Login.SignedOut)?.user } == ["ann"])
    }

    @Test func signOut_whenNobodyIsSignedIn_isNotAnnounced() async throws {
        sessions.current = nil
        try await signOut()
        #expect(router.events.isEmpty)
    }

    @Test func signOut_whenTheServerCannotBeReached_passesTheReasonOn() async throws {
        sessions.failure = URLError(.notConnectedToInternet)
        await #expect(throws: URLError.self) { try await signOut() }
        #expect(router.events.count == 1, "the session has ended all the same")
    }

    private func signOut() async throws {
        try await SignOutAction(sessions: sessions, router: router).perform(Login.SignOut())
    }
}
