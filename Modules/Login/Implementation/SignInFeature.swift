import DisplayInterface
import HTTPClientInterface
import LoginInterface
import RouterServiceInterface

/// Builds the form for `Login.SignIn`.
// snippet: feature
struct SignInFeature: Feature {
    @Dependency var sessions: any Login.Sessions
    @Dependency var hint: HTTP.SignInHint?

    func build(_ route: Login.SignIn, in context: any RouteContext<Login.SignIn>) throws -> any Screen {
        let model = SignInModel(route: route, sessions: sessions, hint: hint?.text, context: context)
        try context.keepState(of: model)
        return Display.ContentScreen { model.content }
    }
}
// snippet: end
