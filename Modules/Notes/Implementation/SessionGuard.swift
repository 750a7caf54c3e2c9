import NotesInterface
import RouterServiceInterface

/// Opens the user's notes before a route needs them, whichever way it is opened.
///
/// If no user is signed in, the last user's notes are opened; the user is asked to sign in only if there are none.
struct SessionGuard: Interceptor {
    @Dependency var sessions: AuthorSessions

    func intercept(_ request: RouteRequest) async throws -> Interception {
        guard try await !sessions.begin() else { return .proceed }
        try await request.result(of: Notes.RequiredSignIn())
        _ = try await sessions.begin()
        return .proceed
    }
}
