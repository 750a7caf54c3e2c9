/// A user as the backend keeps and sends it.
struct EmbeddedUser: Encodable, Sendable {
    let id: String
    var displayName: String
    /// Where a user can go from this one's profile.
    let links: [EmbeddedLink]

    /// The users at the start, as in `scripts/backend`.
    static let all = [
        EmbeddedUser(
            id: "ann", displayName: "Ann Example",
            links: [
                EmbeddedLink(title: "Profile of bob", link: #"profile.overview|{"user":"bob"}"#),
                EmbeddedLink(title: "Edit the profile of ann", link: #"profile.editor|{"user":"ann"}"#),
            ]),
        EmbeddedUser(
            id: "bob", displayName: "Bob Builder",
            links: [EmbeddedLink(title: "Profile of ann", link: #"profile.overview|{"user":"ann"}"#)]),
    ]

    /// The password of every user.
    static let password = "secret"
}

/// Where a user can go, in words and as a string: a backend knows routes only by their identifiers.
struct EmbeddedLink: Encodable, Sendable {
    let title, link: String
}
