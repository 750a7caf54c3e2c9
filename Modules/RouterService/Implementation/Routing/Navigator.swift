import RouterServiceInterface
import RouterServiceProgram

/// Navigates through a router on behalf of an opener.
@MainActor
protocol RouterNavigator: Navigator, AnyObject, Sendable {
    /// - Throws: An error after the router was released.
    var router: RouterService { get throws }
    var opener: Opener { get }
    /// The origin of a route that does not come as a link.
    var origin: RouteOrigin { get }
}

extension RouterNavigator {
    var origin: RouteOrigin { .code }

    public func open(_ routes: [any Route], as style: PresentationStyle) async throws {
        let openings = routes.enumerated().map { index, route in
            Opening(route, as: index > 0 && style == .root ? .push : style, from: origin, by: opener)
        }
        try await Fulfilment(of: openings, in: router).perform()
    }

    public func open(_ link: AnyRoute, as style: PresentationStyle) async throws {
        let opening = Opening(link.route, as: style, from: link.origin, by: opener)
        try await Fulfilment(of: [opening], in: router).perform()
    }

    public func result<R: Route>(of route: R, as style: PresentationStyle) async throws -> R.Output {
        let result = PendingResult<R.Output>()
        // The caller that waits keeps neither the router nor the screen alive.
        weak let entry = try await Fulfilment(
            of: [Opening(route, as: style, from: origin, by: opener, for: result.receive)], in: router
        ).perform()
        do {
            return try await result.value { [weak entry] in
                if let entry { try? self.router.stack.drop(entry.shown.context) }
            }
        } catch {
            try? router.log.report(error, of: "\(TypeKey(R.self))")
            throw error
        }
    }

    public func dismiss(to route: any Route.Type) async throws {
        let screen: (any AnyScreenContext)? = if case .screen(let context) = opener { context } else { nil }
        try await router.stack.dismiss(to: TypeKey(route), below: screen)
    }

    @discardableResult
    public func broadcast<E: Event>(_ event: E) async -> [RouterError] {
        guard let router = try? self.router else { return [] }
        return await router.broadcast(event, after: opener.path)
    }

    public func enter(_ scope: Scope) throws { try router.container.enter(scope) }

    public func leave(_ scope: Scope) throws { try router.container.leave(scope) }
}

extension RouterService: RouterNavigator {
    var router: RouterService { self }
    var opener: Opener { .service(after: []) }
}

extension ScreenContext: RouteContext, RouterNavigator {
    var router: RouterService {
        get throws {
            guard let router = reference.router else {
                throw RouterError.rejected(.screenDismissed, route: routeType)
            }
            return router
        }
    }

    var opener: Opener { .screen(self) }

    func finish(_ output: R.Output) throws { try router.stack.finish(self, with: output) }

    func dismiss() async throws { try await router.stack.dismiss(self) }

    func confirmLeaving(_ confirmation: LeaveConfirmation?) throws {
        try router.stack.confirmLeaving(self, by: confirmation)
    }

    func replace(with route: some Route) async throws {
        let router = try self.router
        let former = try router.stack.entry(of: self)
        let opening = Opening(route, as: former.style, by: opener)
        try await Fulfilment(of: [opening], at: .insteadOf(former), in: router).perform()
    }

    func embed(_ route: some Route) async throws -> EmbeddedScreen {
        let opening = Opening(route, as: .embedded, by: .parent(self))
        var embedded: EmbeddedScreen?
        try await Fulfilment(of: [opening], at: .within(self) { embedded = $0 }, in: router).perform()
        guard let embedded else { throw RouterError.rejected(.screenDismissed, route: opening.routeType) }
        return embedded
    }
}

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
