import Foundation
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

    /// Reaches a router from the registrations of its own modules.
    @MainActor
    private final class RouterBox {
        weak var router: RouterService?
    }

    private static let session = Scope("shop.session")

    private let presenter = HeadlessPresenter()
    private let gate = Gate()
    private let journal = Journal()

    private func router(
        _ versioned: Versioned, _ others: @escaping @MainActor (Registrar) -> Void = { _ in }
    ) -> RouterService {
        presenter.router(TestModule(others), versioned, Unrelated())
    }

    // Preparations end.

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
        let router = router(.clocks("old"))
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
        let router = router(
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
        let router = router(version("old"))
        box.router = router
        try await router.start(with: Shop.Catalogue())
        try await router.replace([version("new")])
        #expect(try router.resolve(Rates.self).name == "new")
        #expect(
            journal.lines == ["withinPreparation", "alreadyStarted", "withinPreparation", "alreadyStarted"])
    }

    @Test func taskThatAPreparedServiceBegan_mayReplaceLater() async throws {
        let (box, gate) = (RouterBox(), gate)
        let router = router(
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
        let router = router(.clocks("old")) {
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

    // Services of a module that stays.

    /// Something that is under way during a replacement.
    enum Work: CaseIterable {
        case nothing, result, action, listener, interceptor, question
    }

    @Test(arguments: Work.allCases)
    func deferredDependency_isOfTheCurrentGeneration_whateverIsUnderWay(work: Work) async throws {
        let gate = gate
        let router = router(.clocks("old")) {
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
    }

    @Test func deferredDependency_ofAnEndedScope_throwsAlsoAfterAReplacement() async throws {
        let router = router(Versioned()) {
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
            let router = router(version("old"))
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
        let router = router(version("old")) {
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
        let router = router(version(.redirect(to: Shop.Help()))) {
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

    @Test func openingInFlight_doesNotMissAServiceThatOnlyTheOldInterceptorNeeded() async throws {
        let gate = gate
        let router = router(
            Versioned {
                $0.register((any Shop.Clock).self, lifetime: .singleton) { NamedClock("old") }
                $0.intercept(.all) { (_: any Shop.Clock) in ProbeInterceptor { _ in .proceed } }
            }
        ) {
            $0.probe(Shop.Account.self)
            $0.decide { request in
                if request.route is Shop.Account { await gate.pass() }
                return .proceed
            }
        }
        try await router.start(with: Shop.Catalogue())
        let opening = Caller { try await router.open(Shop.Account()) }
        await gate.arrival()
        try await router.replace([Versioned()])
        gate.open()
        try await opening.output
        #expect(presenter.top is ProbeScreen<Shop.Account>)
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
        let router = router(version("old")) {
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
        let router = router(
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

    // Screens that are rebuilt.

    private struct ClosureFeature<R: Route>: Feature {
        let build: @MainActor (R, any RouteContext<R>) throws -> Void
        func build(_ route: R, in context: any RouteContext<R>) throws -> any Screen {
            try build(route, context)
            return ProbeScreen(route: route, context: context)
        }
    }

    @Test func rebuiltScreen_mayWriteAURLThatOnlyTheNewVersionHas() async throws {
        let journal = journal
        func version(_ pattern: String?, isBroken: Bool = false) -> Versioned {
            Versioned {
                if let pattern { $0.probe(Shop.Help.self, .url(pattern)) } else { $0.probe(Shop.Help.self) }
                $0.route(Shop.Account.self) { (catalog: any RouteCatalog) in
                    ClosureFeature { _, _ in
                        journal.note((try? catalog.url(for: Shop.Help()).absoluteString) ?? "no URL")
                        if isBroken { throw Shop.Failure() }
                    }
                }
            }
        }
        let router = router(version(nil))
        try await router.start(with: Shop.Catalogue())
        try await router.open(Shop.Account())
        await #expect(throws: Shop.Failure.self) {
            try await router.replace([version("app://broken", isBroken: true)])
        }
        #expect(throws: RouterError.self) { try router.catalog.url(for: Shop.Help()) }
        try await router.replace([version("app://help")])
        #expect(journal.lines == ["no URL", "app://broken", "app://help"])
    }

    @Test func rebuiltScreen_cannotFinishAnotherOldOne_whoseQuestionIsReplaced() async throws {
        let journal = journal
        var old: (any RouteContext<Shop.Help>)?
        func version(_ name: String) -> Versioned {
            Versioned {
                $0.route(Shop.Help.self) {
                    ClosureFeature { _, context in
                        if name == "old" { old = context }
                        try context.confirmLeaving {
                            journal.note("asked \(name)")
                            return true
                        }
                    }
                }
                $0.route(Shop.Account.self) {
                    ClosureFeature { _, _ in
                        journal.note("\(immediateFailure { try old?.finish("by another") })")
                    }
                }
            }
        }
        let router = router(version("old"))
        try await router.start(with: Shop.Account())
        try await router.open(Shop.Help())
        try await router.replace([version("new")])
        #expect(presenter.stack.count == 2)
        await presenter.goBack()
        #expect(journal.lines == ["none", "screenDismissed", "asked new"])
        #expect(presenter.stack.count == 1)
    }

    @Test func screenThatIsReplacedWhileItIsAsked_isAskedByItsNewQuestionToo() async throws {
        let (gate, journal) = (gate, journal)
        func version(_ name: String) -> Versioned {
            Versioned {
                $0.route(Shop.Account.self) {
                    ClosureFeature { _, context in
                        try context.confirmLeaving {
                            journal.note("asked \(name)")
                            if name == "old" { await gate.pass() }
                            return name == "old"
                        }
                    }
                }
            }
        }
        let router = router(version("old"))
        try await router.start(with: Shop.Catalogue())
        try await router.open(Shop.Account())
        let leaving = Caller { await presenter.goBack() }
        await gate.arrival()
        try await router.replace([version("new")])
        gate.open()
        try await leaving.output
        #expect(journal.lines == ["asked old", "asked new"])
        #expect(presenter.stack.count == 2, "the new question keeps it")
    }

    // Registrations.

    @Test func lateRegistration_hasNoEffect() async throws {
        final class Keeping: Module {
            var registrar: Registrar?
            func register(in registrar: Registrar) { self.registrar = registrar }
        }
        let keeping = Keeping()
        let router = RouterService(modules: [keeping, Unrelated()])
        keeping.registrar?.register((any Shop.Clock).self) { NamedClock("late") }
        try await router.replace([Unrelated()])
        #expect(await failure { try router.resolve((any Shop.Clock).self) } == .missingService)
    }

    // A stack that is not restored.

    /// The user who is signed in; its state is never stored.
    private final class Session: Restorable {
        struct SavedState: Codable, Sendable { let user: String }
        static let stateScope = StateScope.memory
        var user: String?
        var savedState: SavedState? { user.map(SavedState.init) }
        func restore(_ state: SavedState?) { user = state?.user }
    }

    private final class SessionHolder {
        let session: Session
        init(session: Session) { self.session = session }
    }

    @Test(arguments: ["ann", nil], ["rejected", "cancelled", "stays"])
    func restorationThatFails_leavesStatesAsTheyWere(user: String?, failure: String) async throws {
        let gate = gate
        let router = router(Versioned()) {
            $0.register(Session.self, lifetime: .singleton) { Session() }
            $0.register(SessionHolder.self, lifetime: .singleton, by: SessionHolder.init)
            $0.probe(Shop.Account.self)
            $0.intercept(.all) { (session: Session) in
                ProbeInterceptor { request in
                    guard request.route is Shop.Account else { return .proceed }
                    #expect(session.user == "bob", "interceptors know the user of the snapshot")
                    if failure == "rejected" { return .reject(Shop.Failure()) }
                    await gate.pass()
                    return .proceed
                }
            }
        }
        try await router.start(with: Shop.Catalogue())
        try #require(presenter.top as? ProbeScreen<Shop.Catalogue>).context.confirmLeaving { false }
        try router.resolve(SessionHolder.self).session.user = user
        let state = RouterSnapshot.State(#"{"user":"bob"}"#, of: .memory)
        let snapshot = RouterSnapshot(
            entries: [.init(route: AnyRoute(Shop.Account()), style: .root)],
            services: [TypeKey(Session.self).fullName: state])
        let restoration = Caller { try await router.restore(snapshot) }
        if failure != "rejected" { await gate.arrival() }
        if failure == "cancelled" { restoration.task.cancel() }
        gate.open()
        await #expect(throws: (any Error).self) { try await restoration.output }
        #expect(try router.resolve(Session.self).user == user)
        #expect(try router.resolve(SessionHolder.self).session === router.resolve(Session.self))
        #expect(presenter.stack.count == 1)
    }

    private struct Hidden {}

    @Test func fullNameOfAPrivateType_isTheSameInEachRun() {
        let name = TypeKey(Hidden.self).fullName
        #expect(name == "RouterServiceTests.GenerationTests.Hidden")
        #expect(TypeKey([Hidden].self).fullName == "Swift.Array<RouterServiceTests.GenerationTests.Hidden>")
    }
}

/// The kind of error that something throws at once, or `none`.
@MainActor
private func immediateFailure(of work: @MainActor () throws -> Void) -> Failure {
    do {
        try work()
        return .none
    } catch {
        return Failure(error)
    }
}
