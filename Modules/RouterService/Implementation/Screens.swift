import RouterServiceInterface

// What is shown and removed: the router's stack and the presenter's change together, here only.
extension RouterService {
    /// Builds the screen of a plan and shows it above all others.
    func show<R: Route>(_ plan: ScreenPlan<R>) throws -> Showing<R> {
        guard let presenter else { throw RouterError.notStarted(route: TypeName(R.self)) }
        let start = log.start()
        let showing = Showing(plan, isRoot: plan.style == .root || screens.isEmpty, router: self)
        // It is on the stack while it is being built, so that a screen that finishes at once is treated alike.
        screens.push(showing)
        do {
            let screen = try plan.feature.build(plan.route, in: showing.context)
            guard screens.contains(showing) else { return showing }
            try presenter.show(screen, as: showing.presentation)
        } catch {
            remove(showing)
            throw error
        }
        log.add(.presented(AnyRoute(plan.route), as: plan.style, in: log.duration(since: start)))
        return showing
    }

    /// Delivers an output and removes its screen.
    func finish<R: Route>(_ showing: Showing<R>, with output: R.Output) throws {
        guard !showing.isFinished else { throw RouterError.alreadyFinished(route: showing.routeType) }
        try requireRemovable(showing)
        showing.finish(with: output)
        log.add(.finished(AnyRoute(showing.route)))
        leave(showing)
    }

    /// Removes a screen because the person left it, or because the presenter dropped it.
    func close(_ showing: any AnyShowing) {
        if !showing.isRoot { remove(showing) }
    }

    /// Removes a screen because its feature asks for it.
    func dismiss(_ showing: any AnyShowing) throws {
        try requireRemovable(showing)
        leave(showing)
    }

    /// Removes screens until the nearest one below that a condition holds for is the topmost.
    func dismiss(
        _ showing: any AnyShowing, to destination: @autoclosure () -> String,
        where condition: (any Route) -> Bool
    ) throws {
        guard screens.contains(showing) else { throw RouterError.screenDismissed(route: showing.routeType) }
        guard let next = screens.showing(above: { condition($0.anyRoute) }, below: showing) else {
            throw RouterError.routeNotInStack(destination())
        }
        remove(next)
    }

    /// Removes a screen with all above it; whoever waits for one of them receives a cancellation.
    func remove(_ showing: any AnyShowing) {
        end(screens.remove(from: showing))
    }

    /// Removes what is below a screen that begins anew.
    func removeBelow(_ showing: any AnyShowing) {
        end(screens.remove(below: showing))
    }

    /// Removes everything that was shown before a first screen that could not be.
    func removeAll() {
        end(screens.removeAll())
    }

    private func end(_ removed: [any AnyShowing]) {
        guard !removed.isEmpty else { return }
        for showing in removed { showing.lease?.end() }
        presenter?.remove(removed.map(\.id))
        for showing in removed {
            showing.end()
            log.add(.removed(AnyRoute(showing.anyRoute)))
        }
    }

    /// Removes a screen, unless the first one is about to take its place.
    private func leave(_ showing: any AnyShowing) {
        if showing.isRoot { showing.end() } else { remove(showing) }
    }

    private func requireRemovable(_ showing: any AnyShowing) throws {
        guard screens.contains(showing) else { throw RouterError.screenDismissed(route: showing.routeType) }
        let isAwaitedFirst = isStarting && showing.isProvisional
        guard !showing.isRoot || isAwaitedFirst else { throw RouterError.cannotDismissRoot(route: showing.routeType) }
    }
}
