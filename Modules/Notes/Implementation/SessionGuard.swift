import NotesInterface
import RouterServiceInterface

/// Opens the notes of the user before anything of them is used, whichever way that is.
///
/// Where nobody is signed in, those of the last user are opened, and the user is asked to sign in only where there are none.
struct SessionGuard: Interceptor {
    @Dependency var sessions: AuthorSessions

    func intercept(_ request: RouteRequest) async throws -> Interception {
        guard needsNotes(request.route), try await !sessions.begin() else { return .proceed }
        try await request.result(of: Notes.RequiredSignIn())
        _ = try await sessions.begin()
        return .proceed
    }

    private func needsNotes(_ route: any Route) -> Bool {
        route is Notes.List || route is Notes.Editor || route is Notes.Preview || route is Notes.Synchronize
    }
}
