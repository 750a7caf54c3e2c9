import ProfileInterface
public import RouterServiceInterface

/// Registers what is known of people, and the screens that show and change it.
public struct ProfileModule: Module {
    /// Creates the module entry.
    public init() {}

    /// Registers the profile service and the features for `Profile.Overview` and `Profile.Editor`.
    public func register(in registrar: some Registrar) {
        registrar.register((any Profile.Service).self, by: ServerProfiles.init)
        registrar.route(Profile.Overview.self, by: OverviewFeature.init)
        registrar.route(Profile.Editor.self, by: EditorFeature.init)
    }
}
