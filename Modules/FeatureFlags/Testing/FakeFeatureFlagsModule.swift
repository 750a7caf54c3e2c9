import FeatureFlagsInterface
public import RouterServiceInterface

/// Stands in for FeatureFlags where another feature runs alone: every flag has its default.
public struct FakeFeatureFlagsModule: Module {
    public init() {}

    /// Registers the flags.
    public func register(in registrar: Registrar) {
        registrar.register((any FeatureFlags.Values).self, lifetime: .singleton) { FakeFlags() }
    }
}
