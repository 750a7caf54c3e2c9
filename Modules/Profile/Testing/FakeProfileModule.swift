import ProfileInterface
public import RouterServiceInterface

/// Stands in for Profile where another feature runs alone: routes without screens.
public struct FakeProfileModule: Module {
    public init() {}

    /// Registers actions for the routes.
    public func register(in registrar: Registrar) {
        registrar.action(Profile.Overview.self) { FakeOverview() }
        registrar.action(Profile.Editor.self) { FakeEditor() }
    }
}

/// Shows nothing.
private struct FakeOverview: Action {
    func perform(_ route: Profile.Overview) async {}
}

/// Finishes with a profile, as if the user had saved it.
private struct FakeEditor: Action {
    func perform(_ route: Profile.Editor) async -> Profile.User {
        Profile.User(id: route.user, displayName: route.user)
    }
}
