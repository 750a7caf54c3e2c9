import DisplayInterface
import LoginInterface
import RouterServiceInterface

/// Builds the form for `Login.SignIn`.
struct SignInFeature: Feature {
    let sessions: any Login.Sessions
    let hints: [Login.Hint]

    func build(_ route: Login.SignIn, in context: any RouteContext<Login.SignIn>) -> any Screen {
        let model = SignInModel(route: route, sessions: sessions, context: context)
        return Display.ContentScreen { model.content(below: hints) }
    }
}

extension SignInModel {
    /// A known name is not a field: the user then types the password first, which must not be readable.
    func content(below hints: [Login.Hint]) -> Display.Content {
        let name = Display.Field("User name", text: userName) { self.userName = $0 }
        let password = Display.Field("Password", text: password, isSecure: true, submit: signIn) {
            self.password = $0
        }
        let otherName = Display.Button("Use another name", action: changeName)
        return Display.Content(
            title: "Sign in",
            elements: hints.map { .text($0.text) } + [
                asksForName ? .field(name) : .text("User name: \(userName)"), .field(password),
                .button(Display.Button("Sign in", action: signIn)),
            ] + (asksForName ? [] : [.button(otherName)]))
    }
}
