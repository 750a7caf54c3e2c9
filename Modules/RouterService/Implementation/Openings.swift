public import Foundation
public import RouterServiceInterface

// Every way in ends here: plan all routes (interceptors, availability, fallbacks), and then fulfil all plans.
extension RouterService: Router {
    /// Opens routes one above the other, see ``RouterServiceInterface/Router``.
    public func open(
        _ routes: [any Route], as style: PresentationStyle, from origin: RouteOrigin
    ) async throws {
        try await open(routes.map { Opening(route: $0, style: style) }, from: origin, by: .router)
    }

    /// Opens the route that a URL stands for, see ``RouterServiceInterface/Router``.
    public func open(_ url: URL, as style: PresentationStyle) async throws {
        try await open([catalog.route(for: url).route], as: style, from: .url)
    }

    /// Opens a route and waits for what it finishes with, see ``RouterServiceInterface/Router``.
    public func result<R: Route>(of route: R, as style: PresentationStyle) async throws -> R.Output {
        try await result(of: route, as: style, from: .code, by: .router)
    }

    func open(_ openings: [Opening], from origin: RouteOrigin, by opener: Opener) async throws {
        do {
            guard let first = openings.first else { throw RouterError.emptyStack }
            try check(opener, opening: first.route)
            var plans: [any Plan] = []
            for opening in openings {
                plans.append(try await plan(opening.route, as: opening.style, from: origin, by: opener))
            }
            try await fulfil(plans, opening: first.route, by: opener)
        } catch {
            logFailure(of: openings.first?.route, error)
            throw error
        }
    }

    func result<R: Route>(
        of route: R, as style: PresentationStyle, from origin: RouteOrigin, by opener: Opener
    ) async throws -> R.Output {
        do {
            try check(opener, opening: route)
            let delivery = Delivery<R.Output>()
            let caller = Caller(receive: delivery.deliver)
            let plan = try await journey(as: style, from: origin, by: opener).plan(route, for: caller)
            let showing = try await fulfil([plan], opening: route, by: opener)
            return try await withTaskCancellationHandler {
                try await delivery.value
            } onCancel: {
                Task { @MainActor in self.cancel(showing, delivery) }
            }
        } catch {
            logFailure(of: route, error)
            throw error
        }
    }

    private func plan(
        _ route: some Route, as style: PresentationStyle, from origin: RouteOrigin, by opener: Opener
    ) async throws -> any Plan {
        try await journey(as: style, from: origin, by: opener).plan(route, for: nil)
    }

    private func journey(as style: PresentationStyle, from origin: RouteOrigin, by opener: Opener) -> Journey
    {
        if case .interceptor(let journey) = opener { return journey.opening(as: style, from: origin) }
        return Journey(through: self, as: style, from: origin, by: opener)
    }

    /// Fulfils all plans or none, an action's effects excepted.
    ///
    /// - Returns: The last screen that was shown.
    @discardableResult
    private func fulfil(
        _ plans: [any Plan], opening route: some Route, by opener: Opener
    ) async throws -> (any AnyShowing)? {
        var shown: [any AnyShowing] = []
        do {
            for plan in plans {
                // Interceptors and actions take their time, in which the opener may go.
                try check(opener, opening: route)
                if let showing = try await plan.fulfil(in: self) { shown.append(showing) }
            }
        } catch {
            shown.forEach(remove)
            throw error
        }
        if let root = shown.last(where: \.isRoot) { removeBelow(root) }
        return shown.last
    }

    /// Refuses an opening of nobody who may: before the first screen, by a screen that is gone, by a cancelled task.
    private func check(_ opener: Opener, opening route: some Route) throws {
        try Task.checkCancellation()
        switch opener {
        case .start:
            break
        case .router:
            guard !screens.isEmpty, !isStarting else {
                throw RouterError.notStarted(route: TypeName(type(of: route)))
            }
        case .screen(let showing):
            guard screens.contains(showing) else { throw RouterError.screenDismissed(route: showing.routeType) }
        case .interceptor(let journey):
            try journey.check(route)
            // Nobody is asked to sign in for a screen that left meanwhile.
            try check(journey.opener, opening: route)
        }
    }

    /// Ends the wait of a caller whose task was cancelled, with the screen that it waits for.
    private func cancel<Output>(_ showing: (any AnyShowing)?, _ delivery: Delivery<Output>) {
        delivery.deliver(.failure(CancellationError()))
        if let showing, !showing.isRoot { remove(showing) }
    }

    func logFailure(of route: (any Route)?, _ error: any Error) {
        if error is CancellationError { return }
        log.add(.failed(route.map { "\(TypeName(type(of: $0)))" } ?? "the stack", error))
    }
}
