import RouterServiceInterface
import RouterServiceProgram

/// Resolves a route through interceptors, availability and fallbacks to a screen or an action.
///
/// Every opening passes through here. Where it is rerouted, a new resolver resolves the other route. If modules are
/// replaced while an interceptor decides, the route is resolved again, so that all of it belongs to one generation.
@MainActor
struct RouteResolver {
    let router: RouterService
    let style: PresentationStyle
    let origin: RouteOrigin
    let opener: Opener
    /// The stored state of the route's screen; another one to which it is rerouted has none.
    private var state: ScreenState
    /// The routes that led to this one: rerouted to it, or opened by what opens it.
    private var path: Path

    init(
        router: RouterService, style: PresentationStyle, origin: RouteOrigin, opener: Opener,
        state: ScreenState
    ) {
        (self.router, self.style, self.origin) = (router, style, origin)
        (self.opener, self.state) = (opener, state)
        path = opener.path
    }

    /// Resolves a route: nothing is shown or performed yet, except by interceptors.
    ///
    /// - Parameters:
    ///   - route: The route.
    ///   - receiver: Receives the output, if it is requested.
    /// - Returns: The resolved route, to be fulfilled.
    /// - Throws: An interceptor's rejection, or an error in the registrations.
    func resolve<R: Route>(
        _ route: R, for receiver: ResultReceiver<R.Output>?
    ) async throws -> any ResolvedRoute {
        let generation = router.container.generation
        for interceptor in router.container.registry.interceptors {
            let decision = try await decision(of: interceptor, about: route)
            if case .reject(let error) = decision { throw error }
            guard router.container.generation == generation else {
                return try await resolve(route, for: receiver)
            }
            if case .redirect(let other) = decision {
                return try await reroute(route, to: other, for: receiver)
            }
        }
        try Task.checkCancellation()
        let container = router.container
        switch try handler(of: R.self) {
        case .adapter(_, let provided, let output):
            return try await adapt(route, to: provided(route), by: output, for: receiver)
        case .action(let create):
            let source = container.registry.registration(of: R.self)?.source
            return ResolvedAction(
                route: route,
                action: try container.create(
                    for: R.self, from: source, by: create,
                    with: CallResolver(container, after: path.appending(route, from: origin))),
                generation: generation, receiver: receiver)
        case .feature(let create, let versions, let fallback):
            let feature = try container.feature(for: route, by: create, versions)
            if feature.isEnabled(for: route) {
                return ResolvedScreen(
                    route: route, feature: feature, generation: generation, style: style,
                    isProvisional: opener.isInterceptor, cause: path.cause, state: state, receiver: receiver)
            }
            guard let fallback else { throw RouterError.rejected(.disabled, route: TypeName(R.self)) }
            return try await reroute(route, to: fallback(route), for: receiver)
        }
    }

    /// The handler of a route, which an adapter or a fallback may have led to.
    private func handler<R: Route>(of route: R.Type) throws -> RouteHandler<R> {
        do {
            return try router.container.registry.handler(of: route)
        } catch RouterError.missingHandler(let name, _, _) where path.routes.count > opener.path.routes.count
        {
            let rerouted = path.routes.last.map { type(of: $0.route) }
            throw RouterError.missingHandler(
                route: name, reroutedFrom: rerouted.map { TypeName($0) },
                registered: rerouted.flatMap { router.container.registry.registration(of: $0)?.source.place })
        }
    }

    /// Resolves a route whose output is not requested.
    func resolve<R: Route>(_ route: R) async throws -> any ResolvedRoute {
        try await resolve(route, for: nil)
    }

    private func adapt<Required: Route, Provided: Route>(
        _ route: Required, to provided: Provided,
        by output: @escaping @MainActor (any Sendable) throws -> Required.Output,
        for receiver: ResultReceiver<Required.Output>?
    ) async throws -> any ResolvedRoute {
        try await next(after: route, provided)
            .resolve(provided, for: receiver?.converting(from: Provided.Output.self) { try output($0) })
    }

    /// Resolves another route in place of this one.
    private func reroute<R: Route, Other: Route>(
        _ route: R, to other: Other, for receiver: ResultReceiver<R.Output>?
    ) async throws -> any ResolvedRoute {
        try await next(after: route, other).resolve(other, for: receiver?.retyped(to: Other.Output.self))
    }

    private func next(after route: some Route, _ other: some Route) async throws -> RouteResolver {
        var next = self
        next.path = path.appending(route, from: origin)
        next.state = ScreenState()
        if let circle = router.circle(of: other, after: next.path) {
            throw await router.refusal(of: circle)
        }
        router.log.add(.rerouted(AnyRoute(route), to: AnyRoute(other)))
        return next
    }

    private func decision(
        of interceptor: Registration<any Interceptor>, about route: some Route
    ) async throws -> Interception {
        let (name, start) = (interceptor.source.type, router.log.start())
        let path = path.appending(route, from: origin)
        let proxy = RouterProxy(router.reference, opener: .interceptor(deciding: path, for: opener))
        let request = RouteRequest(route, as: style, from: origin, router: proxy)
        let created = try router.container.nested(name) {
            try interceptor.create(CallResolver(router.container, after: path))
        }
        let decision = try await untilCancelled { try await created.intercept(request) }
        let time = router.log.duration(since: start)
        router.log.add(.intercepted(AnyRoute(route), by: name, decision, in: time))
        return decision
    }
}

/// The routes that led to an opening, and the cause of the first of them.
struct Path {
    private(set) var routes: [AnyRoute] = []
    private(set) var cause: RouteCause?

    init(routes: [AnyRoute] = []) { self.routes = routes }

    /// The path behind a further route.
    func appending(_ route: some Route, from origin: RouteOrigin) -> Path {
        var path = self
        path.routes.append(AnyRoute(route))
        path.cause = cause ?? RouteCause(route, from: origin)
        return path
    }
}

/// The caller that opens a route.
indirect enum Opener {
    /// The router itself, for the first screen.
    case start
    /// A service or the program, after no routes; otherwise an interceptor, an action or a listener, which has the router
    /// as a dependency, after the routes that led to its call.
    case service(after: Path)
    /// A screen; its openings are not shown when it is gone.
    case screen(any AnyScreenContext)
    /// A screen that embeds another, which counts with those around it: each may embed the next as soon as it is shown.
    case parent(any AnyScreenContext)
    /// An interceptor's request, which decides about the last of some routes, opened by another opener.
    case interceptor(deciding: Path, for: Opener)

    /// The routes that led to its openings.
    @MainActor
    var path: Path {
        switch self {
        case .start, .screen: Path()
        case .parent(let context): Path(routes: context.entry?.withParents ?? [])
        case .service(let path), .interceptor(let path, _): path
        }
    }

    var isInterceptor: Bool {
        if case .interceptor = self { true } else { false }
    }
}
