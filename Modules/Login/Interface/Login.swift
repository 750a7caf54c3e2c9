public import RouterServiceInterface

/// The session of the user who is signed in, and the routes for signing in and out.
public enum Login {}

extension Login {
    /// Holds the session of the user who is signed in.
    @MainActor
    public protocol Sessions: AnyObject {
        /// The session of the user, or nil if no user is signed in; observable.
        var current: Session? { get }

        /// Signs a user in; the new session is the current one.
        ///
        /// - Throws: The error of the server or the connection, in words for the user.
        func signIn(userName: String, password: String) async throws -> Session

        /// Forgets a session on this device, if it is the current one.
        func forget(_ session: Session)

        /// Forgets a session that the server no longer accepts, and notifies the user, if it is the current one.
        func expire(_ session: Session)

        /// Ends a session on the server.
        ///
        /// - Throws: The error that kept the server from being notified.
        func end(_ session: Session) async throws
    }

    /// The proof that a user is signed in.
    public struct Session: Hashable, Sendable {
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
    /// Ends the current session; fails if no user is signed in.
    public struct SignOut: Route {
        public static let identifier = "login.sign-out"

        public init() {}
    }

    /// A user signed out by ``SignOut``, so none of their data may stay on this device.
    public struct SignedOut: Event {
        public let user: String

        public init(user: String) { self.user = user }
    }
}
