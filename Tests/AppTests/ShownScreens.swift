/// The App's screens in line mode that several sessions share.
enum ShownScreens {
    static let signedOut = """
        == Profile ==
        You are not signed in.
          1  Sign in
        >\u{20}

        """

    /// How to sign in at the server inside the App, which another server does not tell.
    static let hint = "The server inside the App knows ann and bob; their password is secret.\n"

    /// The form for signing in, filled in with ann's user name and password.
    static let signInOfAnn = signInOfAnn(advice: hint)

    /// The same, for a URL that requires it.
    static func signInOfAnn(for url: String) -> String {
        signInOfAnn(advice: "\(url) was opened from outside, and requires sign-in.\n│ \(hint)")
    }

    private static func signInOfAnn(advice: String) -> String {
        """
        │ == Profile › Sign in ==
        │ \(advice)│   1  User name:
        │   2  Password:
        │   3  Sign in
        │   0  Back
        │ (An empty line keeps the text; :q goes back to the choices.)
        │ User name: ann
        │ Password: ••••••


        """
    }

    /// What ann can choose on her profile.
    static let choicesOfAnn = """
          1  Edit display name
          2  Profile of bob
          3  Edit the profile of ann
          4  Notes
          5  Reload
          6  Sign out
        """

    static let profileOfAnn = """
        == Profile ==
        Ann Example
        @ann
        \(choicesOfAnn)
        >\u{20}

        """

    /// The form in which ann changes her name, filled in, and her profile after that, up to the choices.
    static let nameChangedToAnna = """
        == Profile › Edit profile ==
          1  Display name: Ann Example
          2  Save
          0  Back
        (An empty line keeps the text; :q goes back to the choices.)
        Display name [Ann Example]: Anna

        ✓ Saved
        == Profile ==
        Anna
        @ann
        \(choicesOfAnn)
        """

    /// Bob's profile above ann's, up to the prompt.
    static let profileOfBob = """
        == Profile › Profile of bob ==
        Bob Builder
        @bob
          1  Profile of ann
          2  Reload
          3  Sign out
          0  Back
        >\u{20}
        """
}
