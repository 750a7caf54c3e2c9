import RouterServiceInterface
import RouterServiceProgram

/// Resolves an opening through interceptors, availability, fallbacks and adapters, all of one generation of the router.
@MainActor
final class Resolution {
    private let router: RouterService
    private let original: Opening
    /// The original opening, or the opening to which it was rerouted.
    private var opening: Opening
    private var passed = 0
    private var resolved: (any ResolvedRoute)?
    private var generation: Int

    init(of opening: Opening, in router: RouterService) {
        self.router = router
        original = opening
        self.opening = opening
        generation = router.container.generation
    }

    var hasScreen: Bool { resolved?.hasScreen == true }

    /// The resolved route, which is resolved again whenever modules were replaced.
    func route() async throws -> any ResolvedRoute {
        while true {
            if generation != router.container.generation {
                generation = router.container.generation
                opening = original
                passed = 0
                resolved = nil
            }
            if let resolved { return resolved }
            if passed == 0 {
                try opening.opener.check(opening, on: router.stack)
                if let cycle = opening.cycle { throw RouterError.redirectCycle(path: cycle) }
            }
            let interceptors = router.container.interceptors.deciding(on: type(of: opening.route))
            guard passed < interceptors.count else {
                try Task.checkCancellation()
                try handle(opening.route)
                continue
            }
            switch try await decision(of: interceptors[passed].interceptor) {
            case .proceed: passed += 1
            case .redirect(let other): reroute(to: other)
            case .reject(let error): throw error
            }
        }
    }

    private func decision(of interceptor: Registration<any Interceptor>) async throws -> Interception {
        let (opening, start) = (opening, router.log.start())
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

    /// Creates the handler of the route, or reroutes the opening.
    private func handle<R: Route>(_ route: R) throws {
        let container = router.container
        switch try container.registry.handler(of: R.self) {
        case .adapter(_, let provided, let output):
            reroute(to: try provided(route), converting: output)
        case .action(let registration):
            let resolver = CallResolver(container, after: opening.nextPath)
            let action = try container.create(registration, for: R.self, with: resolver)
            resolved = ResolvedAction(route: route, action: action, receiver: opening.receiver)
        case .feature(let registration, let fallback):
            let feature = try container.create(registration, for: R.self, with: container)
            if feature.isEnabled(for: route) {
                resolved = ResolvedScreen(
                    route: route, feature: feature, state: opening.state, receiver: opening.receiver)
            } else if let fallback {
                reroute(to: try fallback(route))
            } else {
                throw RouterError.rejected(.disabled, route: TypeKey(R.self))
            }
        }
    }

    /// Continues with another route in place of the route; without a conversion, its caller receives the output as it is.
    private func reroute(
        to other: any Route, converting convert: (@MainActor (any Sendable) throws -> any Sendable)? = nil
    ) {
        router.log.add(.rerouted(AnyRoute(opening.route), to: AnyRoute(other)))
        var receiver = opening.receiver
        if let convert, let caller = receiver {
            receiver = { result in caller(Result { try convert(result.get()) }) }
        }
        opening = Opening(
            other, as: opening.style, from: opening.origin, by: opening.opener, after: opening.nextPath,
            for: receiver)
        passed = 0
    }
}

/// The interceptors of all modules, in the order in which they decide.
@MainActor
final class Interceptors {
    private let registry: Registry
    /// Ordered by phase and, within one, by the dependencies of their modules.
    private lazy var all = {
        let interceptors = registry.graph.interceptingModules.flatMap { registry.modules[$0].interceptors }
        return InterceptionPhase.allCases.flatMap { phase in interceptors.filter { $0.phase == phase } }
    }()
    /// The interceptors that decide about each type of route that was opened.
    private var deciding: [ObjectIdentifier: [InterceptorRegistration]] = [:]

    init(_ registry: Registry) { self.registry = registry }

    func deciding(on route: any Route.Type) -> [InterceptorRegistration] {
        if let found = deciding[ObjectIdentifier(route)] { return found }
        let found = all.filter { $0.routes.contains(route) }
        deciding[ObjectIdentifier(route)] = found
        return found
    }
}

@MainActor
protocol ResolvedRoute {
    var hasScreen: Bool { get }

    /// Shows the screen in a place, and returns its entry, or performs the action, whose place is the top.
    func fulfil(
        at place: ScreenPlace, as style: PresentationStyle, in router: RouterService
    ) async throws -> StackEntry?
}

struct ResolvedScreen<R: Route>: ResolvedRoute {
    let route: R
    let feature: any Feature<R>
    let state: RouterSnapshot.State?
    let receiver: OutputReceiver?

    var hasScreen: Bool { true }

    func fulfil(
        at place: ScreenPlace, as style: PresentationStyle, in router: RouterService
    ) async throws -> StackEntry? {
        let context = ScreenContext(route, state: state, reference: router.reference)
        return try router.stack.show(context, at: place, as: style, for: receiver) {
            try feature.build(route, in: context)
        }
    }
}

struct ResolvedAction<R: Route>: ResolvedRoute {
    let route: R
    let action: any Action<R>
    let receiver: OutputReceiver?

    var hasScreen: Bool { false }

    func fulfil(
        at place: ScreenPlace, as style: PresentationStyle, in router: RouterService
    ) async throws -> StackEntry? {
        guard case .top = place else { throw RouterError.rejected(.noScreen, route: TypeKey(R.self)) }
        let (action, route) = (action, route)
        let start = router.log.start()
        let output = try await untilCancelled { try await action.perform(route) }
        router.log.add(.performed(AnyRoute(route), in: router.log.duration(since: start)))
        receiver?(.success(output))
        return nil
    }
}
