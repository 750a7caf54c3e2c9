public import FeatureFlagsInterface
public import Observation
public import RouterServiceInterface

/// Stands in for FeatureFlags where another feature runs alone: every flag has its default.
public struct FakeFeatureFlagsModule: Module {
    public init() {}

    public func register(in registrar: Registrar) {
        registrar.register((any FeatureFlags.Values).self, lifetime: .singleton) { FakeFlags() }
    }
}

/// Flags that a test sets: `flags[Profile.editing] = false`.
@Observable
@MainActor
public final class FakeFlags: FeatureFlags.Values {
    private var values: [String: any Sendable] = [:]

    public init() {}

    /// The value of a flag; tests may set it.
    public subscript<Value>(flag: FeatureFlags.Flag<Value>) -> Value {
        get { values[flag.name] as? Value ?? flag.defaultValue }
        set { values[flag.name] = newValue }
    }
}
