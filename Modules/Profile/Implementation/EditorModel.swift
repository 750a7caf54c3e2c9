import Foundation
import LoginInterface
import Observation
import ProfileInterface
import RouterServiceInterface

/// What the form for a profile holds, and what saving does.
@Observable
@MainActor
final class EditorModel {
    /// The display name as typed; nil until the profile is known.
    var displayName: String?
    private(set) var problem: String?
    @ObservationIgnored private let route: Profile.Editor
    @ObservationIgnored private let profiles: any Profile.Service
    @ObservationIgnored private let sessions: any Login.Sessions
    @ObservationIgnored private let context: RouteContext<Profile.Editor>

    init(
        route: Profile.Editor, profiles: any Profile.Service, sessions: any Login.Sessions,
        context: RouteContext<Profile.Editor>
    ) {
        self.route = route
        self.profiles = profiles
        self.sessions = sessions
        self.context = context
        displayName = profiles.known(route.user)?.displayName
    }

    /// Reads the profile, unless it is known already.
    func load() async throws {
        guard displayName == nil else { return }
        try await attempt { displayName = try await profiles.user(route.user).displayName }
    }

    /// Saves the name and finishes with the profile, or keeps what was typed and says why not.
    func save() async throws {
        let name = (displayName ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        guard (1...40).contains(name.count) else {
            problem = "A display name has 1 to 40 characters."
            return
        }
        try await attempt {
            let saved = try await profiles.rename(route.user, to: name)
            try context.finish(saved)
        }
    }

    /// Does something that needs a session, letting the person sign in again where the server ended the one with which
    /// the form was opened.
    private func attempt(_ work: () async throws -> Void) async throws {
        problem = nil
        if sessions.current == nil {
            _ = try await context.result(of: Login.SignIn(userName: route.user))
        }
        do {
            try await work()
        } catch let cancellation as CancellationError {
            throw cancellation
        } catch {
            problem = error.localizedDescription
        }
    }
}
