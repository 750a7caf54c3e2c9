import LoginInterface
public import RouterServiceInterface

/// Stands in for Login where another feature runs alone: no user is signed in, and signing in asks nothing.
public struct FakeLoginModule: Module {
    public init() {}

    /// Registers sessions without a server, and actions for `Login.SignIn` and `Login.SignOut`.
    public func register(in registrar: Registrar) {
        registrar.register((any Login.Sessions).self, lifetime: .singleton) { FakeSessions() }
        registrar.action(Login.SignIn.self, by: FakeSignIn.init)
        registrar.action(Login.SignOut.self, by: FakeSignOut.init)
    }
}

/// Signs in the wanted user, or Ann, without showing a form.
private struct FakeSignIn: Action {
    @Dependency var sessions: any Login.Sessions

    func perform(_ route: Login.SignIn) async throws -> Login.Session {
        try await sessions.signIn(userName: route.userName ?? "ann", password: "secret")
    }
}

/// Ends the session.
private struct FakeSignOut: Action {
    @Dependency var sessions: any Login.Sessions

    func perform(_ route: Login.SignOut) async throws {
        if let session = sessions.current { sessions.forget(session) }
    }
}
