import NotesInterface
import RouterServiceInterface

/// Opens the user's notes before a route needs them, whichever way it is opened.
///
/// If no user is signed in, the last user's notes are opened; the user is asked to sign in only if there are none, or if they
/// are to be sent.
struct SessionGuard: Interceptor {
    @Dependency var sessions: AuthorSessions

    func intercept(_ request: RouteRequest) async throws -> Interception {
        let needsUser = request.route is Notes.Synchronize && sessions.isSignedOut
        if !needsUser, try await sessions.begin() { return .proceed }
        try await request.result(of: Notes.RequiredSignIn())
        _ = try await sessions.begin()
        return .proceed
    }
}
