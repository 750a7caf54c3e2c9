/// The App's screens in line mode that several sessions share.
enum ShownScreens {
    /// How to sign in at the server inside the App, which another server does not tell.
    static let hint = "The server inside the App knows ann and bob; their password is secret.\n"

    /// The form for signing in, filled in with ann's user name and password.
    static let signInOfAnn = """
        │ == Home › Sign in ==
        │ \(hint)│   1  User name:
        │   2  Password:
        │   3  Sign in
        │   0  Back
        │ (An empty line keeps the text; :q goes back to the choices.)
        │ User name: ann
        │ Password: ••••••


        """

    static let profileOfAnn = profileOfAnn(name: "Ann Example") + "\n"

    /// Ann's profile up to the prompt.
    static func profileOfAnn(name: String) -> String {
        """
        == Home › Profile ==
        \(name)
        @ann
          1  Edit display name
          2  Profile of bob
          3  Notes
          4  Reload
          0  Back
        >\u{20}
        """
    }

    /// The form above a screen, in which ann changes her name, filled in.
    static func nameChangedToAnna(above screen: String) -> String {
        """
        == \(screen) › Edit profile ==
          1  Display name: Ann Example
          2  Save
          0  Back
        (An empty line keeps the text; :q goes back to the choices.)
        Display name [Ann Example]: Anna

        ✓ Saved

        """
    }

    /// Bob's profile above a screen of ann's, up to the prompt.
    static func profileOfBob(above screen: String) -> String {
        """
        == \(screen) › Profile of bob ==
        Bob Builder
        @bob
          1  Profile of ann
          2  Reload
          0  Back
        >\u{20}
        """
    }
}
