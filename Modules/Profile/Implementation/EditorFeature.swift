import DisplayInterface
import FeatureFlagsInterface
import LoginInterface
import ProfileInterface
import RouterServiceInterface

/// Builds the form for `Profile.Editor`.
struct EditorFeature: Feature {
    let profiles: any Profile.Service
    let sessions: any Login.Sessions
    let dialog: any Display.Dialog
    let flags: any FeatureFlags.Values

    // snippet: build
    func build(_ route: Profile.Editor, in context: any RouteContext<Profile.Editor>) throws -> any Screen {
        let model = EditorModel(
            route: route, profiles: profiles, sessions: sessions, dialog: dialog, context: context)
        try context.keepState(of: model)
        try context.confirmLeaving(model.mayBeLeft)
        return Display.ContentScreen(appear: model.load) { model.content }
    }
    // snippet: end

    /// Whether the profile is the user's own, and the server lets users change their profiles.
    func isEnabled(for route: Profile.Editor) -> Bool {
        flags[Profile.editing] && sessions.current?.user == route.user
    }
}
