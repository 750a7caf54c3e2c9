public import RouterServiceInterface

extension Notes {
    /// Provides the user who is signed in.
    ///
    /// A required interface: the App adapts the module that knows the user.
    @MainActor
    public protocol RequiredAuthor: AnyObject {
        /// The identifier of the user who is signed in, or nil; observable.
        var id: String? { get }

        /// The token that authorises the user's requests: a secret, which must not be stored.
        var token: String? { get }

        /// Reports that the server no longer accepts a token.
        func expire(token: String)
    }

    /// Leads to a form in which a user signs in.
    ///
    /// A required route, which the App adapts to a route of another module.
    public struct RequiredSignIn: Route {
        public static let identifier = "notes.sign-in"

        /// The name of the user; nil if the user types it.
        public let userName: String?

        public init(userName: String? = nil) { self.userName = userName }
    }

    /// Asks before a user with unsent changes signs out; throws `UserDeclined` if the user stays.
    ///
    /// The App opens it before each signing out.
    public struct ConfirmSignOut: Route {
        public static let identifier = "notes.confirm-sign-out"

        public let author: String

        public init(author: String) { self.author = author }
    }

    /// A user signed out, so none of their notes may stay here.
    ///
    /// A required event, which the App broadcasts.
    public struct AuthorLeft: Event {
        public let author: String

        public init(author: String) { self.author = author }
    }

    /// The time in which the notes of one user are open, until the user signs out or another user's notes are opened.
    public static let session = Scope("notes.session")
}
