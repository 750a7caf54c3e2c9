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
        self.route = route
        self.style = style
        self.origin = origin
        self.opener = opener
        self.router = router
        self.state = state
        self.receiver = receiver
        self.path = path ?? opener.path
    }

    /// Resolves it, in the current generation: nothing is shown or performed yet, except by interceptors.
    ///
    /// - Throws: An interceptor's rejection, or an error in the registrations.
    func resolved() async throws -> any ResolvedRoute {
        try opener.check(opening: route, on: router.stack)
        try await refuseCircle()
        let generation = router.container.generation
        for interceptor in router.container.interceptors.deciding(on: R.self) {
            let decision = try await decision(of: interceptor.interceptor)
            if case .reject(let error) = decision { throw error }
            // If modules are replaced while it decides, all are asked again, so that all belong to one generation.
            guard router.container.generation == generation else { return try await resolved() }
            if case .redirect(let other) = decision { return try await rerouted(to: other) }
        }
        try Task.checkCancellation()
        let container = router.container
        switch try container.registry.handler(of: R.self) {
        case .adapter(_, let provided, let output):
            return try await rerouted(to: provided(route), converting: output)
        case .action(let registration):
            let resolver = CallResolver(container, after: path.appending(route, from: origin))
            let action = try container.create(registration, for: R.self, with: resolver)
            return ResolvedAction(opening: self, action: action, generation: container.generation)
        case .feature(let registration, let fallback):
            let feature = try container.create(registration, for: R.self, with: container)
            if feature.isEnabled(for: route) {
                return ResolvedScreen(opening: self, feature: feature, generation: container.generation)
            }
            guard let fallback else { throw RouterError.rejected(.disabled, route: TypeName(R.self)) }
            return try await rerouted(to: fallback(route))
        }
    }

    /// The most routes that may lead to another one; more can only be a mistake.
    private static var maximumPath: Int { 32 }

    /// Rejects a route to which routes led that led to it before, or too many; announces that first.
    private func refuseCircle() async throws {
        let routes = path.routes
        guard !routes.isEmpty, routes.contains(AnyRoute(route)) || routes.count >= Self.maximumPath
        else { return }
        let circle = routes + [AnyRoute(route)]
        // A listener that opens what is rejected in turn is called again, but not without end.
        if routes.count <= Self.maximumPath {
            await router.broadcast(RedirectLoop(path: circle), after: Path(routes: circle))
        }
        throw RouterError.redirectLoop(path: circle)
    }

    private func decision(of interceptor: Registration<any Interceptor>) async throws -> Interception {
        let start = router.log.start()
        let path = path.appending(route, from: origin)
        let proxy = RouterProxy(router.reference, opener: .interceptor(deciding: path, for: opener))
        let request = RouteRequest(route, as: style, from: origin, router: proxy)
        let created = try router.container.create(
            interceptor, with: CallResolver(router.container, after: path))
        let decision = try await untilCancelled { try await created.intercept(request) }
        let time = router.log.duration(since: start)
        router.log.add(.intercepted(AnyRoute(route), by: interceptor.source.type, decision, in: time))
        return decision
    }

    /// Resolves another route in place of this one; an output that is neither converted nor of the same type counts as a
    /// cancellation.
    private func rerouted<Other: Route>(
        to other: Other, converting convert: (@MainActor (any Sendable) throws -> R.Output)? = nil
    ) async throws -> any ResolvedRoute {
        let generation = router.container.generation
        router.log.add(.rerouted(AnyRoute(route), to: AnyRoute(other)))
        let receiver = receiver?.converting(from: Other.Output.self) { output in
            if let convert { return try convert(output) }
            guard Other.Output.self == R.Output.self, let same = output as? R.Output else {
                throw CancellationError()
            }
            return same
        }
        let opening = Opening<Other>(
            other, as: style, from: origin, by: opener, in: router, for: receiver,
            after: path.appending(route, from: origin))
        let resolved = try await opening.resolved()
        // If modules were replaced meanwhile, those that rerouted it are asked again too.
        return resolved.generation == generation ? resolved : try await self.resolved()
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

/// A route that may be fulfilled, with everything that it needs for that.
@MainActor
protocol ResolvedRoute {
    /// Whether it has a screen; an action has none.
    var hasScreen: Bool { get }
    /// The generation in which it was resolved.
    var generation: Int { get }

    /// Shows the screen in a place, or performs the action, which has none but the top.
    ///
    /// - Returns: The new entry; nil for an action.
    @discardableResult
    func fulfil(at place: ScreenPlace) async throws -> StackEntry?
}

/// A screen that is to be built and shown.
struct ResolvedScreen<R: Route>: ResolvedRoute {
    let opening: Opening<R>
    let feature: any Feature<R>
    let generation: Int

    var hasScreen: Bool { true }

    func fulfil(at place: ScreenPlace) async throws -> StackEntry? {
        let router = opening.router
        var style = opening.style
        var state = opening.state
        var parent: (any AnyScreenContext)?
        var (isRoot, isProvisional) = (false, false)
        switch place {
        case .top(let chosen):
            // The first screen replaces one that an interceptor showed before it.
            style = chosen
            (isRoot, isProvisional) = (chosen == .root || router.stack.isEmpty, opening.opener.isInterceptor)
        case .insteadOf(let former, _): (isRoot, isProvisional) = (former.isRoot, former.isProvisional)
        case .within(let context, _):
            parent = context
            state = context.waitingState.state(for: AnyRoute(opening.route)) ?? state
        }
        let receiver = opening.receiver ?? ResultReceiver()
        let context = ScreenContext(
            opening.route, cause: opening.path.cause, state: state, receiver: receiver,
            reference: router.reference)
        let entry = StackEntry(
            id: router.stack.nextID(), context: context, receiver: receiver, style: style, isRoot: isRoot,
            isProvisional: isProvisional, parent: parent)
        try router.stack.show(entry, at: place) { try feature.build(opening.route, in: context) }
        // After an error, the state waits for the next attempt.
        parent?.waitingState.remove(for: AnyRoute(opening.route))
        return entry
    }
}

/// An action that is to be performed.
struct ResolvedAction<R: Route>: ResolvedRoute {
    let opening: Opening<R>
    let action: any Action<R>
    let generation: Int

    var hasScreen: Bool { false }

    func fulfil(at place: ScreenPlace) async throws -> StackEntry? {
        guard case .top = place else { throw RouterError.rejected(.noScreen, route: TypeName(R.self)) }
        let action = action
        let route = opening.route
        let log = opening.router.log
        let start = log.start()
        let output = try await untilCancelled { try await action.perform(route) }
        log.add(.performed(AnyRoute(route), in: log.duration(since: start)))
        opening.receiver?.finish(with: output)
        return nil
    }
}

/// The routes that led to an opening, and the cause of the first of them.
struct Path {
    private(set) var routes: [AnyRoute] = []
    private(set) var cause: AnyRoute?

    init(routes: [AnyRoute] = []) { self.routes = routes }

    /// The path behind a further route.
    func appending(_ route: some Route, from origin: RouteOrigin) -> Path {
        var path = self
        path.routes.append(AnyRoute(route, from: origin))
        path.cause = cause ?? path.routes.last
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

    /// Rejects requests made before the first screen, by a dismissed screen, or in a cancelled task.
    @MainActor
    func check(opening route: some Route, on stack: NavigationStack) throws {
        try Task.checkCancellation()
        switch self {
        case .start: break
        case .service:
            guard !stack.isEmpty, !stack.isStarting else {
                throw RouterError.rejected(.notStarted, route: TypeName(type(of: route)))
            }
        case .screen(let context), .parent(let context): _ = try stack.entry(of: context)
        case .interceptor(_, let original):
            // A screen that left meanwhile needs no sign-in.
            try original.check(opening: route, on: stack)
        }
    }
}
