import DisplayInterface
import LoginInterface
import RouterServiceInterface

// snippet: feature
/// Builds the form for `Login.SignIn`.
struct SignInFeature: Feature {
    @Dependency var sessions: any Login.Sessions

    func build(_ route: Login.SignIn, in context: RouteContext<Login.SignIn>) -> any Screen {
        let model = SignInModel(userName: route.userName ?? "", sessions: sessions, context: context)
        return Display.ContentScreen { model.content }
    }
}
// snippet: end
