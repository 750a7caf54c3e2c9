/// A need that is resolved when it is first used, and not when its owner is created.
///
/// It is for the second leg of a cycle: of two services that need each other, one takes a `Deferred` of the other.
/// It holds nothing, so the two do not keep each other alive.
///
/// ```swift
/// final class Outbox { init(account: Deferred<any Account>) { … } }
/// try account.value.name
/// ```
@MainActor
public struct Deferred<Value> {
    private let resolve: @MainActor () throws -> Value

    /// Creates a deferred need; routers do.
    public init(_ resolve: @escaping @MainActor () throws -> Value) {
        self.resolve = resolve
    }

    /// Creates a deferred need around a value, for tests.
    public init(_ value: Value) {
        resolve = { value }
    }

    /// The service, by its lifetime: the instance that lives, or a new one.
    ///
    /// - Throws: What creating it throws, and ``RouterError/routerReleased`` after the router was released.
    public var value: Value {
        get throws { try resolve() }
    }
}
