import DisplayInterface

extension SignInModel {
    /// The form as it looks now.
    var content: Display.Content {
        let problem: [Display.Element] = problem.map { [.error($0)] } ?? []
        return Display.Content(
            title: "Sign in",
            elements: problem + [
                .field(Display.Field("User name", text: userName) { self.userName = $0 }),
                .field(
                    Display.Field("Password", text: password, isSecure: true, submit: signIn) {
                        self.password = $0
                    }),
                .button(Display.Button(self.problem == nil ? "Sign in" : "Try again", action: signIn)),
            ])
    }
}
