public import RouterServiceInterface

extension Profile {
    /// Leads to a user's profile.
    public struct Overview: Route {
        /// `profile.overview` in links.
        public static let identifier = "profile.overview"

        /// The identifier of the profile's user; nil for the user who is signed in.
        public let user: Identifier?

        public init(user: Identifier? = nil) {
            self.user = user
        }
    }
}
