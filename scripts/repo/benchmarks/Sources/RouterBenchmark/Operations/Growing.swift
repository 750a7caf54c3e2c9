import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram

extension Operation {
    /// Work for many listeners or screens, of which each is a repetition: its cost does not grow with their number.
    static let growing = [100, 1_000].map { broadcast(to: $0) } + [50, 500].map { ask($0) }

    private static func broadcast(to count: Int) -> Operation {
        Operation("broadcast-among-\(count)") {
            let router = RouterService(modules: [Listening(count: count)])
            return { repetitions in
                let start = ContinuousClock.now
                for _ in 0..<max(1, repetitions / count) { await router.broadcast(Rung()) }
                return ContinuousClock.now - start
            }
        }
    }

    /// Asks all screens above the first, of which the lowest objects, so that none is left.
    private static func ask(_ count: Int) -> Operation {
        Operation("ask-among-\(count)") {
            let router = RouterService(modules: [Asking(presenter: TopmostPresenter())])
            try await router.start(with: Page(number: 0))
            try await router.open((1...count).map { Page(number: $0) })
            return { repetitions in
                let start = ContinuousClock.now
                for _ in 0..<max(1, repetitions / count) {
                    do { try await router.open(Page(number: 0), as: .root) } catch is UserDeclined {}
                }
                return ContinuousClock.now - start
            }
        }
    }
}

private struct Rung: Event {}

private struct Listening: Module {
    let count: Int

    func register(in registrar: Registrar) {
        for _ in 0..<count { registrar.listen(to: Rung.self) { _ in } }
    }
}

private struct Page: Route {
    static let identifier = "page"
    let number: Int
}

private struct Asking: Module {
    let presenter: TopmostPresenter

    func register(in registrar: Registrar) {
        registrar.register((any Presenter).self, lifetime: .singleton) { presenter }
        registrar.route(Page.self, by: PageFeature.init)
    }
}

private struct PageFeature: Feature {
    func build(_ route: Page, in context: any RouteContext<Page>) throws -> any Screen {
        if route.number > 0 { try context.confirmLeaving { route.number > 1 } }
        return EmptyScreen()
    }
}
