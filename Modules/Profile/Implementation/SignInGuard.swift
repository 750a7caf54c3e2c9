import LoginInterface
import RouterServiceInterface

/// Requires sign-in before a profile or its form is shown.
struct SignInGuard: Interceptor {
    let sessions: any Login.Sessions

    func intercept(_ request: RouteRequest) async throws -> Interception {
        guard sessions.current == nil else { return .proceed }
        _ = try await request.result(of: Login.SignIn())
        return .proceed
    }
}
