import DisplayInterface

extension SignInModel {
    /// The form as it looks now.
    var content: Display.Content {
        Display.Content(
            title: "Sign in", error: problem,
            elements: [
                .field(Display.Field("User name", text: userName) { self.userName = $0 }),
                .field(
                    Display.Field("Password", text: password, isSecure: true, submit: signIn) {
                        self.password = $0
                    }),
                .button(Display.Button(problem == nil ? "Sign in" : "Try again", action: signIn)),
            ])
    }
}
