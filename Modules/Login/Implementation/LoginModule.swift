import LoginInterface
public import RouterServiceInterface

/// Registers who is signed in, and the form in which a person signs in.
public struct LoginModule: Module {
    /// Creates the module entry.
    public init() {}

    /// Registers the sessions and the feature for `Login.SignIn`.
    public func register(in registrar: some Registrar) {
        registrar.register((any Login.Sessions).self, lifetime: .app, by: ServerSessions.init)
        registrar.route(Login.SignIn.self, by: SignInFeature.init)
    }
}
