import Foundation
import LoginInterface
import RouterServiceInterface

/// Fulfils `Login.SignOut`, which has no screen.
///
/// The session and the user's data are forgotten before the server is asked, which may take long: whatever ends the program
/// meanwhile, nobody reads that user's data without signing in.
struct SignOutAction: Action {
    let sessions: any Login.Sessions
    let router: any Router

    // snippet: perform
    func perform(_ route: Login.SignOut) async throws {
        guard let session = sessions.current else { throw NotSignedIn() }
        sessions.forget(session)
        let failures = await router.broadcast(Login.SignedOut(user: session.user))
        let ending: Result<Void, any Error>
        do { ending = .success(try await sessions.end(session)) } catch { ending = .failure(error) }
        if case .listenerFailed(_, _, let reason)? = failures.first { throw reason }
        try ending.get()
    }
    // snippet: end
}

private struct NotSignedIn: LocalizedError {
    var errorDescription: String? { "You are not signed in." }
}
