import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting

/// Routes, services and a module that the tests of this folder share.
enum Shop {
    struct Catalogue: Route {
        static let identifier = "shop.catalogue"
        var page = 1
    }

    struct Checkout: Route {
        typealias Output = String
        static let identifier = "shop.checkout"
        let items: [String]
    }

    protocol Clock: AnyObject { var name: String { get } }
    protocol Prices: AnyObject { var clock: any Clock { get } }

    final class FakeClock: Clock { let name = "fake" }

    final class FixedPrices: Prices {
        let clock: any Clock
        init(clock: any Clock) { self.clock = clock }
    }

    struct Failure: Error, Equatable {}
}

/// A screen that remembers the context it was built with, so that a test can act in its place.
final class ProbeScreen<R: Route>: Screen {
    let route: R
    let context: any RouteContext<R>

    init(route: R, context: any RouteContext<R>) {
        self.route = route
        self.context = context
    }
}

struct ProbeFeature<R: Route>: Feature {
    func build(_ route: R, in context: any RouteContext<R>) throws -> any Screen {
        ProbeScreen(route: route, context: context)
    }
}

/// A router with a headless presenter and a probe for each of the shop's routes.
@MainActor
struct Stage {
    let presenter = HeadlessPresenter()
    let router: RouterService

    init(_ registration: @escaping @MainActor (Registrar) -> Void = { _ in }) {
        let presenter = presenter
        router = RouterService(modules: [
            TestModule { registrar in
                registrar.register((any Presenter).self, lifetime: .singleton) { presenter }
                registrar.probe(Shop.Catalogue.self)
                registrar.probe(Shop.Checkout.self)
            },
            TestModule(registration),
        ])
    }

    /// The topmost screen, where it is the probe of a route.
    func top<R: Route>(_ route: R.Type) -> ProbeScreen<R>? {
        presenter.top as? ProbeScreen<R>
    }

    /// Waits until the topmost screen is the probe of a route.
    ///
    /// - Throws: `CancellationError` when the test's time limit ends its task.
    func arrival<R: Route>(at route: R.Type) async throws -> ProbeScreen<R> {
        try await presenter.arrival(at: route)
    }
}

/// A caller that waits for a result, in a task of its own.
@MainActor
struct Caller<Output: Sendable> {
    let task: Task<Void, Never>
    private let outcomes: AsyncStream<Result<Output, any Error>>

    init(_ call: @escaping @MainActor () async throws -> Output) {
        let (outcomes, report) = AsyncStream.makeStream(of: Result<Output, any Error>.self)
        self.outcomes = outcomes
        task = Task {
            do { report.yield(.success(try await call())) } catch { report.yield(.failure(error)) }
            report.finish()
        }
    }

    /// The result of the call; unlike the task's own value, it ends with the test's time limit.
    var output: Output {
        get async throws {
            for await outcome in outcomes { return try outcome.get() }
            throw NoOutcome()
        }
    }

    private struct NoOutcome: Error {}
}
