/// A user as the backend sends it.
struct EmbeddedUser: Encodable {
    let id, displayName: String
    /// The links that this user's profile offers.
    let links: [EmbeddedLink]

    /// The links of each user's profile.
    static let links = [
        "ann": [
            EmbeddedLink(title: "Profile of bob", link: #"profile.overview|{"user":"bob"}"#),
            EmbeddedLink(title: "Edit the profile of ann", link: #"profile.editor|{"user":"ann"}"#),
        ],
        "bob": [EmbeddedLink(title: "Profile of ann", link: #"profile.overview|{"user":"ann"}"#)],
    ]

    /// The links that users see on their own profiles besides.
    static let ownLinks = [EmbeddedLink(title: "Notes", link: "notes.list|{}")]

    /// The password of every user.
    static let password = "secret"
    /// How to sign in, in words for the user.
    static let hint = "The server inside the App knows ann and bob; their password is \(password)."
}

/// A link for users, with a title and as a string: a backend knows routes only by their identifiers.
struct EmbeddedLink: Encodable, Sendable {
    let title, link: String
}
