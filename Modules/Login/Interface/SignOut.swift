public import RouterServiceInterface

extension Login {
    /// Ends the present session; does nothing if no user is signed in.
    public struct SignOut: Route {
        /// `login.sign-out` in links.
        public static let identifier = "login.sign-out"

        public init() {}
    }

    /// A user has signed out, and none of their data is to stay; broadcast by ``SignOut``, and not if the server ended a session.
    public struct SignedOut: Event {
        /// The identifier of the user.
        public let user: Identifier

        public init(user: Identifier) {
            self.user = user
        }
    }
}
