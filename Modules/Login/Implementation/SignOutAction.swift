import LoginInterface
import RouterServiceInterface

/// Fulfils `Login.SignOut`, which has no screen.
///
/// The session ends even if the server cannot be notified, so other modules are notified in any case.
struct SignOutAction: Action {
    @Dependency var sessions: any Login.Sessions
    @Dependency var router: any Router

    func perform(_ route: Login.SignOut) async throws {
        guard let user = sessions.current?.user else { return }
        let refusal: (any Error)?
        do {
            try await sessions.signOut()
            refusal = nil
        } catch {
            refusal = error
        }
        if let failure = await router.broadcast(Login.SignedOut(user: user)).first { throw failure }
        if let refusal { throw refusal }
    }
}
