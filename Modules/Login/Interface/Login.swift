public import RouterServiceInterface

/// The session of the user who is signed in, and the routes for signing in and out.
public enum Login {}

extension Login {
    /// Holds the session of the user who is signed in.
    @MainActor
    public protocol Sessions: AnyObject {
        /// The session of the user, or nil if no user is signed in.
        ///
        /// Observable.
        var current: Session? { get }

        /// Signs a user in, whose session is the current one from then on.
        ///
        /// - Throws: The error of the server or the connection, in words for the user.
        func signIn(userName: String, password: String) async throws -> Session

        /// Forgets a session, which ends it here; does nothing if another session is the current one.
        func forget(_ session: Session)

        /// Ends a session on the server, after it was forgotten here.
        ///
        /// - Throws: The error that kept the server from being notified.
        func end(_ session: Session) async throws
    }

    /// The proof that a user is signed in.
    public struct Session: Hashable, Sendable {
        /// The user's identifier on the server.
        public let user: String
        public let token: Token

        public init(user: String, token: Token) {
            self.user = user
            self.token = token
        }
    }

    /// Authorises requests of a session; a printed token hides its value.
    public struct Token: Hashable, Sendable, CustomStringConvertible {
        public let value: String

        public init(_ value: String) { self.value = value }

        public var description: String { "(token)" }
    }
}

extension Login {
    /// Leads to the form in which a user signs in; finishes with the session.
    public struct SignIn: Route {
        public typealias Output = Session

        public static let identifier = "login.sign-in"

        /// The name of the user, or nil if the user types it.
        public let userName: String?

        public init(userName: String? = nil) { self.userName = userName }
    }

    /// A sentence above the fields of the form, which a module contributes.
    public struct Hint: Sendable {
        public let text: String

        public init(_ text: String) { self.text = text }
    }
}

extension Login {
    /// Ends the current session; does nothing if no user is signed in.
    public struct SignOut: Route {
        public static let identifier = "login.sign-out"

        public init() {}
    }

    /// A user signed out, so none of their data is to stay; broadcast by ``SignOut``, and not if the server ended a session.
    public struct SignedOut: Event {
        /// The identifier of the user.
        public let user: String

        public init(user: String) { self.user = user }
    }
}
