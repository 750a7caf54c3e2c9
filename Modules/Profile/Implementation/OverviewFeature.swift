import DisplayInterface
import FeatureFlagsInterface
import LoginInterface
import ProfileInterface
import RouterServiceInterface

/// Builds the screen for `Profile.Overview`.
struct OverviewFeature: Feature {
    let profiles: any Profile.Service
    let sessions: any Login.Sessions
    let flags: any FeatureFlags.Values

    func build(_ route: Profile.Overview, in context: any RouteContext<Profile.Overview>) -> any Screen {
        let model = OverviewModel(
            route: route, profiles: profiles, sessions: sessions, flags: flags, context: context)
        return Display.ContentScreen(appear: model.appear) { model.content }
    }
}
