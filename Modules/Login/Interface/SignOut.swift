public import RouterServiceInterface

extension Login {
    /// Ends the present session; done at once where nobody is signed in.
    public struct SignOut: Route {
        /// `login.sign-out` in links.
        public static let identifier = "login.sign-out"

        /// Creates a route that signs out.
        public init() {}
    }

    /// A user has signed out, and nothing of theirs is to stay; broadcast by ``SignOut``, and not where the server ended a session.
    public struct SignedOut: Event {
        /// The identifier of the user.
        public let user: String

        /// Creates the event.
        public init(user: String) {
            self.user = user
        }
    }
}
