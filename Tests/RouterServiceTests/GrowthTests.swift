import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

/// Work grows with what it touches: what grows faster fails by a multiple of these bounds.
///
/// The processor time of the process is measured, because the main actor runs on any thread of a pool. The small case is repeated until
/// it is as much work as the large case, and both take turns, so that tests that run at the same time cost both alike.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(5)))
struct GrowthTests {
    private struct Rung: Event {}

    private typealias Work = @MainActor () async throws -> Void

    /// The time of the large case, divided by that of the small case and its repetitions.
    private func quotient(of large: Work, by small: Work, repeated repetitions: Int) async rethrows -> Double
    {
        // The first calls make the metadata of types.
        try await small()
        try await large()
        var times = (large: Duration.zero, small: Duration.zero)
        for _ in 0..<7 {
            let start = processorTime(ofProcess: true)
            for _ in 0..<repetitions { try await small() }
            let middle = processorTime(ofProcess: true)
            try await large()
            times.small += middle - start
            times.large += processorTime(ofProcess: true) - middle
        }
        return times.large / times.small
    }

    @Test func broadcast_growsWithItsListeners() async throws {
        func broadcast(to count: Int) -> Work {
            let router = RouterService { registrar in
                for _ in 0..<count { registrar.listen(to: Rung.self) { _ in } }
            }
            return { await router.broadcast(Rung()) }
        }
        #expect(try await quotient(of: broadcast(to: 800), by: broadcast(to: 100), repeated: 8) < 3)
    }

    @Test func askingScreens_growsWithTheirNumber() async throws {
        func ask(_ count: Int) async throws -> Work {
            let stage = try await Stage.started()
            try await stage.router.open((2...count + 1).map { Shop.Catalogue(page: $0) })
            for entry in stage.presenter.stack.dropFirst() {
                let screen = try #require(entry.screen as? ProbeScreen<Shop.Catalogue>)
                let page = screen.route.page
                // The lowest screen, which is asked last, is to stay.
                try screen.context.confirmLeaving { page > 2 }
            }
            return {
                await #expect(throws: UserDeclined.self) {
                    try await stage.router.open(Shop.Catalogue(), as: .root)
                }
            }
        }
        #expect(try await quotient(of: ask(400), by: ask(50), repeated: 8) < 3)
    }

    /// A module, a service and a route for each type.
    private struct Numbered<N>: Module {
        final class Service {
            init(clock: any Shop.Clock) {}
        }

        func register(in registrar: Registrar) {
            registrar.register(Service.self, lifetime: .singleton, by: Service.init)
            registrar.listen(to: Rung.self) { (_, _: Service) in }
        }
    }

    private struct Next<N> {}

    private func modules<N>(_ count: Int, from type: N.Type) -> [any Module] {
        count == 0 ? [] : [Numbered<N>()] + modules(count - 1, from: Next<N>.self)
    }

    @Test func replacement_growsWithItsModule() async throws {
        func replace(among count: Int) async throws -> Work {
            let presenter = HeadlessPresenter()
            let base = TestModule {
                $0.register((any Presenter).self, lifetime: .singleton) { presenter }
                $0.register((any Shop.Clock).self, lifetime: .singleton, by: Shop.FakeClock.init)
                $0.probe(Shop.Catalogue.self)
            }
            let router = RouterService(modules: [base] + modules(count, from: Never.self))
            try await router.start(with: Shop.Catalogue())
            _ = try router.resolve(Numbered<Never>.Service.self)
            return { try await router.replace([Numbered<Never>()]) }
        }
        #expect(try await quotient(of: replace(among: 100), by: replace(among: 5), repeated: 1) < 4)
    }
}
