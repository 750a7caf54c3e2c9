import FeatureFlagsInterface
import HomeInterface
import ProfileInterface
public import RouterServiceInterface

/// Registers the profiles of users, and the screens that show and change them.
public struct ProfileModule: Module {
    public init() {}

    public func register(in registrar: Registrar) {
        registrar.register((any Profile.Service).self, by: ServerProfiles.init)
        registrar.contribute(Home.Entry.self) {
            Home.Entry("Profile", detail: "your name and your links", opens: Profile.Overview())
        }
        registrar.intercept(Profile.Editor.self, Profile.Overview.self, by: SignInGuard.init)
        // snippet: routes
        registrar.route(
            Profile.Overview.self, .url("app://profile/:user"), .url("app://profile"),
            by: OverviewFeature.init)
        registrar.route(
            Profile.Editor.self, .url("app://profile/:user/edit"),
            .fallback { Profile.Overview(user: $0.user) }, by: EditorFeature.init)
        // snippet: end
    }
}

extension Profile {
    /// Whether users may change their profiles.
    static let editing = FeatureFlags.Flag("profile.editing", default: true)
    /// A text for all users above the profile; empty for none.
    static let notice = FeatureFlags.Flag("profile.notice", default: "")
}
