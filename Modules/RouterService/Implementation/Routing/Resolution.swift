import RouterServiceInterface
import RouterServiceProgram

/// Resolves an opening through interceptors, availability, fallbacks and adapters, all of one generation of the router.
@MainActor
final class Resolution {
    private let router: RouterService
    private let original: any AnyOpening
    /// The original opening, or the opening to which it was rerouted.
    private var opening: any AnyOpening
    private var passed = 0
    private var resolved: (any ResolvedRoute)?
    private var generation: Int

    init(of opening: any AnyOpening, in router: RouterService) {
        self.router = router
        original = opening
        self.opening = opening
        generation = router.container.generation
    }

    var hasScreen: Bool { resolved?.hasScreen == true }

    /// The resolved route; nil where it was not resolved since modules were replaced.
    var current: (any ResolvedRoute)? { generation == router.container.generation ? resolved : nil }

    /// The resolved route, which is resolved again whenever modules were replaced.
    func route() async throws -> any ResolvedRoute {
        while true {
            if let current { return current }
            if generation != router.container.generation {
                generation = router.container.generation
                opening = original
                passed = 0
                resolved = nil
            }
            try await advance(opening)
        }
    }

    /// Asks the next interceptor, or finds the handler after the last interceptor.
    private func advance(_ opening: some AnyOpening) async throws {
        let opening = opening.typed
        if passed == 0 {
            try opening.opener.check(opening: opening.route, on: router.stack)
            if let cycle = opening.cycle { throw RouterError.redirectCycle(path: cycle) }
        }
        let interceptors = router.container.interceptors.deciding(on: type(of: opening.route))
        guard passed < interceptors.count else { return try handle(opening) }
        switch try await decision(of: interceptors[passed].interceptor, on: opening) {
        case .proceed: passed += 1
        case .redirect(let other): reroute(opening, to: other)
        case .reject(let error): throw error
        }
    }

    private func handle<R: Route>(_ opening: Opening<R>) throws {
        try Task.checkCancellation()
        let container = router.container
        switch try container.registry.handler(of: R.self) {
        case .adapter(_, let provided, let output):
            reroute(opening, to: try provided(opening.route), converting: output)
        case .action(let registration):
            let resolver = CallResolver(container, after: opening.nextPath)
            let action = try container.create(registration, for: R.self, with: resolver)
            resolved = ResolvedAction(opening: opening, action: action)
        case .feature(let registration, let fallback):
            let feature = try container.create(registration, for: R.self, with: container)
            if feature.isEnabled(for: opening.route) {
                resolved = ResolvedScreen(opening: opening, feature: feature)
            } else if let fallback {
                reroute(opening, to: try fallback(opening.route))
            } else {
                throw RouterError.rejected(.disabled, route: TypeKey(R.self))
            }
        }
    }

    private func reroute<R: Route>(
        _ opening: Opening<R>, to other: any Route,
        converting convert: (@MainActor (any Sendable) throws -> R.Output)? = nil
    ) {
        router.log.add(.rerouted(AnyRoute(opening.route), to: AnyRoute(other)))
        self.opening = opening.rerouted(to: other, converting: convert)
        passed = 0
    }

    private func decision<R: Route>(
        of interceptor: Registration<any Interceptor>, on opening: Opening<R>
    ) async throws -> Interception {
        let start = router.log.start()
        let proxy = RouterProxy(
            router.reference, opener: .interceptor(deciding: opening.nextPath, for: opening.opener))
        let request = RouteRequest(opening.route, as: opening.style, from: opening.origin, router: proxy)
        let created = try router.container.create(
            interceptor, with: CallResolver(router.container, after: opening.nextPath))
        let decision = try await untilCancelled { try await created.intercept(request) }
        let time = router.log.duration(since: start)
        router.log.add(
            .intercepted(AnyRoute(opening.route), by: interceptor.source.type, decision, in: time))
        return decision
    }
}

@MainActor
protocol ResolvedRoute {
    var hasScreen: Bool { get }

    /// Shows the screen in a place, and returns its entry, or performs the action, whose place is the top.
    func fulfil(
        at place: ScreenPlace, as style: PresentationStyle, in router: RouterService
    ) async throws
        -> StackEntry?
}

struct ResolvedScreen<R: Route>: ResolvedRoute {
    let opening: Opening<R>
    let feature: any Feature<R>

    var hasScreen: Bool { true }

    func fulfil(
        at place: ScreenPlace, as style: PresentationStyle, in router: RouterService
    ) async throws -> StackEntry? {
        var parent: (any AnyScreenContext)?
        var isRoot = false
        switch place {
        case .top: isRoot = style == .root || router.stack.isEmpty
        case .insteadOf(let former): isRoot = former.isRoot
        case .within(let context, _): parent = context
        }
        let result = opening.result ?? PendingResult { _ in }
        let context = ScreenContext(
            opening.route, state: opening.state, result: result, reference: router.reference)
        let entry = StackEntry(
            id: router.stack.nextID(), context: context, result: result, style: style, isRoot: isRoot,
            parent: parent)
        try router.stack.show(entry, at: place) { try feature.build(opening.route, in: context) }
        return entry
    }
}

struct ResolvedAction<R: Route>: ResolvedRoute {
    let opening: Opening<R>
    let action: any Action<R>

    var hasScreen: Bool { false }

    func fulfil(
        at place: ScreenPlace, as style: PresentationStyle, in router: RouterService
    ) async throws -> StackEntry? {
        guard case .top = place else { throw RouterError.rejected(.noScreen, route: TypeKey(R.self)) }
        let (action, route) = (action, opening.route)
        let start = router.log.start()
        let output = try await untilCancelled { try await action.perform(route) }
        router.log.add(.performed(AnyRoute(route), in: router.log.duration(since: start)))
        opening.result?.deliver(.success(output))
        return nil
    }
}
