public import RouterServiceInterface

extension Profile {
    /// Leads to the form in which users change their own profile; finishes with what was saved.
    public struct Editor: Route {
        /// What the caller gets back.
        public typealias Output = User

        /// `profile.editor` in links.
        public static let identifier = "profile.editor"

        /// Whose profile.
        public let user: String

        /// Creates a route to the form.
        public init(user: String) {
            self.user = user
        }
    }
}
