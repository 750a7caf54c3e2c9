import DisplayInterface
import LoginInterface
import Observation
import ProfileInterface
import RouterServiceInterface

/// The model of the form for a profile: its text and the user's actions.
@Observable
@MainActor
final class EditorModel {
    /// The typed text; nil until the user types.
    private(set) var draft: String?
    /// True from the beginning, because the screen loads as soon as it appears.
    private(set) var isLoading = true
    private let route: Profile.Editor
    private let profiles: any Profile.Service
    private let sessions: any Login.Sessions
    private let dialog: any Display.Dialog
    private let context: any RouteContext<Profile.Editor>

    init(
        route: Profile.Editor, profiles: any Profile.Service, sessions: any Login.Sessions,
        dialog: any Display.Dialog, context: any RouteContext<Profile.Editor>
    ) {
        self.route = route
        self.profiles = profiles
        self.sessions = sessions
        self.dialog = dialog
        self.context = context
    }

    /// The reason why the form is not shown; nil unless another user has signed in since the form was opened.
    var closed: String? {
        guard let current = sessions.current, current.user != route.user else { return nil }
        return "The profile of \(route.user) is closed, because \(route.user) is not signed in."
    }

    /// The display name in the form; nil until the profile is known.
    var displayName: String? { draft ?? profiles.known(route.user)?.displayName }

    func type(_ name: String) {
        draft = name == profiles.known(route.user)?.displayName ? nil : name
    }

    /// Reads the profile, unless it is known already.
    func load() async throws {
        defer { isLoading = false }
        guard displayName == nil else { return }
        isLoading = true
        try await signInIfNeeded()
        if closed == nil { try await profiles.user(route.user) }
    }

    /// Saves the name, which the server checks, and finishes with the profile.
    func save() async throws {
        try await signInIfNeeded()
        guard closed == nil else { return }
        try await context.finish(profiles.rename(route.user, to: displayName ?? ""))
        dialog.notify("Saved", as: .positive)
    }

    /// Asks for confirmation before typed text is lost.
    func mayBeLeft() async -> Bool {
        draft == nil ? true : await dialog.confirm("Discard the unsaved display name?")
    }

    /// Lets the user sign in again where the session has ended since the form was opened.
    private func signInIfNeeded() async throws {
        if sessions.current == nil {
            _ = try await context.result(of: Login.SignIn(userName: route.user))
        }
    }
}

// snippet: state
// The draft outlives a replacement of the module and, in a stored stack, the program.
extension EditorModel: Restorable {
    struct SavedState: Codable {
        let draft: String
    }

    static var stateScope: StateScope { .file }

    var savedState: SavedState? { draft.map(SavedState.init) }

    func restore(_ state: SavedState?) {
        draft = state?.draft
    }
}
// snippet: end
