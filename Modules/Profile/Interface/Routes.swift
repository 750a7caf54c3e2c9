public import RouterServiceInterface

extension Profile {
    /// Leads to a user's profile.
    public struct Overview: Route {
        /// `profile.overview` in links.
        public static let identifier = "profile.overview"

        /// The identifier of the profile's user; nil for the user who is signed in.
        public let user: String?

        public init(user: String? = nil) {
            self.user = user
        }
    }
}

extension Profile {
    /// Leads to the form in which users change their own profile; finishes with the saved profile.
    public struct Editor: Route {
        /// The output that the caller receives.
        public typealias Output = User

        /// `profile.editor` in links.
        public static let identifier = "profile.editor"

        /// The identifier of the profile's user.
        public let user: String

        public init(user: String) {
            self.user = user
        }
    }
}
