import RouterServiceInterface

/// The router on behalf of an opener, which does not keep it alive.
@MainActor
final class RouterProxy: Router, RouterNavigator {
    private let reference: RouterReference
    private let opener: Opener

    init(_ reference: RouterReference, opener: Opener) { (self.reference, self.opener) = (reference, opener) }

    func caller() throws -> (router: RouterService, opener: Opener) {
        guard let router = reference.router else { throw RouterError.routerReleased }
        return (router, opener)
    }

    /// The router for what is called because of some routes.
    func called(after path: Path) -> RouterProxy {
        RouterProxy(reference, opener: .service(after: path))
    }
}

/// Supplies an interceptor, an action or a listener with its dependencies.
///
/// The router among the dependencies knows the routes that led to the call, so its openings are part of the same path. The
/// router of a service knows no routes, because the service may serve many calls at once.
@MainActor
final class CallResolver: DependencyResolver {
    private let container: Container
    private let path: Path

    init(_ container: Container, after path: Path) { (self.container, self.path) = (container, path) }

    func resolve<Value>(_ type: Value.Type) throws -> Value {
        if !container.isRegistered(TypeKey(type)), let value = try wrapped(type) { return value }
        return Self.value(try container.resolve(type), after: path)
    }

    func source<Value>(of type: Value.Type) -> @MainActor () throws -> Value { { try self.resolve(type) } }

    func deferred<Value>(_ type: Value.Type) -> Deferred<Value> {
        let (deferred, path) = (container.deferred(type), path)
        return Deferred { Self.value(try deferred.value, after: path) }
    }

    func isRegistered(_ type: TypeKey) -> Bool { container.isRegistered(type) }

    private static func value<Value>(_ value: Value, after path: Path) -> Value {
        guard let router = (value as? RouterProxy)?.called(after: path), let own = router as? Value else {
            return value
        }
        return own
    }
}

/// The only weak reference to a router.
@MainActor
final class RouterReference {
    weak var router: RouterService?
}
