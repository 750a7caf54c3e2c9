import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

/// Openings that wait while something else happens: modules are replaced, or other screens are opened.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct InFlightTests {
    /// A way from one route to another.
    enum Rerouting: CaseIterable {
        case adapter, redirect, fallback
    }

    private let presenter = HeadlessPresenter()
    private let gate = Gate()

    private func started(
        _ registration: @escaping @MainActor (Registrar) -> Void
    ) async throws -> RouterService {
        let router = presenter.router(TestModule(registration), Unrelated())
        try await router.start(with: Shop.Catalogue())
        return router
    }

    private func waiting(at gates: [Int: Gate]) -> ProbeAction<Shop.Count> {
        ProbeAction { route in
            await gates[route.limit]?.pass()
            return 1
        }
    }

    private var pages: [Int] {
        presenter.stack.compactMap { ($0.screen as? ProbeScreen<Shop.Catalogue>)?.route.page }
    }

    @Test(arguments: Rerouting.allCases)
    func callerOfAReroutedRoute_receivesTheOutput_whenAModuleIsReplacedMeanwhile(
        rerouting: Rerouting
    )
        async throws
    {
        let gate = gate
        let router = try await started { registrar in
            registrar.probe(Shop.Help.self)
            switch rerouting {
            case .adapter:
                registrar.adapt(
                    Shop.Account.self, to: Shop.Help.self, route: { _ in Shop.Help() }, output: { $0 })
            case .redirect:
                registrar.probe(Shop.Account.self)
                registrar.intercept(Shop.Account.self) {
                    ProbeInterceptor { _ in .redirect(to: Shop.Help()) }
                }
            case .fallback:
                registrar.route(Shop.Account.self, .fallback { _ in Shop.Help() }) {
                    ConditionalFeature<Shop.Account> { _ in false }
                }
            }
            registrar.decide(about: Shop.Help.self) { _ in
                await gate.pass()
                return .proceed
            }
        }
        let caller = Caller { try await router.result(of: Shop.Account()) }
        await gate.arrival()
        try await router.replace([Unrelated()])
        gate.open()
        try await presenter.arrival(at: Shop.Help.self).context.finish("helped")
        #expect(try await caller.output == "helped")
    }

    @Test func newFirstScreen_asksWhatWasOpenedDuringAnAction() async throws {
        let gates = [1: gate]
        let router = try await started {
            $0.probe(Shop.Account.self)
            $0.action(Shop.Count.self) { waiting(at: gates) }
        }
        let opening = Caller {
            try await router.open([Shop.Count(limit: 1), Shop.Catalogue(page: 2)] as [any Route], as: .root)
        }
        await gate.arrival()
        try await router.open(Shop.Account())
        try await presenter.arrival(at: Shop.Account.self).context.confirmLeaving { false }
        gate.open()
        await #expect(throws: (any Error).self) { try await opening.output }
        #expect(pages == [1])
        #expect(presenter.stack.count == 2)
    }

    @Test func newFirstScreen_asksWhatWasOpenedDuringAnActionAboveIt() async throws {
        let (gates, journal) = ([1: gate], Journal())
        let router = try await started {
            $0.probe(Shop.Account.self)
            $0.action(Shop.Count.self) { waiting(at: gates) }
        }
        try await presenter.arrival(at: Shop.Catalogue.self).context.confirmLeaving {
            journal.note("asked")
            return true
        }
        let opening = Caller {
            try await router.open([Shop.Catalogue(page: 2), Shop.Count(limit: 1)] as [any Route], as: .root)
        }
        await gate.arrival()
        let first = try #require(presenter.stack[0].screen as? ProbeScreen<Shop.Catalogue>)
        try first.context.confirmLeaving(nil)
        try first.context.confirmLeaving { false }
        gate.open()
        try await opening.output
        #expect(journal.lines == ["asked"], "a screen is asked once")
        #expect(pages == [2])
    }

    @Test func newFirstScreen_asksWhatWasOpenedWhileItWasResolvedAgain() async throws {
        let (gate, question, journal) = (gate, Gate(), Journal())
        let router = try await started {
            $0.probe(Shop.Account.self)
            $0.decide(about: Shop.Catalogue.self) { request in
                guard request.route as? Shop.Catalogue == Shop.Catalogue(page: 2) else { return .proceed }
                journal.note("decided")
                if journal.lines.count == 2 { await gate.pass() }
                return .proceed
            }
        }
        try await presenter.arrival(at: Shop.Catalogue.self).context.confirmLeaving {
            await question.pass()
            return true
        }
        let opening = Caller { try await router.open(Shop.Catalogue(page: 2), as: .root) }
        await question.arrival()
        try await router.replace([Unrelated()])
        question.open()
        await gate.arrival()
        try await router.open(Shop.Account())
        try await presenter.arrival(at: Shop.Account.self).context.confirmLeaving { false }
        gate.open()
        await #expect(throws: (any Error).self) { try await opening.output }
        #expect(pages == [1])
        #expect(presenter.stack.count == 2)
    }

    @Test(arguments: [[1, 2], [2, 1]])
    func twoNewStacks_doNotMix_andTheOneThatBeganLastIsShown(order: [Int]) async throws {
        let gates = [1: Gate(), 2: Gate()]
        let router = try await started { $0.action(Shop.Count.self) { waiting(at: gates) } }
        func stack(_ number: Int) -> Caller<Void> {
            Caller {
                try await router.open(
                    [
                        Shop.Catalogue(page: 10 * number), Shop.Count(limit: number),
                        Shop.Catalogue(page: 10 * number + 1),
                    ] as [any Route], as: .root)
            }
        }
        let first = stack(1)
        await gates[1]?.arrival()
        let second = stack(2)
        await gates[2]?.arrival()
        for number in order {
            gates[number]?.open()
            await settled()
        }
        await #expect(throws: (any Error).self) { try await first.output }
        try await second.output
        #expect(pages == [20, 21])
    }
}
