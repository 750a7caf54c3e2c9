import RouterServiceInterface
import RouterServiceProgram

/// A route on its way from the call to a screen or an action: through interceptors, availability, fallbacks and adapters.
///
/// Every opening passes through here. Where it is rerouted, an opening of the other route takes its place.
@MainActor
final class Opening<R: Route>: AnyOpening {
    let route: R
    /// How its screen is shown.
    let style: PresentationStyle
    let origin: RouteOrigin
    let opener: Opener
    let router: RouterService
    /// The stored states of its screen; one to which it is rerouted has none.
    let state: ScreenState
    /// Receives the output, if it is requested.
    let receiver: ResultReceiver<R.Output>?
    /// The routes that led to it: rerouted to it, or opened by what opens it.
    let path: Path

    init(
        _ route: R, as style: PresentationStyle, from origin: RouteOrigin, by opener: Opener,
        in router: RouterService, state: ScreenState = ScreenState(),
        for receiver: ResultReceiver<R.Output>? = nil, after path: Path? = nil
    ) {
        (self.route, self.style, self.origin, self.opener) = (route, style, origin, opener)
        (self.router, self.state, self.receiver) = (router, state, receiver)
        self.path = path ?? opener.path
    }

    /// Resolves it, in the current generation: nothing is shown or performed yet, except by interceptors.
    ///
    /// - Throws: An interceptor's rejection, or an error in the registrations.
    func resolved() async throws -> any ResolvedRoute {
        try router.check(opener, opening: route)
        try await router.refuseCircle(of: route, after: path)
        return try await decided()
    }

    /// Asks the interceptors, and finds the handler.
    ///
    /// If modules are replaced while an interceptor decides, all is asked again, so that it belongs to one generation.
    private func decided() async throws -> any ResolvedRoute {
        let generation = router.container.generation
        for interceptor in router.container.interceptors.deciding(on: R.self) {
            let decision = try await decision(of: interceptor)
            if case .reject(let error) = decision { throw error }
            guard router.container.generation == generation else { return try await decided() }
            if case .redirect(let other) = decision { return try await rerouted(to: other) }
        }
        try Task.checkCancellation()
        let container = router.container
        switch try handler() {
        case .adapter(_, let provided, let output):
            return try await adapted(to: provided(route), by: output)
        case .action(let create):
            let source = container.registry.registration(of: R.self)?.source
            let resolver = CallResolver(container, after: path.appending(route, from: origin))
            let action = try container.create(for: R.self, from: source, by: create, with: resolver)
            return ResolvedAction(opening: self, action: action, generation: generation)
        case .feature(let create, let versions, let fallback):
            let feature = try container.feature(for: route, by: create, versions)
            if feature.isEnabled(for: route) {
                return ResolvedScreen(opening: self, feature: feature, generation: generation, style: style)
            }
            guard let fallback else { throw RouterError.rejected(.disabled, route: TypeName(R.self)) }
            return try await rerouted(to: fallback(route))
        }
    }

    /// The handler of the route, which an adapter or a fallback may have led to.
    private func handler() throws -> RouteHandler<R> {
        do {
            return try router.container.registry.handler(of: R.self)
        } catch RouterError.missingHandler(let name, _, _) where path.routes.count > opener.path.routes.count
        {
            let rerouted = path.routes.last.map { type(of: $0.route) }
            throw RouterError.missingHandler(
                route: name, reroutedFrom: rerouted.map { TypeName($0) },
                registered: rerouted.flatMap { router.container.registry.registration(of: $0)?.source.place })
        }
    }

    /// Resolves another route in place of this one, whose output is converted.
    private func adapted<Provided: Route>(
        to provided: Provided, by output: @escaping @MainActor (any Sendable) throws -> R.Output
    ) async throws -> any ResolvedRoute {
        try await resolved(
            as: provided, for: receiver?.converting(from: Provided.Output.self) { try output($0) })
    }

    /// Resolves another route in place of this one.
    private func rerouted<Other: Route>(to other: Other) async throws -> any ResolvedRoute {
        try await resolved(as: other, for: receiver?.retyped(to: Other.Output.self))
    }

    private func resolved<Other: Route>(
        as other: Other, for receiver: ResultReceiver<Other.Output>?
    ) async throws -> any ResolvedRoute {
        let next = Opening<Other>(
            other, as: style, from: origin, by: opener, in: router, for: receiver,
            after: path.appending(route, from: origin))
        try await router.refuseCircle(of: other, after: next.path)
        router.log.add(.rerouted(AnyRoute(route), to: AnyRoute(other)))
        return try await next.decided()
    }

    private func decision(of interceptor: InterceptorRegistration) async throws -> Interception {
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

/// An opening of a route of any type.
@MainActor
protocol AnyOpening: AnyObject {
    associatedtype R: Route
    var route: R { get }
    var style: PresentationStyle { get }
    var opener: Opener { get }

    func resolved() async throws -> any ResolvedRoute
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
