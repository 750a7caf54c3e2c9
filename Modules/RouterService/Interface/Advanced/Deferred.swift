/// A dependency that is resolved when it is used: of two services that depend on each other, one takes a `Deferred`.
@MainActor
public struct Deferred<Value> {
    private let resolve: @MainActor () throws -> Value

    public init(_ resolve: @escaping @MainActor () throws -> Value) { self.resolve = resolve }

    /// - Throws: The error of its creation, and ``RouterError/routerReleased`` after the router was released.
    public var value: Value {
        get throws { try resolve() }
    }
}
