import Foundation
import LoginInterface
import LoginTesting
import Testing

@testable import LoginImplementation

@MainActor
struct SignOutTests {
    private let sessions = FakeSessions(user: "ann")

    @Test func signOut_endsTheSession() async throws {
        try await SignOutAction(sessions: sessions).perform(Login.SignOut())
        #expect(sessions.current == nil)
    }

    @Test func signOut_whenTheServerCannotBeTold_passesTheReasonOn() async throws {
        sessions.failure = URLError(.notConnectedToInternet)
        await #expect(throws: URLError.self) {
            try await SignOutAction(sessions: sessions).perform(Login.SignOut())
        }
    }
}
