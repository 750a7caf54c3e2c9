import ProfileInterface
public import RouterServiceInterface

/// Stands in for Profile where a feature runs alone: two users, and no screens.
public struct FakeProfileModule: Module {
    public init() {}

    /// Registers profiles without a server, and actions for `Profile.Overview` and `Profile.Editor`.
    public func register(in registrar: Registrar) {
        registrar.register((any Profile.Service).self, lifetime: .singleton) {
            FakeProfiles(
                Profile.User(
                    id: "ann", displayName: "Ann Example",
                    links: [
                        Profile.Link(title: "Profile of bob", route: AnyRoute(Profile.Overview(user: "bob"))),
                        Profile.Link(title: "Edit", route: AnyRoute(Profile.Editor(user: "ann"))),
                    ]),
                Profile.User(
                    id: "bob", displayName: "Bob Builder",
                    links: [
                        Profile.Link(title: "Profile of ann", route: AnyRoute(Profile.Overview(user: "ann")))
                    ]))
        }
        registrar.action(Profile.Overview.self, by: FakeOverview.init)
        registrar.action(Profile.Editor.self, by: FakeEditor.init)
    }
}

/// Reads the profile that the screen would show.
private struct FakeOverview: Action {
    @Dependency var profiles: any Profile.Service

    func perform(_ route: Profile.Overview) async throws {
        if let user = route.user { try await profiles.user(user) }
    }
}

/// Finishes with the profile as it is, as if the user had saved it without a change.
private struct FakeEditor: Action {
    @Dependency var profiles: any Profile.Service

    func perform(_ route: Profile.Editor) async throws -> Profile.User {
        try await profiles.user(route.user)
    }
}
