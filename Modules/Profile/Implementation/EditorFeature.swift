import DisplayInterface
import LoginInterface
import ProfileInterface
import RouterServiceInterface

/// Builds the form for `Profile.Editor`.
struct EditorFeature: Feature {
    @Dependency var profiles: any Profile.Service
    @Dependency var sessions: any Login.Sessions
    @Dependency var dialog: any Display.Dialog

    func build(_ route: Profile.Editor, in context: any RouteContext<Profile.Editor>) throws -> any Screen {
        let model = EditorModel(
            route: route, profiles: profiles, sessions: sessions, dialog: dialog, context: context)
        try context.keepState(of: model)
        try context.confirmLeaving(model.mayBeLeft)
        return Display.ContentScreen(appear: model.load) { model.content }
    }

    /// Whether it is the user's own profile; no other profile can be changed.
    func isEnabled(for route: Profile.Editor) -> Bool {
        sessions.current?.user == route.user
    }
}
