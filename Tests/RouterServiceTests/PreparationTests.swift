import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

/// Preparations of services that end, fail or wait: at the start, and while modules are replaced.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct PreparationTests {
    /// Reaches a router from the registrations of its own modules.
    @MainActor
    private final class RouterBox {
        weak var router: RouterService?
    }

    private let presenter = HeadlessPresenter()
    private let gate = Gate()
    private let journal = Journal()

    /// A version whose service is never prepared, also when its task is cancelled.
    private func endless() -> Versioned {
        let gate = gate
        return Versioned {
            $0.prepare(Rates.self) { () async in
                await gate.pass()
                return Rates("endless")
            }
            $0.register((any Shop.Clock).self, lifetime: .singleton) { (rates: Rates) in
                NamedClock(rates.name)
            }
        }
    }

    @Test func replacementThatPreparesForEver_endsWithItsTask_andTheNextOneGoesOn() async throws {
        let router = presenter.router(replacing: .clocks("old"))
        try await router.start(with: Shop.Catalogue())
        let first = Caller { try await router.replace([endless()]) }
        await gate.arrival()
        let second = Caller { try await router.replace([Versioned.clocks("second")]) }
        let third = Caller { try await router.replace([Versioned.clocks("third")]) }
        await settled()
        #expect(try router.resolve((any Shop.Clock).self).name == "old")
        third.task.cancel()
        #expect(await failure { try await third.output } == .cancellation, "one that waits its turn ends too")
        first.task.cancel()
        #expect(await failure { try await first.output } == .cancellation)
        try await second.output
        gate.open()
        await settled()
        #expect(try router.resolve((any Shop.Clock).self).name == "second")
    }

    @Test func startThatPreparesForEver_endsWithItsTask_andMayBeTriedAgain() async throws {
        let (gate, journal) = (gate, journal)
        let router = presenter.router(
            replacing:
                Versioned {
                    $0.prepare(Rates.self) { () async in
                        journal.note("prepared")
                        let number = journal.lines.count
                        if number == 1 { await gate.pass() }
                        return Rates("\(number)")
                    }
                })
        let first = Caller { try await router.start(with: Shop.Catalogue()) }
        await gate.arrival()
        first.task.cancel()
        #expect(await failure { try await first.output } == .cancellation)
        try await router.start(with: Shop.Catalogue())
        gate.open()
        await settled()
        #expect(try router.resolve(Rates.self).name == "2", "what was left alone is not kept")
        #expect(journal.lines.count == 2)
    }

    @Test func replacementOrStart_awaitedWithinAPreparation_isAnError() async throws {
        let (box, journal) = (RouterBox(), journal)
        func version(_ name: String) -> Versioned {
            Versioned {
                $0.prepare(Rates.self) { () async in
                    // In a task that the service waits for, too.
                    let task = Task { await failure { try await box.router?.replace([Unrelated()]) } }
                    journal.note("\(await task.value)")
                    journal.note("\(await failure { try await box.router?.start(with: Shop.Catalogue()) })")
                    return Rates(name)
                }
            }
        }
        let router = presenter.router(replacing: version("old"))
        box.router = router
        try await router.start(with: Shop.Catalogue())
        try await router.replace([version("new")])
        #expect(try router.resolve(Rates.self).name == "new")
        #expect(
            journal.lines == ["withinPreparation", "alreadyStarted", "withinPreparation", "alreadyStarted"])
    }

    @Test func taskThatAPreparedServiceBegan_mayReplaceLater() async throws {
        let (box, gate) = (RouterBox(), gate)
        let router = presenter.router(
            replacing:
                Versioned {
                    $0.prepare(Rates.self) { () async in
                        Task {
                            await gate.pass()
                            try await box.router?.replace([Versioned.clocks("by the task")])
                        }
                        return Rates("")
                    }
                })
        box.router = router
        try await router.start(with: Shop.Catalogue())
        gate.open()
        await eventually { (try? router.resolve((any Shop.Clock).self).name) == "by the task" }
    }

    @Test func replacementWhileStartPrepares_waits_andBothSucceed() async throws {
        let gate = gate
        let router = presenter.router(replacing: .clocks("old")) {
            $0.prepare(Rates.self) { () async in
                await gate.pass()
                return Rates("kept")
            }
            $0.prepare(Int.self) { (rates: Rates) async in rates.name.count }
        }
        let start = Caller { try await router.start(with: Shop.Catalogue()) }
        await gate.arrival()
        let replacement = Caller { try await router.replace([Versioned.clocks("new")]) }
        await settled()
        gate.open()
        try await start.output
        try await replacement.output
        #expect(try router.resolve(Int.self) == 4)
        #expect(try router.resolve((any Shop.Clock).self).name == "new")
    }

    @Test func presentersModule_replacedWhileStartRuns_isRejected() async throws {
        let (gate, presenter) = (gate, presenter)
        let version = Versioned {
            $0.register((any Presenter).self, lifetime: .singleton) { presenter }
            $0.prepare(Rates.self) { () async in
                await gate.pass()
                return Rates("")
            }
        }
        let router = RouterService(modules: [version, TestModule { $0.probe(Shop.Catalogue.self) }])
        let start = Caller { try await router.start(with: Shop.Catalogue()) }
        await gate.arrival()
        let replacement = Caller { try await router.replace([version]) }
        await settled()
        gate.open()
        #expect(await failure { try await replacement.output } == .presenterInUse)
        try await start.output
        #expect(presenter.stack.count == 1)
    }

    @Test func presentersModule_mayBeReplacedAfterAStartThatFailed() async throws {
        let presenter = presenter
        let version = Versioned { $0.register((any Presenter).self, lifetime: .singleton) { presenter } }
        let router = RouterService(modules: [version])
        #expect(await failure { try await router.start(with: Shop.Catalogue()) } == .missingHandler)
        try await router.replace([version])
    }
}
