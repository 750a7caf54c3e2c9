import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting

/// A version of a module, as if it had been recompiled: its registrations differ, its name does not.
struct Versioned: Module {
    private let registration: @MainActor (Registrar) -> Void

    init(_ registration: @escaping @MainActor (Registrar) -> Void = { _ in }) {
        self.registration = registration
    }

    func register(in registrar: Registrar) { registration(registrar) }

    /// A version with a clock.
    static func clocks(
        _ name: String, _ lifetime: Lifetime = .singleton,
        more: @escaping @MainActor (Registrar) -> Void = { _ in }
    ) -> Versioned {
        Versioned {
            $0.register((any Shop.Clock).self, lifetime: lifetime) { NamedClock(name) }
            more($0)
        }
    }

    /// A version with a clock, and with the account's screen, which shows the clock.
    static func account(_ name: String) -> Versioned {
        .clocks(name) { $0.route(Shop.Account.self, by: ClockFeature<Shop.Account>.init) }
    }
}

/// A screen that keeps the values that its feature received.
final class ClockScreen<R: Route>: Screen, RouteProbe {
    let route: R
    let clock: any Shop.Clock
    let context: any RouteContext<R>
    init(_ route: R, _ clock: any Shop.Clock, _ context: any RouteContext<R>) {
        (self.route, self.clock, self.context) = (route, clock, context)
    }
    var anyRoute: AnyRoute { AnyRoute(route) }
}

struct ClockFeature<R: Route>: Feature {
    let clock: any Shop.Clock
    func build(_ route: R, in context: any RouteContext<R>) -> any Screen {
        ClockScreen(route, clock, context)
    }
}

extension TestModule {
    /// Prices, which hold the clock, registered by a module that is not replaced.
    @MainActor
    static var prices: TestModule {
        TestModule { $0.register((any Shop.Prices).self, lifetime: .singleton, by: Shop.FixedPrices.init) }
    }
}

/// A module that no other module depends on.
struct Unrelated: Module {
    func register(in registrar: Registrar) {}
}

final class NamedClock: Shop.Clock {
    let name: String
    init(_ name: String) { self.name = name }
}

/// A service that has to be prepared.
final class Rates: Sendable {
    let name: String
    init(_ name: String) { self.name = name }
}

extension HeadlessPresenter {
    /// A router that shows the catalogue in this presenter.
    func router(_ modules: any Module...) -> RouterService {
        let base = TestModule {
            $0.register((any Presenter).self, lifetime: .singleton) { self }
            $0.probe(Shop.Catalogue.self)
        }
        return RouterService(modules: [base] + modules)
    }

    /// A router of a module that the test replaces, between modules that stay.
    func router(
        replacing versioned: Versioned, _ others: @escaping @MainActor (Registrar) -> Void = { _ in }
    ) -> RouterService {
        router(TestModule(others), versioned, Unrelated())
    }

    /// Waits until the topmost screen is the probe of a route.
    func arrival<R: Route>(at route: R.Type) async throws -> ProbeScreen<R> {
        while true {
            if let probe = top as? ProbeScreen<R> { return probe }
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
