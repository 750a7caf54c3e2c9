/// A dependency that is resolved on use, and not when its owner is created.
///
/// Of two services that depend on each other, one takes a `Deferred` of the other, which does not keep it alive.
@MainActor
public struct Deferred<Value> {
    private let resolve: @MainActor () throws -> Value

    /// Creates a deferred dependency, for routers and tests.
    public init(_ resolve: @escaping @MainActor () throws -> Value) { self.resolve = resolve }

    /// The service, by its lifetime: the instance that lives, or a new one.
    ///
    /// - Throws: The error of creating it, and ``RouterError/routerReleased`` after the router was released.
    public var value: Value {
        get throws { try resolve() }
    }
}
