import DisplayInterface
import LoginInterface
import ProfileInterface
import RouterServiceInterface

/// Builds the screen for `Profile.Overview`.
struct OverviewFeature: Feature {
    @Dependency var profiles: any Profile.Service
    @Dependency var sessions: any Login.Sessions

    func build(_ route: Profile.Overview, in context: any RouteContext<Profile.Overview>) -> any Screen {
        let model = OverviewModel(route: route, profiles: profiles, sessions: sessions, context: context)
        return Display.ContentScreen(appear: model.appear) { model.content }
    }
}
