import FeatureFlagsInterface
import LoginInterface
import Observation
import ProfileInterface
import RouterServiceInterface

/// The model of a profile's screen: its state and the user's actions.
@Observable
@MainActor
final class OverviewModel {
    /// True from the beginning, because the screen loads as soon as it appears.
    private(set) var isLoading = true
    private let route: Profile.Overview
    private let profiles: any Profile.Service
    private let sessions: any Login.Sessions
    private let flags: any FeatureFlags.Values
    private let context: any RouteContext<Profile.Overview>

    init(
        route: Profile.Overview, profiles: any Profile.Service, sessions: any Login.Sessions,
        flags: any FeatureFlags.Values, context: any RouteContext<Profile.Overview>
    ) {
        self.route = route
        self.profiles = profiles
        self.sessions = sessions
        self.flags = flags
        self.context = context
    }

    var title: String { route.user.map { "Profile of \($0)" } ?? "Profile" }

    var isSignedIn: Bool { sessions.current != nil }

    var user: Profile.User? { userID.flatMap(profiles.known) }

    /// Whether the profile is the user's own, and the server lets them change it.
    var mayBeEdited: Bool { flags[Profile.editing] && userID == sessions.current?.user }

    /// The text for all users, if there is one.
    var notice: String? { flags[Profile.notice].isEmpty ? nil : flags[Profile.notice] }

    private var userID: String? { route.user ?? sessions.current?.user }

    /// Reads the profile unless it is known: the user may have signed in while another screen was above this one.
    func appear() async throws {
        defer { isLoading = false }
        if user == nil { try await load() }
    }

    func load() async throws {
        guard isSignedIn, let userID else { return }
        isLoading = true
        defer { isLoading = false }
        try await profiles.user(userID)
    }

    func signIn() async throws {
        _ = try await context.result(of: Login.SignIn())
        try await load()
    }

    /// Opens the form for the profile.
    func edit() async throws {
        guard let userID else { return }
        try await context.open(Profile.Editor(user: userID))
    }

    func open(_ link: AnyRoute) async throws {
        try await context.open(link)
    }
}
