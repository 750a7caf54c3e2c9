public import RouterServiceInterface

extension Login {
    /// Ends the present session; done at once where nobody is signed in.
    public struct SignOut: Route, CustomStringConvertible {
        /// `login.sign-out` in links.
        public static let identifier = "login.sign-out"

        /// Creates a route that signs out.
        public init() {}

        /// The route in words for a list of links.
        public var description: String { "Sign out" }
    }
}
