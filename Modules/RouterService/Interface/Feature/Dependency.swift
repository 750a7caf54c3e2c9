/// Marks a property that the router injects through the initialiser.
///
/// It is a plain wrapper: the value arrives as an argument of the memberwise initialiser, so a test passes a fake
/// the same way as the router passes the service: `OverviewFeature(profiles: FakeProfiles())`.
@propertyWrapper
public struct Dependency<Value> {
    /// The injected value.
    public let wrappedValue: Value

    /// Creates the wrapper around an injected value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension Dependency: Sendable where Value: Sendable {}

/// A dependency that is resolved on use, and not when its owner is created.
///
/// It is for the second leg of a cycle: of two services that depend on each other, one takes a `Deferred` of the other.
/// It holds nothing, so the two do not keep each other alive.
@MainActor
public struct Deferred<Value> {
    private let resolve: @MainActor () throws -> Value

    /// Creates a deferred dependency, for routers.
    public init(_ resolve: @escaping @MainActor () throws -> Value) { self.resolve = resolve }

    /// Creates a deferred dependency around a value, for tests.
    public init(_ value: Value) { resolve = { value } }

    /// The service, by its lifetime: the instance that lives, or a new one.
    ///
    /// - Throws: The error of creating it, and ``RouterError/routerReleased`` after the router was released.
    public var value: Value {
        get throws { try resolve() }
    }
}
