import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

/// Work that is in flight while a module is replaced, and what it finds afterwards.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct GenerationTests {
    private final class Holder {
        let clock: Deferred<any Shop.Clock>
        init(clock: Deferred<any Shop.Clock>) { self.clock = clock }
    }

    private struct Tick: Event {}

    private static let session = Scope("shop.session")

    private let presenter = HeadlessPresenter()
    private let gate = Gate()
    private let journal = Journal()

    // Services of a module that stays.

    /// Something that is under way during a replacement.
    enum Work: CaseIterable {
        case nothing, result, action, listener, interceptor, question
    }

    @Test(arguments: Work.allCases)
    func deferredDependency_isOfTheCurrentGeneration_whateverIsUnderWay(work: Work) async throws {
        let gate = gate
        let router = presenter.router(replacing: .clocks("old")) {
            $0.register(Holder.self, lifetime: .singleton, by: Holder.init)
            $0.probe(Shop.Account.self)
            $0.action(Shop.Count.self) { (_: Holder) in
                ProbeAction { _ in
                    await gate.pass()
                    return 1
                }
            }
            $0.listen(to: Tick.self) { (_, _: Holder) in await gate.pass() }
            $0.intercept(.all) { (_: Holder) in
                ProbeInterceptor { request in
                    if request.route is Shop.Help { await gate.pass() }
                    return .proceed
                }
            }
        }
        try await router.start(with: Shop.Catalogue())
        let holder = try router.resolve(Holder.self)
        weak var first: NamedClock?
        do {
            let clock = try holder.clock.value
            first = clock as? NamedClock
        }
        switch work {
        case .nothing: break
        case .result:
            Task { try? await router.result(of: Shop.Account()) }
            _ = try await presenter.arrival(at: Shop.Account.self)
        case .action: Task { try? await router.open(Shop.Count()) }
        case .listener: Task { await router.broadcast(Tick()) }
        case .interceptor: Task { try? await router.open(Shop.Help()) }
        case .question:
            try await router.open(Shop.Account())
            try await presenter.arrival(at: Shop.Account.self).context.confirmLeaving {
                await gate.pass()
                return true
            }
            Task { await presenter.goBack() }
        }
        if ![.nothing, .result].contains(work) { await gate.arrival() }
        try await router.replace([Versioned.clocks("new")])
        #expect(try holder.clock.value.name == "new")
        #expect(first == nil, "the first generation is gone")
        gate.open()
        await settled()
        #expect(try holder.clock.value.name == "new")
        #expect(try router.resolve(Holder.self) === holder)
    }

    @Test func deferredDependency_ofAnEndedScope_throwsAlsoAfterAReplacement() async throws {
        let router = presenter.router(replacing: Versioned()) {
            $0.register((any Shop.Clock).self, lifetime: .scope(Self.session)) { NamedClock("session") }
            $0.register(Holder.self, lifetime: .singleton, by: Holder.init)
            $0.probe(Shop.Account.self)
        }
        try await router.start(with: Shop.Catalogue())
        try router.enter(Self.session)
        let holder = try router.resolve(Holder.self)
        #expect(try holder.clock.value.name == "session")
        let result = Caller { try await router.result(of: Shop.Account()) }
        let account = try await presenter.arrival(at: Shop.Account.self)
        try await router.replace([Unrelated()])
        try router.leave(Self.session)
        #expect(await failure { try holder.clock.value } == .outsideScope)
        try account.context.finish("done")
        #expect(try await result.output == "done")
    }

    @Test func serviceOfAScope_thatIsLeftDuringThePreparation_isNotHandedOver() async throws {
        let (gate, journal) = (gate, journal)
        func version(_ name: String) -> Versioned {
            Versioned {
                $0.register((any Shop.Clock).self, lifetime: .scope(Self.session)) { NamedClock(name) }
                $0.prepare(Rates.self) { (clock: Deferred<any Shop.Clock>) async in
                    guard name == "new" else { return Rates(name) }
                    journal.note((try? clock.value.name) ?? "no clock")
                    await gate.pass()
                    journal.note((try? clock.value.name) ?? "no clock")
                    return Rates(name)
                }
            }
        }
        for isEnteredAgain in [false, true] {
            let router = presenter.router(replacing: version("old"))
            try router.enter(Self.session)
            try await router.start(with: Shop.Catalogue())
            let replacement = Caller { try await router.replace([version("new")]) }
            if !isEnteredAgain { await gate.arrival() } else { await eventually { journal.lines.count > 2 } }
            try router.leave(Self.session)
            if isEnteredAgain { try router.enter(Self.session) }
            gate.open()
            try await replacement.output
            #expect(
                await failure { try router.resolve((any Shop.Clock).self) }
                    == (isEnteredAgain ? .none : .outsideScope))
            presenter.remove(presenter.stack.map(\.presentation.id))
        }
        #expect(journal.lines.prefix(2) == ["new", "no clock"])
    }

    // Openings and broadcasts in flight.

    @Test func openingInFlight_asksTheInterceptorsOfTheNewGeneration() async throws {
        let (gate, journal) = (gate, journal)
        func version(_ name: String) -> Versioned {
            Versioned {
                $0.register((any Shop.Clock).self, lifetime: .singleton) { NamedClock(name) }
                $0.intercept(.all) { (clock: any Shop.Clock) in
                    ProbeInterceptor { request in
                        guard request.route is Shop.Account else { return .proceed }
                        journal.note(clock.name)
                        if clock.name == "old" { await gate.pass() }
                        return clock.name == "old" ? .proceed : .redirect(to: Shop.Help())
                    }
                }
            }
        }
        let router = presenter.router(replacing: version("old")) {
            $0.probe(Shop.Account.self)
            $0.probe(Shop.Help.self)
        }
        try await router.start(with: Shop.Catalogue())
        let opening = Caller { try await router.open(Shop.Account()) }
        await gate.arrival()
        try await router.replace([version("new")])
        gate.open()
        try await opening.output
        #expect(journal.lines == ["old", "new"])
        #expect(presenter.top is ProbeScreen<Shop.Help>)
    }

    @Test func redirectInFlight_ofAnOldInterceptor_isAskedAboutAgain() async throws {
        let gate = Gate()
        func version(_ decision: Interception) -> Versioned {
            Versioned { $0.intercept(Shop.Account.self) { ProbeInterceptor { _ in decision } } }
        }
        let router = presenter.router(replacing: version(.redirect(to: Shop.Help()))) {
            $0.probe(Shop.Account.self)
            $0.probe(Shop.Help.self)
            $0.decide(about: Shop.Help.self) { _ in
                await gate.pass()
                return .proceed
            }
        }
        try await router.start(with: Shop.Catalogue())
        let opening = Caller { try await router.open(Shop.Account()) }
        await gate.arrival()
        try await router.replace([version(.reject(Shop.Failure()))])
        gate.open()
        await #expect(throws: Shop.Failure.self) { try await opening.output }
        #expect(presenter.stack.count == 1)
    }

    @Test func stackInFlight_asksNewInterceptorsAboutWhatIsNotShownYet() async throws {
        let (gate, journal) = (gate, journal)
        func version(_ name: String) -> Versioned {
            Versioned {
                $0.decide { request in
                    if !(request.route is Shop.Count) { journal.note("\(name) \(request.route)") }
                    return .proceed
                }
            }
        }
        let router = presenter.router(replacing: version("old")) {
            $0.probe(Shop.Help.self)
            $0.count { _ in await gate.pass() }
        }
        try await router.start(with: Shop.Catalogue())
        let opening = Caller {
            try await router.open([Shop.Catalogue(page: 2), Shop.Count(), Shop.Help()] as [any Route])
        }
        await gate.arrival()
        try await router.replace([version("new")])
        gate.open()
        try await opening.output
        #expect(journal.lines.filter { $0.hasPrefix("new") } == ["new Help()"])
        #expect(presenter.stack.count == 3)
    }

    @Test func broadcastInFlight_goesOnWithTheListenersOfTheNewGeneration() async throws {
        let (gate, journal) = (gate, journal)
        let router = presenter.router(
            replacing:
                Versioned {
                    $0.register((any Shop.Clock).self, lifetime: .singleton) { NamedClock("old") }
                    $0.listen(to: Tick.self) { (_, clock: any Shop.Clock) in journal.note(clock.name) }
                }
        ) {
            $0.listen(to: Tick.self) { _ in
                journal.note("first")
                await gate.pass()
            }
            $0.listen(to: Tick.self) { _ in journal.note("second") }
        }
        let broadcast = Caller { await router.broadcast(Tick()) }
        await gate.arrival()
        try await router.replace([Versioned { $0.listen(to: Tick.self) { _ in journal.note("new") } }])
        gate.open()
        #expect(try await broadcast.output.isEmpty)
        #expect(journal.lines == ["first", "second", "new"])
    }
}
