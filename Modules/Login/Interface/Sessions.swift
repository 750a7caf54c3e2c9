extension Login {
    /// Knows who is signed in.
    @MainActor
    public protocol Sessions: AnyObject {
        /// The present session, or nil when nobody is signed in.
        ///
        /// Observable.
        var current: Session? { get }

        /// Signs a user in; the session is the present one from then on.
        ///
        /// - Throws: What the server or the connection said, in words for the user.
        func signIn(userName: String, password: String) async throws -> Session

        /// Signs the user out; the session ends here also when the server cannot be told.
        ///
        /// - Throws: What kept the server from being told.
        func signOut() async throws

        /// Forgets a session that the server no longer accepts; does nothing when another one is present.
        func forget(_ session: Session)
    }

    /// The proof that a user is signed in.
    public struct Session: Hashable, Sendable {
        /// The user's identifier on the server.
        public let user: String
        /// What authorises requests.
        public let token: Token

        /// Creates a session.
        public init(user: String, token: Token) {
            self.user = user
            self.token = token
        }
    }

    /// What authorises requests of a session, and is never printed.
    public struct Token: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
        CustomReflectable
    {
        /// The value itself.
        public let value: String

        /// Wraps a value.
        public init(_ value: String) {
            self.value = value
        }

        /// A placeholder, whatever the value.
        public var description: String { "(token)" }
        /// A placeholder, whatever the value.
        public var debugDescription: String { description }
        /// A mirror without the value, so that `dump` prints none.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }
}
