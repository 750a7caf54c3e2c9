import Foundation
public import Observation
public import ProfileInterface
public import RouterServiceInterface

/// Stands in for Profile where a feature runs alone: two users, and no screens.
public struct FakeProfileModule: Module {
    public init() {}

    public func register(in registrar: Registrar) {
        registrar.register((any Profile.Service).self, lifetime: .singleton) {
            FakeProfiles(
                Profile.User(
                    id: "ann", displayName: "Ann Example",
                    links: [
                        Profile.Link(title: "Profile of bob", route: AnyRoute(Profile.Overview(user: "bob")))
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
    let profiles: any Profile.Service

    func perform(_ route: Profile.Overview) async throws {
        if let user = route.user { try await profiles.user(user) }
    }
}

/// Finishes with the profile as it is, as if the user had saved it without a change.
private struct FakeEditor: Action {
    let profiles: any Profile.Service

    func perform(_ route: Profile.Editor) async throws -> Profile.User {
        try await profiles.user(route.user)
    }
}

/// Profiles without a server.
@Observable
@MainActor
public final class FakeProfiles: Profile.Service {
    /// The profiles that the server would have, by identifier.
    public var users: [String: Profile.User]
    /// An error that reading and changing throw.
    public var failure: (any Error)?
    private var read: Set<String> = []

    public init(_ users: Profile.User...) {
        self.users = Dictionary(users.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    public func known(_ id: String) -> Profile.User? {
        read.contains(id) ? users[id] : nil
    }

    /// - Throws: ``failure``, or an error that reports an unknown user.
    public func user(_ id: String) async throws -> Profile.User {
        if let failure { throw failure }
        guard let user = users[id] else { throw NoSuchUser(id: id) }
        read.insert(id)
        return user
    }

    /// - Throws: ``failure``, or an error that reports an unknown user.
    public func rename(_ id: String, to displayName: String) async throws -> Profile.User {
        let old = try await user(id)
        let new = Profile.User(id: id, displayName: displayName, links: old.links)
        users[id] = new
        return new
    }

    private struct NoSuchUser: LocalizedError {
        let id: String

        var errorDescription: String? { "There is no user '\(id)'." }
    }
}
