import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

/// Work grows with what it touches: what grows faster fails by a multiple of these bounds.
///
/// The processor time of a thread is measured, and the median of several attempts counts: the main actor runs on any thread of a
/// pool, so an attempt may end on another thread and has no time, or return to its thread and has too short a time.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(5)))
struct GrowthTests {
    private struct Rung: Event {}

    private func time(_ work: () async throws -> Void) async rethrows -> Duration {
        var times: [Duration] = []
        while times.count < 7 {
            let (thread, start) = (currentThread(), processorTime())
            try await work()
            if currentThread() == thread { times.append(processorTime() - start) }
        }
        return times.sorted()[times.count / 2]
    }

    @Test func broadcast_growsWithItsListeners() async throws {
        func time(of count: Int) async -> Duration {
            let router = RouterService { registrar in
                for _ in 0..<count { registrar.listen(to: Rung.self) { _ in } }
            }
            return await self.time { await router.broadcast(Rung()) }
        }
        let (few, many) = (await time(of: 100), await time(of: 800))
        #expect(many < few * 24, "\(few) and \(many)")
    }

    @Test func askingScreens_growsWithTheirNumber() async throws {
        func time(of count: Int) async throws -> Duration {
            let stage = try await Stage.started()
            try await stage.router.open((2...count + 1).map { Shop.Catalogue(page: $0) })
            for entry in stage.presenter.stack.dropFirst() {
                let screen = try #require(entry.screen as? ProbeScreen<Shop.Catalogue>)
                let page = screen.route.page
                // The lowest screen, which is asked last, is to stay.
                try screen.context.confirmLeaving { page > 2 }
            }
            return try await self.time {
                await #expect(throws: UserDeclined.self) {
                    try await stage.router.open(Shop.Catalogue(), as: .root)
                }
            }
        }
        let (few, many) = (try await time(of: 50), try await time(of: 400))
        #expect(many < few * 24, "\(few) and \(many)")
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
        func time(of count: Int) async throws -> Duration {
            let presenter = HeadlessPresenter()
            let base = TestModule {
                $0.register((any Presenter).self, lifetime: .singleton) { presenter }
                $0.register((any Shop.Clock).self, lifetime: .singleton, by: Shop.FakeClock.init)
                $0.probe(Shop.Catalogue.self)
            }
            let router = RouterService(modules: [base] + modules(count, from: Never.self))
            try await router.start(with: Shop.Catalogue())
            _ = try router.resolve(Numbered<Never>.Service.self)
            return try await self.time { try await router.replace([Numbered<Never>()]) }
        }
        let (few, many) = (try await time(of: 5), try await time(of: 100))
        #expect(many < few * 4, "\(few) and \(many)")
    }
}
