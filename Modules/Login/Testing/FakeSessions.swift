import Foundation
public import LoginInterface
public import Observation

/// Sessions without a server: everybody's password is `secret`.
@Observable
@MainActor
public final class FakeSessions: Login.Sessions {
    /// The present session; tests may set it.
    public var current: Login.Session?
    /// An error that signing in and signing out throw.
    public var failure: (any Error)?

    /// Creates sessions in which a user is signed in already, or nobody.
    public init(user: String? = nil) {
        current = user.map { Login.Session(user: $0, token: Login.Token("token of \($0)")) }
    }

    /// Signs in whoever knows the password.
    ///
    /// - Throws: ``failure``, or an error that says that the password is wrong.
    public func signIn(userName: String, password: String) async throws -> Login.Session {
        if let failure { throw failure }
        guard password == "secret" else { throw WrongPassword() }
        let session = Login.Session(user: userName, token: Login.Token("token of \(userName)"))
        current = session
        return session
    }

    /// Ends the present session.
    ///
    /// - Throws: ``failure``.
    public func signOut() async throws {
        current = nil
        if let failure { throw failure }
    }

    /// Forgets the session when it is the present one.
    public func forget(_ session: Login.Session) {
        if current == session { current = nil }
    }

    private struct WrongPassword: LocalizedError {
        var errorDescription: String? { "The user name or the password is wrong." }
    }
}
