import ProfileInterface
public import RouterServiceInterface

/// Stands in for Profile where a feature runs alone: two people, and no screens.
public struct FakeProfileModule: Module {
    /// Creates the module entry.
    public init() {}

    /// Registers profiles without a server, and actions for `Profile.Overview` and `Profile.Editor`.
    public func register(in registrar: Registrar) {
        registrar.register((any Profile.Service).self, lifetime: .singleton) {
            FakeProfiles(
                Profile.User(
                    id: "ann", displayName: "Ann Example",
                    links: [link(to: Profile.Overview(user: "bob")), link(to: Profile.Editor(user: "ann"))]),
                Profile.User(
                    id: "bob", displayName: "Bob Builder",
                    links: [link(to: Profile.Overview(user: "ann"))]))
        }
        registrar.action(Profile.Overview.self, by: FakeOverview.init)
        registrar.action(Profile.Editor.self, by: FakeEditor.init)
    }

    private func link(to route: any Route) -> Profile.Link {
        let link = AnyRoute(route)
        return Profile.Link(text: (try? link.link) ?? type(of: route).identifier, route: link)
    }
}

/// Reads the profile that the screen would show.
private struct FakeOverview: Action {
    @Dependency var profiles: any Profile.Service

    func perform(_ route: Profile.Overview) async throws {
        if let user = route.user { try await profiles.user(user) }
    }
}

/// Finishes with the profile as it is, as if the person had saved it without a change.
private struct FakeEditor: Action {
    @Dependency var profiles: any Profile.Service

    func perform(_ route: Profile.Editor) async throws -> Profile.User {
        try await profiles.user(route.user)
    }
}
