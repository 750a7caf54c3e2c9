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
    func fulfil() async throws -> StackEntry?

    /// Shows the screen in place of the lowest of the entries that leave.
    func takePlace(of leaving: [StackEntry]) throws

    /// Builds the screen within that of another entry.
    func embed(in parent: any AnyScreenContext) throws -> EmbeddedScreen
}

/// A screen that is to be built and shown.
struct ResolvedScreen<R: Route>: ResolvedRoute {
    let opening: Opening<R>
    let feature: any Feature<R>
    let generation: Int
    /// That of the opening, unless the screen is the first of a stack that replaces all others.
    var style: PresentationStyle

    var beginsAnew: Bool { style == .root }

    var beginningAnew: (any ResolvedRoute)? {
        var first = self
        first.style = .root
        return first
    }

    func fulfil() async throws -> StackEntry? {
        let stack = opening.router.stack
        // The first screen replaces one that an interceptor showed before it.
        let (entry, context) = entry(
            isRoot: beginsAnew || stack.isEmpty, isProvisional: opening.opener.isInterceptor,
            state: opening.state)
        try stack.show(entry) { try feature.build(opening.route, in: context) }
        return entry
    }

    func takePlace(of leaving: [StackEntry]) throws {
        guard let former = leaving.first else { return }
        let (entry, context) = entry(isRoot: former.isRoot, isProvisional: former.isProvisional)
        try opening.router.stack.replace(former, by: entry, removing: leaving) {
            try feature.build(opening.route, in: context)
        }
    }

    func embed(in parent: any AnyScreenContext) throws -> EmbeddedScreen {
        let waiting = parent.waitingState
        let state = parent.waitingState.take(for: AnyRoute(opening.route))
        let (entry, context) = entry(state: state ?? ScreenState(), parent: parent)
        do {
            return try opening.router.stack.embed(entry) { try feature.build(opening.route, in: context) }
        } catch {
            // The state waits for the next attempt.
            parent.waitingState = waiting
            throw error
        }
    }

    private func entry(
        isRoot: Bool = false, isProvisional: Bool = false, state: ScreenState = ScreenState(),
        parent: (any AnyScreenContext)? = nil
    ) -> (StackEntry, ScreenContext<R>) {
        let (router, receiver) = (opening.router, opening.receiver ?? ResultReceiver())
        let context = ScreenContext(
            opening.route, cause: opening.path.cause, state: state, receiver: receiver,
            reference: router.reference)
        let entry = StackEntry(
            id: router.stack.nextID(), context: context, receiver: receiver, style: style,
            isRoot: isRoot, isProvisional: isProvisional, parent: parent)
        return (entry, context)
    }
}

/// An action that is to be performed.
struct ResolvedAction<R: Route>: ResolvedRoute {
    let opening: Opening<R>
    let action: any Action<R>
    let generation: Int

    var beginsAnew: Bool { false }
    var beginningAnew: (any ResolvedRoute)? { nil }

    func fulfil() async throws -> StackEntry? {
        let (action, route, log) = (action, opening.route, opening.router.log)
        let start = log.start()
        let output = try await untilCancelled { try await action.perform(route) }
        log.add(.performed(AnyRoute(route), in: log.duration(since: start)))
        opening.receiver?.finish(with: output)
        return nil
    }

    func takePlace(of leaving: [StackEntry]) throws {
        throw RouterError.rejected(.noScreen, route: TypeName(R.self))
    }

    func embed(in parent: any AnyScreenContext) throws -> EmbeddedScreen {
        throw RouterError.rejected(.noScreen, route: TypeName(R.self))
    }
}
