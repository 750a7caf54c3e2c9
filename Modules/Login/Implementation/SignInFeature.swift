import DisplayInterface
import Foundation
import HTTPClientInterface
import LoginInterface
import RouterServiceInterface

/// Builds the form for `Login.SignIn`.
// snippet: feature
struct SignInFeature: Feature {
    let sessions: any Login.Sessions
    let hint: HTTP.SignInHint?
    let catalog: any RouteCatalog

    func build(_ route: Login.SignIn, in context: any RouteContext<Login.SignIn>) throws -> any Screen {
        let model = SignInModel(
            route: route, sessions: sessions, advice: advice(in: context), context: context)
        try context.keepState(of: model)
        return Display.ContentScreen { model.content }
    }
}
// snippet: end

extension SignInFeature {
    /// Why the form is shown, where the user did not ask for it, and how to sign in, where any user may know.
    private func advice(in context: any RouteContext<Login.SignIn>) -> [String] {
        let hints = [hint?.text].compactMap(\.self)
        guard let cause = context.cause, cause.origin == .external else { return hints }
        let address = (try? catalog.url(for: cause.route).absoluteString) ?? cause.name
        let shown = Display.PlainText.line(address.count > 80 ? "\(address.prefix(80))…" : address)
        return ["\(shown) was opened from outside, and requires sign-in."] + hints
    }
}

extension SignInModel {
    /// The current content of the form.
    ///
    /// A known name is not a field: the first text typed is then the password, which must not be readable.
    var content: Display.Content {
        let name = Display.Field("User name", text: userName) { self.userName = $0 }
        let password = Display.Field("Password", text: password, isSecure: true, submit: signIn) {
            self.password = $0
        }
        let otherName = Display.Button("Use another name", action: changeName)
        return Display.Content(
            title: "Sign in",
            elements: advice.map { .text($0) } + [
                asksForName ? .field(name) : .text("User name: \(userName)"), .field(password),
                .button(Display.Button("Sign in", action: signIn)),
            ] + (asksForName ? [] : [.button(otherName)]))
    }
}
