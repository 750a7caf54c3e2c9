public import RouterServiceInterface

// What Notes requires of the program around it, and does not know the modules that provide it.

extension Notes {
    /// Knows who is signed in.
    ///
    /// A required interface: the App answers with an adapter over the module that knows it. Without one, notes are kept
    /// here, and sent nowhere.
    @MainActor
    public protocol RequiredAuthor: AnyObject {
        /// The identifier of the user who is signed in; nil for nobody.
        ///
        /// Observable.
        var id: String? { get }

        /// What authorises requests of that user: a secret, which is not to be kept.
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

        /// Creates a route to the form.
        public init(userName: String? = nil) { self.userName = userName }
    }

    /// Asks before a user signs out whose changes are not all sent; throws a `CancellationError` where they stay.
    ///
    /// The App opens it before each signing out.
    public struct ConfirmSignOut: Route {
        /// `notes.confirm-sign-out` in links.
        public static let identifier = "notes.confirm-sign-out"

        /// The user who is signed in.
        public let author: String

        /// Creates a route that asks.
        public init(author: String) { self.author = author }
    }

    /// A user signed out, so nothing of theirs may stay here.
    ///
    /// A required event, which the App broadcasts.
    public struct AuthorLeft: Event {
        /// The user.
        public let author: String

        /// Creates the event.
        public init(author: String) { self.author = author }
    }

    /// The time in which the notes of one user are open: from their first use after a sign-in to the end of the program, the
    /// sign-out, or the use of another user's notes.
    public static let session = Scope("notes.session")
}
