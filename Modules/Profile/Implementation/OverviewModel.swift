import Foundation
import LoginInterface
import Observation
import ProfileInterface
import RouterServiceInterface

/// What a profile's screen shows, and what a person can do there.
@Observable
@MainActor
final class OverviewModel {
    private(set) var isLoading = false
    private(set) var problem: String?
    @ObservationIgnored private let route: Profile.Overview
    @ObservationIgnored private let profiles: any Profile.Service
    @ObservationIgnored private let sessions: any Login.Sessions
    @ObservationIgnored private let context: RouteContext<Profile.Overview>

    init(
        route: Profile.Overview, profiles: any Profile.Service, sessions: any Login.Sessions,
        context: RouteContext<Profile.Overview>
    ) {
        self.route = route
        self.profiles = profiles
        self.sessions = sessions
        self.context = context
    }

    var title: String { route.user == nil ? "Profile" : route.description }

    var isSignedIn: Bool { sessions.current != nil }

    /// The profile, as soon as it is known.
    var user: Profile.User? { userID.flatMap(profiles.known) }

    /// Whether it is the person's own profile, which they may change.
    var isOwn: Bool { userID == sessions.current?.user }

    private var userID: String? { route.user ?? sessions.current?.user }

    /// Reads the profile unless it is known already.
    ///
    /// Who is signed in may have become known while another screen was above this one.
    func appear() async throws {
        if user == nil { try await load() }
    }

    /// Reads the profile when somebody is signed in; a failure is kept to be shown.
    func load() async throws {
        problem = nil
        guard isSignedIn, let userID else { return }
        isLoading = true
        defer { isLoading = false }
        do {
            try await profiles.user(userID)
        } catch let cancellation as CancellationError {
            throw cancellation
        } catch {
            problem = error.localizedDescription
        }
    }

    // snippet: sign-in
    /// Lets the person sign in, then reads the profile.
    func signIn() async throws {
        _ = try await context.result(of: Login.SignIn())
        try await load()
    }
    // snippet: end

    /// Lets the person change the profile; the change shows here as soon as it is saved.
    func edit() async throws {
        guard let userID else { return }
        try await context.open(Profile.Editor(user: userID))
    }

    /// Goes where a link of the server leads.
    func follow(_ link: AnyRoute) async throws {
        try await context.open(link)
    }

    /// Signs the person out.
    func signOut() async throws {
        problem = nil
        try await context.result(of: Login.SignOut())
    }
}
