import HomeInterface
import LoginInterface
public import RouterServiceInterface

/// Registers the sessions of users, and the routes for signing in and out.
public struct LoginModule: Module {
    public init() {}

    public func register(in registrar: Registrar) {
        registrar.register((any Login.Sessions).self, lifetime: .singleton, by: ServerSessions.init)
        registrar.route(Login.SignIn.self, .url("app://sign-in?userName"), by: SignInFeature.init)
        registrar.action(Login.SignOut.self, .url("app://sign-out"), by: SignOutAction.init)
        registrar.contribute(Home.Entry.self) { (sessions: any Login.Sessions) in
            Home.Entry(
                sessions.current == nil ? "Sign in" : "Sign out", detail: sessions.current?.user,
                opens: sessions.current == nil ? Login.SignIn() : Login.SignOut())
        }
    }
}
