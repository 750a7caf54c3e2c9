public import RouterServiceInterface

extension Login {
    /// Leads to the form in which a user signs in; finishes with the session.
    public struct SignIn: Route {
        /// The output that the caller receives.
        public typealias Output = Session

        /// `login.sign-in` in links.
        public static let identifier = "login.sign-in"

        /// The name of the user, where it is known; nil where they type it.
        public let userName: String?

        public init(userName: String? = nil) {
            self.userName = userName
        }
    }
}
