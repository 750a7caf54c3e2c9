public import RouterServiceInterface

extension Profile {
    /// Leads to a user's profile.
    public struct Overview: Route {
        /// `profile.overview` in links.
        public static let identifier = "profile.overview"

        /// Whose profile; nil for the user who is signed in.
        public let user: String?

        /// Creates a route to a profile.
        public init(user: String? = nil) {
            self.user = user
        }
    }
}
