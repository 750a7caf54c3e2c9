import DisplayInterface

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
