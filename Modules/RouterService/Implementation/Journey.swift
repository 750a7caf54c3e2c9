import RouterServiceInterface

/// The way of one route through the router until it is fulfilled, and the routes that it led through before.
///
/// Every way in begins one: interceptors decide, then the handler's availability, and where another route takes the
/// place of this one, the journey goes on with that.
@MainActor
struct Journey {
    let router: RouterService
    let style: PresentationStyle
    let origin: RouteOrigin
    /// Who opens the route, or had opened the one that an interceptor decides about while it opens this one.
    let opener: Opener
    /// Whether an interceptor opens the route while it decides about another one.
    private(set) var isByInterceptor = false
    private var path: [AnyRoute] = []

    /// How many routes may take one another's place; more can only be a mistake.
    private static let limit = 32

    init(
        through router: RouterService, as style: PresentationStyle, from origin: RouteOrigin,
        by opener: Opener
    ) {
        self.router = router
        self.style = style
        self.origin = origin
        self.opener = opener
    }

    /// The journey of a route that an interceptor opens while it decides about this one's.
    func opening(as style: PresentationStyle, from origin: RouteOrigin) -> Journey {
        var journey = Journey(through: router, as: style, from: origin, by: opener)
        journey.path = path
        journey.isByInterceptor = true
        return journey
    }

    /// Plans how a route is fulfilled: nothing is shown or performed yet, except by interceptors.
    ///
    /// - Parameters:
    ///   - route: The route.
    ///   - caller: Who waits for the output, if anybody does.
    /// - Returns: What is left to do.
    /// - Throws: An interceptor's rejection, or what is wrong with the registrations.
    func plan<R: Route>(_ route: R, for caller: Caller<R.Output>?) async throws -> any Plan {
        for interceptor in router.registry.interceptors {
            switch try await decision(of: interceptor, about: route) {
            case .proceed: continue
            case .redirect(let other): return try await substitute(other, for: route, caller: caller)
            case .reject(let error): throw error
            }
        }
        let handler = try router.registry.handler(of: R.self)
        switch handler.work {
        case .feature(let create):
            let feature = try created(by: create, for: R.self)
            if feature.isEnabled(for: route) {
                return ScreenPlan(
                    route: route, feature: feature, style: style, isProvisional: isByInterceptor,
                    caller: caller)
            }
        case .action(let create):
            let action = try created(by: create, for: R.self)
            if action.isEnabled(for: route) {
                return ActionPlan(route: route, action: action, caller: caller)
            }
        case .adapter(let adapter):
            return try await adapter.plan(route, for: caller, on: self)
        }
        guard let fallback = handler.fallback else { throw RouterError.disabled(route: TypeName(R.self)) }
        return try await substitute(fallback.route(route), for: route, caller: caller)
    }

    /// Goes on with another route.
    private func substitute<R: Route, Other: Route>(
        _ other: Other, for route: R, caller: Caller<R.Output>?
    ) async throws -> any Plan {
        try await leading(from: route, to: other).plan(other, for: caller?.retyped(to: Other.Output.self))
    }

    /// The journey when another route takes this one's place.
    ///
    /// - Throws: `RouterError.redirectLoop` when it came past the other route before.
    func leading(from route: some Route, to other: some Route) throws -> Journey {
        let journey = entering(route)
        try journey.check(other)
        router.log.add(.replaced(AnyRoute(route), by: AnyRoute(other)))
        return journey
    }

    /// The journey with a route behind it.
    private func entering(_ route: some Route) -> Journey {
        var journey = self
        journey.path.append(AnyRoute(route))
        return journey
    }

    /// Refuses a route that the journey came past before.
    func check(_ route: some Route) throws {
        guard !path.isEmpty else { return }
        let next = AnyRoute(route)
        if path.contains(next) || path.count >= Self.limit {
            throw RouterError.redirectLoop(path: path + [next])
        }
    }

    private func decision(
        of interceptor: RegisteredInterceptor, about route: some Route
    ) async throws
        -> Interception
    {
        let start = router.log.start()
        let opener = InterceptorRouter(router: router, journey: entering(route))
        let request = RouteRequest(route, as: style, from: origin, router: opener)
        let decision = try await interceptor.create(router.registry.services).intercept(request)
        router.log.add(
            .intercepted(
                AnyRoute(route), by: interceptor.registration.type, decision,
                in: router.log.duration(since: start)))
        return decision
    }

    private func created<Handling>(
        by create: @MainActor (Services) throws -> Handling, for route: any Route.Type
    ) throws -> Handling {
        do {
            return try create(router.registry.services)
        } catch let error as RouterError {
            throw error.needed(by: TypeName(route))
        }
    }
}
