import LoginInterface
import ProfileInterface
import RouterServiceInterface

/// Requires sign-in before a named profile or the form for one is shown, whichever way these are opened.
///
/// The user's own profile needs no guard: signed out, it offers to sign in.
struct SignInGuard: Interceptor {
    let sessions: any Login.Sessions

    func intercept(_ request: RouteRequest) async throws -> Interception {
        guard sessions.current == nil else { return .proceed }
        if let overview = request.route as? Profile.Overview, overview.user == nil { return .proceed }
        _ = try await request.result(of: Login.SignIn())
        return .proceed
    }
}
