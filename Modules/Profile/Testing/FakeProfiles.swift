import Foundation
public import Observation
public import ProfileInterface
public import RouterServiceInterface

/// Profiles without a server.
@Observable
@MainActor
public final class FakeProfiles: Profile.Service {
    /// The profiles that the server would have, by identifier.
    public var users: [Identifier: Profile.User]
    /// An error that reading and changing throw.
    public var failure: (any Error)?
    private var read: Set<Identifier> = []

    /// Creates the profiles of some users, none of which has been read yet.
    public init(_ users: Profile.User...) {
        self.users = Dictionary(users.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The profile, when it was read before.
    public func known(_ id: Identifier) -> Profile.User? {
        read.contains(id) ? users[id] : nil
    }

    /// Reads a profile.
    ///
    /// - Throws: ``failure``, or an error that reports an unknown user.
    public func user(_ id: Identifier) async throws -> Profile.User {
        if let failure { throw failure }
        guard let user = users[id] else { throw NoSuchUser(id: id) }
        read.insert(id)
        return user
    }

    /// Changes a display name, and nothing else.
    ///
    /// - Throws: ``failure``, or an error that reports an unknown user.
    public func rename(_ id: Identifier, to displayName: String) async throws -> Profile.User {
        let old = try await user(id)
        let new = Profile.User(id: id, displayName: displayName, links: old.links)
        users[id] = new
        return new
    }

    private struct NoSuchUser: LocalizedError {
        let id: Identifier

        var errorDescription: String? { "There is no user '\(id)'." }
    }
}
