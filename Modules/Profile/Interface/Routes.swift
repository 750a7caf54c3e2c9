public import RouterServiceInterface

extension Profile {
    /// Leads to a user's profile.
    public struct Overview: Route {
        public static let identifier = "profile.overview"

        /// The user of the profile; nil for the user who is signed in.
        public let user: String?

        public init(user: String? = nil) {
            self.user = user
        }
    }
}

extension Profile {
    /// Leads to the form in which users change their own profile; finishes with the saved profile.
    public struct Editor: Route {
        public typealias Output = User

        public static let identifier = "profile.editor"

        public let user: String

        public init(user: String) {
            self.user = user
        }
    }
}
