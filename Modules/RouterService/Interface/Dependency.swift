/// Marks a property that the router injects through the initialiser.
///
/// It is a plain wrapper: the value arrives as an argument of the memberwise initialiser, so a test passes a fake
/// the same way as the router passes the service.
///
/// ```swift
/// struct OverviewFeature: Feature {
///     @Dependency var profiles: any Profile.Service
/// }
/// OverviewFeature(profiles: FakeProfiles())
/// ```
@propertyWrapper
public struct Dependency<Value> {
    /// The injected value.
    public let wrappedValue: Value

    /// Creates the wrapper around an injected value.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }
}

extension Dependency: Sendable where Value: Sendable {}
