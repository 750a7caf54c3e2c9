import Foundation
import RouterServiceInterface
import RouterServiceProgram

/// Navigates through a router on behalf of an opener.
@MainActor
protocol RouterNavigator: Navigator {
    /// The router and the opener.
    func caller() throws -> (router: RouterService, opener: Opener)
}

// Public for the router itself, which is a navigator too.
extension RouterNavigator {
    /// Opens routes one above the other.
    public func open(_ routes: [any Route], as style: PresentationStyle) async throws {
        let (router, opener) = try caller()
        // Only one screen can be the first.
        try await router.open(
            routes.enumerated().map {
                router.opening(of: $1, as: $0 > 0 && style == .root ? .push : style, from: .code, by: opener)
            })
    }

    /// Opens the route that a URL stands for.
    public func open(_ url: URL, as style: PresentationStyle) async throws {
        try await open(try caller().router.catalog.route(for: url), as: style)
    }

    /// Opens the route that a link stands for.
    public func open(_ link: AnyRoute, as style: PresentationStyle) async throws {
        let (router, opener) = try caller()
        router.report(deprecationOf: link)
        try await router.open([router.opening(of: link.route, as: style, from: link.origin, by: opener)])
    }

    /// Opens a route and waits for its output.
    public func result<R: Route>(of route: R, as style: PresentationStyle) async throws -> R.Output {
        try await opened(route, as: style, from: .code)()
    }

    /// Opens a route.
    ///
    /// - Returns: The wait for its output, which keeps neither the router nor the screen alive; when the calling task is
    ///   cancelled, the screen is removed.
    func opened<R: Route>(
        _ route: R, as style: PresentationStyle, from origin: RouteOrigin
    ) async throws -> @MainActor () async throws -> R.Output {
        let (router, opener) = try caller()
        return try await router.reportingFailure(of: route) {
            guard style != .root else {
                throw RouterError.rejected(.cannotDismissRoot, route: TypeName(R.self))
            }
            let pending = PendingResult<R.Output>()
            let receiver = ResultReceiver(pending.deliver)
            let opening = Opening(route, as: style, from: origin, by: opener, in: router, for: receiver)
            let entry = try await router.fulfil([opening])
            return { [weak entry, reference = router.reference] in
                do {
                    return try await pending.value { [weak entry] in
                        if let entry, !entry.isRoot { reference.router?.stack.remove(entry) }
                    }
                } catch {
                    reference.router?.report(error, of: route)
                    throw error
                }
            }
        }
    }

    /// Removes screens until the nearest one that shows a route of a type is the topmost.
    public func dismiss(to route: any Route.Type) async throws {
        let (router, opener) = try caller()
        let screen: (any AnyScreenContext)? = if case .screen(let context) = opener { context } else { nil }
        try await router.stack.dismiss(to: TypeName(route), below: screen)
    }

    /// Sends an event to each listener for its type, in the order of registration.
    @discardableResult
    public func broadcast<E: Event>(_ event: E) async -> [RouterError] {
        guard let (router, opener) = try? caller() else { return [] }
        return await router.broadcast(event, after: opener.path)
    }

    /// Begins a scope.
    public func enter(_ scope: Scope) throws { try caller().router.container.enter(scope) }

    /// Ends a scope and releases its services.
    public func leave(_ scope: Scope) throws { try caller().router.container.leave(scope) }
}

// All openings end here: all routes are resolved (interceptors, availability, fallbacks), and then all are fulfilled.
extension RouterService {
    /// Opens routes one above the other, the lowest first.
    func open(_ openings: [any AnyOpening]) async throws {
        try await reportingFailure(of: openings.first?.route) {
            guard !openings.isEmpty else { throw RouterError.emptyStack }
            try await fulfil(openings)
        }
    }

    /// An opening of a route of any type.
    func opening(
        of route: some Route, as style: PresentationStyle, from origin: RouteOrigin, by opener: Opener,
        state: ScreenState = ScreenState()
    ) -> any AnyOpening {
        Opening(route, as: style, from: origin, by: opener, in: self, state: state)
    }

