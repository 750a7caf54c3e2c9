import LoginInterface
import RouterServiceInterface

/// Fulfils `Login.SignOut`, which has no screen.
struct SignOutAction: Action {
    @Dependency var sessions: any Login.Sessions

    func perform(_ route: Login.SignOut) async throws {
        try await sessions.signOut()
    }
}
