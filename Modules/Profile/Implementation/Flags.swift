import FeatureFlagsInterface
import ProfileInterface
import RouterServiceInterface

extension Profile {
    /// Whether users may change their profiles.
    static let editing = FeatureFlags.Flag("profile.editing", default: true)
    /// A text for all users above the profile; empty for none.
    static let notice = FeatureFlags.Flag("profile.notice", default: "")
}
