public import RouterServiceInterface

extension Login {
    /// Leads to the form in which a user signs in; finishes with the session.
    public struct SignIn: Route {
        /// What the caller gets back.
        public typealias Output = Session

        /// `login.sign-in` in links.
        public static let identifier = "login.sign-in"

        /// The name of the user, where it is known; nil where they type it.
        public let userName: String?

        /// Creates a route to the form.
        public init(userName: String? = nil) {
            self.userName = userName
        }
    }
}
