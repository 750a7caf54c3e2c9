import Foundation
import RouterServiceInterface
import RouterServiceProgram

/// Navigates through a router on behalf of an opener.
@MainActor
protocol RouterNavigator: Navigator {
    func caller() throws -> (router: RouterService, opener: Opener)
}

extension RouterNavigator {
    public func open(_ routes: [any Route], as style: PresentationStyle) async throws {
        let (router, opener) = try caller()
        let others = style == .root ? .push : style
        try await router.open(
            routes.enumerated().map { router.opening(of: $1, as: $0 == 0 ? style : others, by: opener) })
    }

    public func open(_ url: URL, as style: PresentationStyle) async throws {
        try await open(try caller().router.link(for: url), as: style)
    }

    public func open(_ link: AnyRoute, as style: PresentationStyle) async throws {
        let (router, opener) = try caller()
        try await router.open([router.opening(of: link, as: style, by: opener)])
    }

    public func result<R: Route>(of route: R, as style: PresentationStyle) async throws -> R.Output {
        try await pendingResult(of: route, as: style)()
    }

    // A function of its own, so that the waiting caller does not keep the router alive.
    private func pendingResult<R: Route>(
        of route: R, as style: PresentationStyle
    ) async throws -> @MainActor () async throws -> R.Output {
        let (router, opener) = try caller()
        return try await router.result(of: route, as: style, from: .code, by: opener)
    }

    public func dismiss(to route: any Route.Type) async throws {
        let (router, opener) = try caller()
        let screen: (any AnyScreenContext)? = if case .screen(let context) = opener { context } else { nil }
        try await router.stack.dismiss(to: TypeKey(route), below: screen)
    }

    @discardableResult
    public func broadcast<E: Event>(_ event: E) async -> [RouterError] {
        guard let (router, opener) = try? caller() else { return [] }
        return await router.broadcast(event, after: opener.path)
    }

    public func enter(_ scope: Scope) throws { try caller().router.container.enter(scope) }

    public func leave(_ scope: Scope) throws { try caller().router.container.leave(scope) }
}

extension RouterService: RouterNavigator {
    func caller() -> (router: RouterService, opener: Opener) { (self, .service(after: [])) }
}

extension RouterService {
    func open(_ openings: [any AnyOpening]) async throws {
        try await reportingFailure(of: openings.first?.route) {
            guard !openings.isEmpty else { throw RouterError.emptyStack }
            guard !openings.contains(where: { $0.style == .embedded }) else {
                throw RouterError.unknownStyle(.embedded)
            }
            try await Fulfilment(of: openings, in: self).perform()
        }
    }

    /// Opens a route, and returns the wait for its output, which keeps neither the router nor the screen alive; cancelling the
    /// wait removes the screen.
    func result<R: Route>(
        of route: R, as style: PresentationStyle, from origin: RouteOrigin, by opener: Opener
    ) async throws -> @MainActor () async throws -> R.Output {
        try await reportingFailure(of: route) {
            guard style != .root else {
                throw RouterError.rejected(.cannotDismissRoot, route: TypeKey(R.self))
            }
            guard style != .embedded else { throw RouterError.unknownStyle(.embedded) }
            let result = PendingResult<R.Output>()
            let opening = Opening(route, as: style, from: origin, by: opener, for: result)
            let entry = try await Fulfilment(of: [opening], in: self).perform()
            return { [weak entry, reference] in
                do {
                    return try await result.value { [weak entry] in
                        guard let entry, !entry.isRoot, let stack = reference.router?.stack else { return }
                        stack.remove(stack.entries(from: entry))
                    }
                } catch {
                    reference.router?.report(error, of: "\(TypeKey(R.self))")
                    throw error
                }
            }
        }
    }

    func opening(of route: some Route, as style: PresentationStyle, by opener: Opener) -> any AnyOpening {
        Opening(route, as: style, from: .code, by: opener)
    }

    func opening(
        of link: AnyRoute, as style: PresentationStyle, by opener: Opener, state: RouterSnapshot.State? = nil
    ) -> any AnyOpening {
        func opening(of route: some Route) -> any AnyOpening {
            Opening(route, as: style, from: link.origin, by: opener, state: state)
        }
        return opening(of: link.route)
    }

    func link(for url: URL) throws -> AnyRoute {
        do {
            return try catalog.route(for: url)
        } catch {
            report(error, of: RouterError.quoted(url.absoluteString))
            throw error
        }
    }

    func reportingFailure<Value>(
        of route: (any Route)?, _ work: @MainActor () async throws -> Value
    ) async throws -> Value {
        do {
            return try await work()
        } catch {
            report(error, of: route.map { "\(TypeKey(type(of: $0)))" } ?? "the stack")
            throw error
        }
    }

    /// Reports an error, unless the caller's task was cancelled or the user declined.
    private func report(_ error: any Error, of subject: @autoclosure () -> String) {
        guard !(error is CancellationError), !(error is UserDeclined) else { return }
        log.add(.failed(subject(), error))
    }
}

extension ScreenContext {
    func embed<Child: Route>(
        _ route: Child, finish: @escaping @MainActor (Child.Output) -> Void
    ) async throws -> EmbeddedScreen {
        let router = try caller().router
        return try await router.reportingFailure(of: route) {
            let result = PendingResult<Child.Output> {
                if case .success(let output) = $0 { finish(output) }
            }
            let opening = Opening(route, as: .embedded, from: .code, by: .parent(self), for: result)
            var embedded: EmbeddedScreen?
            try await Fulfilment(of: [opening], at: .within(self) { embedded = $0 }, in: router).perform()
            guard let embedded else {
                throw RouterError.rejected(.screenDismissed, route: TypeKey(Child.self))
            }
            return embedded
        }
    }

    func replace(with route: some Route) async throws {
        let router = try caller().router
        try await router.reportingFailure(of: route) {
            let former = try router.stack.entry(of: self)
            guard former.position != nil else {
                throw RouterError.rejected(.embedded, route: former.routeType)
            }
            let opening = Opening(route, as: former.style, from: .code, by: .screen(self))
            try await Fulfilment(of: [opening], at: .insteadOf(former), in: router).perform()
        }
    }
}
