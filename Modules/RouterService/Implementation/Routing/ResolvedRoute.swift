import RouterServiceInterface
import RouterServiceProgram

/// A route that may be fulfilled, with everything that it needs for that.
@MainActor
protocol ResolvedRoute {
    /// Whether all other screens are removed when this one is shown.
    var beginsAnew: Bool { get }
    /// The same route, whose screen takes the place of all others; nil for an action, which has none.
    var beginningAnew: (any ResolvedRoute)? { get }
    /// The generation in which it was resolved.
    var generation: Int { get }

    /// Shows the screen, or performs the action.
    ///
    /// - Returns: The new entry of the stack; nil if there is no screen.
    func fulfil(in router: RouterService) async throws -> StackEntry?

    /// Builds the screen within that of another entry.
    func embed(in parent: any AnyScreenContext, of router: RouterService) throws -> EmbeddedScreen
}

/// A screen that is to be built and shown.
struct ResolvedScreen<R: Route>: ResolvedRoute {
    let route: R
    let feature: any Feature<R>
    let generation: Int
    var style: PresentationStyle
    /// Whether an interceptor shows it; the first screen replaces one that was shown before it.
    let isProvisional: Bool
    /// What led to the route.
    let cause: RouteCause?
    let state: ScreenState
    let receiver: ResultReceiver<R.Output>?

    var beginsAnew: Bool { style == .root }

    var beginningAnew: (any ResolvedRoute)? {
        var first = self
        first.style = .root
        return first
    }

    func fulfil(in router: RouterService) async throws -> StackEntry? {
        let (entry, context) = entry(in: router, isRoot: beginsAnew || router.stack.isEmpty)
        try router.stack.show(entry) { try feature.build(route, in: context) }
        return entry
    }

    func embed(in parent: any AnyScreenContext, of router: RouterService) throws -> EmbeddedScreen {
        let (entry, context) = entry(in: router, isRoot: false, parent: parent)
        return try router.stack.embed(entry) { try feature.build(route, in: context) }
    }

    private func entry(
        in router: RouterService, isRoot: Bool, parent: (any AnyScreenContext)? = nil
    ) -> (StackEntry, ScreenContext<R>) {
        let receiver = receiver ?? ResultReceiver()
        let state = parent?.waitingState.take(for: AnyRoute(route)) ?? state
        let context = ScreenContext(
            route, cause: cause, state: state, receiver: receiver, reference: router.reference)
        let entry = StackEntry(
            id: router.stack.nextID(), context: context, receiver: receiver, style: style, isRoot: isRoot,
            isProvisional: isProvisional, parent: parent)
        return (entry, context)
    }
}

/// An action that is to be performed.
struct ResolvedAction<R: Route>: ResolvedRoute {
    let route: R
    let action: any Action<R>
    let generation: Int
    let receiver: ResultReceiver<R.Output>?

    var beginsAnew: Bool { false }
    var beginningAnew: (any ResolvedRoute)? { nil }

    func fulfil(in router: RouterService) async throws -> StackEntry? {
        let start = router.log.start()
        let (action, route) = (action, route)
        let output = try await untilCancelled { try await action.perform(route) }
        router.log.add(.performed(AnyRoute(route), in: router.log.duration(since: start)))
        receiver?.finish(with: output)
        return nil
    }

    func embed(in parent: any AnyScreenContext, of router: RouterService) throws -> EmbeddedScreen {
        throw RouterError.rejected(.noScreen, route: TypeName(R.self))
    }
}
