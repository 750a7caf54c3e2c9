public import RouterServiceInterface

/// The session of the user who is signed in, and the routes for signing in and out.
public enum Login {}

extension Login {
    /// Holds the session of the user who is signed in.
    @MainActor
    public protocol Sessions: AnyObject {
        /// The present session, or nil if no user is signed in.
        ///
        /// Observable.
        var current: Session? { get }

        /// Signs a user in; the session is the present one from then on.
        ///
        /// - Throws: The error of the server or the connection, in words for the user.
        func signIn(userName: String, password: String) async throws -> Session

        /// Forgets a session, which ends it here; does nothing when another one is present.
        func forget(_ session: Session)

        /// Ends a session on the server, after it was forgotten here.
        ///
        /// - Throws: The error that kept the server from being notified.
        func end(_ session: Session) async throws
    }

    /// The proof that a user is signed in.
    public struct Session: Hashable, Sendable {
        /// The user's identifier on the server.
        public let user: Identifier
        /// The token that authorises requests.
        public let token: Token

        public init(user: Identifier, token: Token) {
            self.user = user
            self.token = token
        }
    }

    /// The token that authorises requests of a session, and is never printed.
    public struct Token: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
        CustomReflectable
    {
        /// The value itself.
        @ExactText public private(set) var value: String

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

extension Login {
    /// Ends the present session; does nothing if no user is signed in.
    public struct SignOut: Route {
        /// `login.sign-out` in links.
        public static let identifier = "login.sign-out"

        public init() {}
    }

    /// A user has signed out, and none of their data is to stay; broadcast by ``SignOut``, and not if the server ended a session.
    public struct SignedOut: Event {
        /// The identifier of the user.
        public let user: Identifier

        public init(user: Identifier) {
            self.user = user
        }
    }
}
