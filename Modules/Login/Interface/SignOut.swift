public import RouterServiceInterface

extension Login {
    /// Ends the present session; done at once where nobody is signed in.
    public struct SignOut: Route {
        /// `login.sign-out` in links.
        public static let identifier = "login.sign-out"

        /// Creates a route that signs out.
        public init() {}
    }
}
