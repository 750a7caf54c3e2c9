import RouterServiceInterface

/// A route that may be fulfilled, with everything that it needs for that.
@MainActor
protocol Plan {
    /// Shows the screen, or performs the action.
    ///
    /// - Returns: The showing; nil where there is no screen.
    func fulfil(in router: RouterService) async throws -> (any AnyShowing)?
}

/// A screen that is to be built and shown.
struct ScreenPlan<R: Route>: Plan {
    let route: R
    let feature: any Feature<R>
    let style: PresentationStyle
    /// Whether an interceptor shows it; before the first screen, that one takes its place.
    let isProvisional: Bool
    let caller: Caller<R.Output>?

    func fulfil(in router: RouterService) async throws -> (any AnyShowing)? {
        try router.show(self)
    }
}

/// An action that is to be performed.
struct ActionPlan<R: Route>: Plan {
    let route: R
    let action: any Action<R>
    let caller: Caller<R.Output>?

    func fulfil(in router: RouterService) async throws -> (any AnyShowing)? {
        let start = router.log.start()
        let output = try await action.perform(route)
        router.log.add(.performed(AnyRoute(route), in: router.log.duration(since: start)))
        caller?.receive(.success(output))
        return nil
    }
}
