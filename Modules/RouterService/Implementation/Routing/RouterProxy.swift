import RouterServiceInterface

/// The router on behalf of an opener, which does not keep the router alive.
@MainActor
final class RouterProxy: Router, RouterNavigator {
    private let reference: RouterReference
    let opener: Opener
    let origin: RouteOrigin

    init(_ reference: RouterReference, opener: Opener, origin: RouteOrigin = .code) {
        self.reference = reference
        self.opener = opener
        self.origin = origin
    }

    var router: RouterService {
        get throws {
            guard let router = reference.router else { throw RouterError.routerReleased }
            return router
        }
    }

    func called(after path: [AnyRoute]) -> RouterProxy {
        RouterProxy(reference, opener: .service(after: path))
    }
}

/// Supplies an interceptor, an action or a listener with its dependencies.
///
/// A router among the dependencies knows the routes that led to the call, which are the path of its openings. The router of a
/// service knows no routes, because the service may serve many calls at once.
@MainActor
final class CallResolver: DependencyResolver {
    private let container: Container
    private let path: [AnyRoute]

    init(_ container: Container, after path: [AnyRoute]) {
        self.container = container
        self.path = path
    }

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

    private static func value<Value>(_ value: Value, after path: [AnyRoute]) -> Value {
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