    /// Fulfils all routes or none, an action's effects excepted.
    ///
    /// All are resolved before the first is fulfilled; one that was resolved before an exchange of modules is resolved
    /// again. Of a stack of the style `root`, the first screen takes the place of all others, whichever routes lead to it.
    ///
    /// - Returns: The last screen that was shown.
    @discardableResult
    fileprivate func fulfil(_ openings: [any AnyOpening]) async throws -> StackEntry? {
        // No presenter receives the style of embedded screens.
        guard !openings.contains(where: { $0.style == .embedded }) else {
            throw RouterError.unknownStyle(.embedded)
        }
        var resolved: [any ResolvedRoute] = []
        for opening in openings { resolved.append(try await opening.resolved()) }
        /// The screen that takes the place of all others.
        func root() -> Int? { openings[0].style == .root ? resolved.firstIndex(where: \.hasScreen) : nil }
        var hasAsked = root() != nil
        if hasAsked { try await confirmLeavingAll() }
        var (shown, removals): ([StackEntry], Int) = ([], stack.removals)
        do {
            for index in openings.indices {
                while resolved[index].generation != container.generation {
                    resolved[index] = try await openings[index].resolved()
                    if !hasAsked, root() != nil {
                        hasAsked = true
                        try await confirmLeavingAll()
                    }
                }
                // Interceptors, questions and actions take their time, in which the opener and its screens may go.
                try openings[index].opener.check(opening: openings[0].route, on: stack)
                if stack.removals != removals {
                    removals = stack.removals
                    let areComplete = shown.allSatisfy { $0.position != nil || $0.shown.context.isFinished }
                    guard areComplete else { throw CancellationError() }
                }
                let style = index == root() ? .root : openings[index].style
                if let entry = try await resolved[index].fulfil(at: .top(style)) {
                    shown.append(entry)
                }
            }
        } catch {
            shown.forEach(stack.remove)
            throw error
        }
        if let root = shown.last(where: \.isRoot)?.position { stack.remove(0..<root) }
        return shown.last
    }

    /// Does some work for a route or the stack, and reports an error of it.
    func reportingFailure<Value>(
        of route: (any Route)?, _ work: @MainActor () async throws -> Value
    ) async throws -> Value {
        do {
            return try await work()
        } catch {
            report(error, of: route)
            throw error
        }
    }

    /// Reports an error, unless it is a cancellation.
    func report(_ error: any Error, of route: (any Route)?) {
        guard !(error is CancellationError) else { return }
        log.add(.failed(route.map { "\(TypeName(type(of: $0)))" } ?? "the stack", error))
    }

    /// Asks all screens that a new first one would remove.
    private func confirmLeavingAll() async throws {
        try await stack.confirmLeaving { stack.entries.filter { !$0.isProvisional }.flatMap(\.withChildren) }
    }
}

// The openings that need the screen that asks for them.
extension ScreenContext {
    func embed<Child: Route>(
        _ route: Child, finish: @escaping @MainActor (Child.Output) -> Void
    ) async throws -> EmbeddedScreen {
        let router = try caller().router
        return try await router.reportingFailure(of: route) {
            let receiver = ResultReceiver<Child.Output> {
                if case .success(let output) = $0 { finish(output) }
            }
            let opening = Opening(
                route, as: .embedded, from: .code, by: .parent(self), in: router, for: receiver)
            let resolved = try await opening.resolved()
            // The parent may have gone while interceptors decided.
            try opening.opener.check(opening: route, on: router.stack)
            var embedded: EmbeddedScreen?
            try await resolved.fulfil(at: .within(self) { embedded = $0 })
            guard let embedded else {
                throw RouterError.rejected(.screenDismissed, route: TypeName(Child.self))
            }
            return embedded
        }
    }

    func replace(with route: some Route) async throws {
        let router = try caller().router
        let stack = router.stack
        try await router.reportingFailure(of: route) {
            let former = try stack.entry(of: self)
            guard former.position != nil else {
                throw RouterError.rejected(.embedded, route: former.routeType)
            }
            let opening = Opening(route, as: former.style, from: .code, by: .screen(self), in: router)
            var resolved = try await opening.resolved()
            let leaving = try await stack.confirmed { stack.entries(from: try stack.entry(of: self)) }
            while resolved.generation != router.container.generation {
                resolved = try await opening.resolved()
            }
            try opening.opener.check(opening: route, on: stack)
            try await resolved.fulfil(at: .insteadOf(former, removing: leaving))
        }
    }
}
