/// A user as the backend keeps and sends it.
struct EmbeddedUser: Encodable, Sendable {
    let id: String
    var displayName: String
    /// Where a person can go from this user's profile.
    ///
    /// These are strings: a backend knows routes only by their identifiers.
    let links: [String]

    /// The users at the start, as in `scripts/backend`.
    static let all = [
        EmbeddedUser(
            id: "ann", displayName: "Ann Example",
            links: [#"profile.overview|{"user":"bob"}"#, #"profile.editor|{"user":"ann"}"#]),
        EmbeddedUser(id: "bob", displayName: "Bob Builder", links: [#"profile.overview|{"user":"ann"}"#]),
    ]

    /// The password of every user.
    static let password = "secret"
}
