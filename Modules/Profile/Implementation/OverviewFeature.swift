import DisplayInterface
import FeatureFlagsInterface
import LoginInterface
import ProfileInterface
import RouterServiceInterface

/// Builds the screen for `Profile.Overview`.
struct OverviewFeature: Feature {
    @Dependency var profiles: any Profile.Service
    @Dependency var sessions: any Login.Sessions
    @Dependency var flags: any FeatureFlags.Values

    func build(_ route: Profile.Overview, in context: any RouteContext<Profile.Overview>) -> any Screen {
        let model = OverviewModel(
            route: route, profiles: profiles, sessions: sessions, flags: flags, context: context)
        return Display.ContentScreen(appear: model.appear) { model.content }
    }
}
