public import RouterServiceInterface

// The requirements of Notes, which does not know the modules that fulfil them.

extension Notes {
    /// Provides the user who is signed in.
    ///
    /// A required interface: the App provides an adapter over the module that has the user. Without one, notes are kept
    /// here, and sent nowhere.
    @MainActor
    public protocol RequiredAuthor: AnyObject {
        /// The identifier of the user who is signed in, or nil; observable.
        var id: String? { get }

        /// The token that authorises requests of that user: a secret, which must not be stored.
        var token: String? { get }

        /// Reports that the server no longer accepts a token.
        func expire(token: String)
    }

    /// Leads to a form in which a user signs in.
    ///
    /// A required route, which the App adapts to the one of another module.
    public struct RequiredSignIn: Route {
        /// `notes.sign-in` in links.
        public static let identifier = "notes.sign-in"

        /// The name of the user, where it is known.
        public let userName: String?

        public init(userName: String? = nil) { self.userName = userName }
    }

    /// Asks before a user with unsent changes signs out; throws `UserDeclined` if the user stays.
    ///
    /// The App opens it before each signing out.
    public struct ConfirmSignOut: Route {
        /// `notes.confirm-sign-out` in links.
        public static let identifier = "notes.confirm-sign-out"

        /// The user who is signed in.
        public let author: String

        public init(author: String) { self.author = author }
    }

    /// A user signed out, so none of their notes may stay here.
    ///
    /// A required event, which the App broadcasts.
    public struct AuthorLeft: Event {
        /// The user.
        public let author: String

        public init(author: String) { self.author = author }
    }

    /// The time in which the notes of one user are open: from their first use after a sign-in to the end of the program, the
    /// sign-out, or the use of another user's notes.
    public static let session = Scope("notes.session")
}
