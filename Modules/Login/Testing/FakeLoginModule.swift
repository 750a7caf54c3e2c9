import Foundation
public import LoginInterface
public import Observation
public import RouterServiceInterface

/// Stands in for Login where another feature runs alone: no user is signed in, and signing in asks nothing.
public struct FakeLoginModule: Module {
    public init() {}

    public func register(in registrar: Registrar) {
        registrar.register((any Login.Sessions).self, lifetime: .singleton) { FakeSessions() }
        registrar.action(Login.SignIn.self, by: FakeSignIn.init)
        registrar.action(Login.SignOut.self, by: FakeSignOut.init)
    }
}

/// Signs in the wanted user, or Ann, without showing a form.
private struct FakeSignIn: Action {
    let sessions: any Login.Sessions

    func perform(_ route: Login.SignIn) async throws -> Login.Session {
        try await sessions.signIn(userName: route.userName ?? "ann", password: "secret")
    }
}

private struct FakeSignOut: Action {
    let sessions: any Login.Sessions

    func perform(_ route: Login.SignOut) async throws {
        if let session = sessions.current { sessions.forget(session) }
    }
}

/// Sessions without a server: the password of every user is `secret`.
@Observable
@MainActor
public final class FakeSessions: Login.Sessions {
    /// The current session; tests may set it.
    public var current: Login.Session?
    /// An error that signing in, and ending a session on the server, throw.
    public var failure: (any Error)?

    public init(user: String? = nil) {
        current = user.map { Login.Session(user: $0, token: Login.Token("token of \($0)")) }
    }

    /// - Throws: ``failure``, or an error that reports a wrong password.
    public func signIn(userName: String, password: String) async throws -> Login.Session {
        if let failure { throw failure }
        guard password == "secret" else { throw WrongPassword() }
        let session = Login.Session(user: userName, token: Login.Token("token of \(userName)"))
        current = session
        return session
    }

    public func forget(_ session: Login.Session) {
        if current == session { current = nil }
    }

    public func expire(_ session: Login.Session) { forget(session) }

    /// - Throws: ``failure``.
    public func end(_ session: Login.Session) async throws {
        if let failure { throw failure }
    }

    private struct WrongPassword: LocalizedError {
        var errorDescription: String? { "The user name or the password is wrong." }
    }
}
