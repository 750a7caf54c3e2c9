import Foundation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

@testable import RouterServiceImplementation

/// One module of a running router is replaced by another version of it: all of it, or nothing.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ModuleReplacementTests {
    /// A version of a module, as if it had been recompiled: its registrations differ, its name does not.
    private struct Versioned: Module {
        let registration: @MainActor (Registrar) -> Void

        init(_ registration: @escaping @MainActor (Registrar) -> Void) { self.registration = registration }
        func register(in registrar: Registrar) { registration(registrar) }
    }

    private final class Clock: Shop.Clock {
        let name: String
        init(_ name: String) { self.name = name }
    }

    /// A service that has to be prepared.
    private final class Rates: Sendable {
        let name: String
        init(_ name: String) { self.name = name }
    }

    /// A screen that keeps the values that its feature received.
    private final class ClockScreen<R: Route>: Screen, RouteProbe {
        let route: R
        let clock: any Shop.Clock
        let context: any RouteContext<R>
        init(_ route: R, _ clock: any Shop.Clock, _ context: any RouteContext<R>) {
            (self.route, self.clock, self.context) = (route, clock, context)
        }
        var anyRoute: AnyRoute { AnyRoute(route) }
    }

    private struct ClockFeature<R: Route>: Feature {
        let clock: any Shop.Clock
        func build(_ route: R, in context: any RouteContext<R>) -> any Screen {
            ClockScreen(route, clock, context)
        }
    }

    /// Prices, which hold the clock, registered by a module that is not replaced.
    private static let prices = TestModule {
        $0.register((any Shop.Prices).self, lifetime: .singleton, by: Shop.FixedPrices.init)
    }

    private static func clocks(
        _ name: String, _ lifetime: Lifetime = .singleton,
        more: @escaping @MainActor (Registrar) -> Void = { _ in }
    ) -> Versioned {
        Versioned {
            $0.register((any Shop.Clock).self, lifetime: lifetime) { Clock(name) }
            more($0)
        }
    }

    private let presenter = HeadlessPresenter()

    private func router(_ versioned: Versioned, _ others: TestModule...) -> RouterService {
        let presenter = presenter
        let base = TestModule {
            $0.register((any Presenter).self, lifetime: .singleton) { presenter }
            $0.probe(Shop.Catalogue.self)
        }
        return RouterService(modules: [base, versioned] + others)
    }

    private func top<R: Route>(_ route: R.Type) -> ClockScreen<R>? { presenter.top as? ClockScreen<R> }

    private func isConsistent(_ router: RouterService) -> Bool {
        presenter.stack.map { ($0.screen as? any RouteProbe)?.anyRoute }
            == router.snapshot(including: .file).entries.map(\.route)
            && presenter.styles == router.snapshot(including: .file).entries.map(\.style)
    }

    @Test func service_andWhateverHoldsIt_areNew_andAllElseStays() async throws {
        final class Other {}
        let others = TestModule { $0.register(Other.self, lifetime: .singleton, by: Other.init) }
        let router = router(Self.clocks("old"), Self.prices, others)
        let (prices, other) = (try router.resolve((any Shop.Prices).self), try router.resolve(Other.self))
        try await router.replace([Self.clocks("new")])
        #expect(try router.resolve((any Shop.Clock).self).name == "new")
        #expect(try router.resolve((any Shop.Prices).self).clock.name == "new")
        #expect(try router.resolve((any Shop.Prices).self) !== prices)
        #expect(try router.resolve(Other.self) === other)
        #expect(prices.clock.name == "old", "a holder of an old instance keeps it")
    }

    @Test(arguments: [Lifetime.singleton, .weak, .transient, .scope(Scope("shop.session"))])
    func serviceOfAnyLifetime_isNew(lifetime: Lifetime) async throws {
        let router = router(Self.clocks("old", lifetime))
        if case .scope(let scope) = lifetime { try router.enter(scope) }
        let before = try router.resolve((any Shop.Clock).self)
        try await router.replace([Self.clocks("new", lifetime)])
        #expect(before.name == "old")
        #expect(try router.resolve((any Shop.Clock).self).name == "new")
    }

    @Test func deferredDependency_ofAServiceThatStays_resolvesTheNewService() async throws {
        final class Holder {
            let clock: Deferred<any Shop.Clock>
            init(clock: Deferred<any Shop.Clock>) { self.clock = clock }
        }
        let holders = TestModule { $0.register(Holder.self, lifetime: .singleton, by: Holder.init) }
        let router = router(Self.clocks("old"), holders)
        let holder = try router.resolve(Holder.self)
        #expect(try holder.clock.value.name == "old")
        for version in 1...3 {
            try await router.replace([Self.clocks("\(version)")])
            #expect(try holder.clock.value.name == "\(version)")
            #expect(try router.resolve(Holder.self) === holder)
        }
    }

    @Test func replacements_ofLaterModules_stillWin() async throws {
        let replacements = TestModule { $0.override((any Shop.Clock).self) { Clock("replacement") } }
        let router = router(Self.clocks("old"), replacements)
        try await router.replace([Self.clocks("new")])
        #expect(try router.resolve((any Shop.Clock).self).name == "replacement")
    }

    @Test func screensOfItsRoutes_areBuiltAnew_andTheirCallersGoOnWaiting() async throws {
        let router = router(
            Self.clocks("old") { $0.route(Shop.Account.self, by: ClockFeature<Shop.Account>.init) })
        try await router.start(with: Shop.Catalogue())
        let home = presenter.stack[0].presentation
        let result = Caller { try await router.result(of: Shop.Account(owner: "bob")) }
        await eventually { presenter.stack.count == 2 }
        try await router.open(Shop.Catalogue(page: 2))
        let old = try #require(presenter.stack[1].screen as? ClockScreen<Shop.Account>)
        let above = presenter.stack[2]

        try await router.replace(
            [Self.clocks("new") { $0.route(Shop.Account.self, by: ClockFeature<Shop.Account>.init) }])
        let new = try #require(presenter.stack[1].screen as? ClockScreen<Shop.Account>)
        #expect(new.clock.name == "new")
        #expect(new.route.owner == "bob")
        #expect(presenter.stack[0].presentation === home)
        #expect(presenter.stack[2].presentation === above.presentation)
        #expect(isConsistent(router))
        #expect(await failure { try old.context.finish("old") } == .screenDismissed)
        #expect(await failure { try await old.context.open(Shop.Catalogue()) } == .screenDismissed)
        #expect(await failure { try await old.context.dismiss() } == .screenDismissed)
        try new.context.finish("new")
        #expect(try await result.output == "new")
        #expect(presenter.stack.count == 1)
    }

    @Test func screensOfOtherModules_thatHoldANewService_areBuiltAnew() async throws {
        let screens = TestModule {
            $0.route(Shop.Help.self) { (prices: any Shop.Prices) in
                ClockFeature<Shop.Help>(clock: prices.clock)
            }
        }
        let router = router(Self.clocks("old"), Self.prices, screens)
        try await router.start(with: Shop.Help())
        try await router.open(Shop.Catalogue(page: 2))
        let page = try #require(presenter.stack.last)
        let events = router.events()
        try await router.replace([Self.clocks("new")])
        #expect((presenter.stack[0].screen as? ClockScreen<Shop.Help>)?.clock.name == "new")
        #expect(presenter.stack[1].presentation === page.presentation)
        #expect(presenter.stack[0].presentation.isRoot)
        for await event in events {
            guard case .replaced(let modules, let screens) = event else { continue }
            #expect(modules == [TypeKey(Versioned.self)])
            #expect(screens == 1)
            break
        }
    }

    /// Finishes when it is released, or when a presenter asks it to.
    @MainActor
    private final class HastyScreen: Screen, RouteProbe {
        let context: any RouteContext<Shop.Account>
        private let journal: Journal
        init(_ context: any RouteContext<Shop.Account>, _ journal: Journal) {
            (self.context, self.journal) = (context, journal)
        }

        func finish() {
            do { try context.finish("too late") } catch { journal.note("\(Failure(error))") }
        }

        var anyRoute: AnyRoute { AnyRoute(Shop.Account()) }

        isolated deinit { finish() }
    }

    private struct HastyFeature: Feature {
        let journal: Journal
        func build(_ route: Shop.Account, in context: any RouteContext<Shop.Account>) -> any Screen {
            HastyScreen(context, journal)
        }
    }

    /// Lets old screens finish before it replaces them.
    private final class AskingPresenter: Presenter {
        let base: HeadlessPresenter
        init(_ base: HeadlessPresenter) { self.base = base }

        func show(_ screen: any Screen, as presentation: Presentation) throws {
            try base.show(screen, as: presentation)
        }

        func replace(_ screens: [Presentation.ID: (screen: any Screen, presentation: Presentation)]) throws {
            base.stack.forEach { ($0.screen as? HastyScreen)?.finish() }
            try base.replace(screens)
        }

        func remove(_ presentations: [Presentation.ID]) { base.remove(presentations) }
    }

    @Test(arguments: [false, true])
    func oldScreenThatFinishesWhileItIsReplaced_isDismissed_andTheCallerWaitsForTheNewOne(
        byThePresenter: Bool
    ) async throws {
        let (base, journal) = (presenter, Journal())
        let used: any Presenter = byThePresenter ? AskingPresenter(base) : base
        let version = Versioned { registrar in
            registrar.route(Shop.Account.self) { HastyFeature(journal: journal) }
        }
        let router = RouterService(modules: [
            TestModule {
                $0.register((any Presenter).self, lifetime: .singleton) { used }
                $0.probe(Shop.Catalogue.self)
            }, version,
        ])
        try await router.start(with: Shop.Catalogue())
        let result = Caller { try await router.result(of: Shop.Account()) }
        await eventually { base.stack.count == 2 }
        try await router.replace([version])
        let rejections: [Failure] =
            byThePresenter ? [.screenDismissed, .screenDismissed] : [.screenDismissed]
        #expect(journal.lines == rejections.map { "\($0)" })
        #expect(base.stack.count == 2)
        #expect(isConsistent(router))
        try (base.top as? HastyScreen)?.context.finish("by the new screen")
        #expect(try await result.output == "by the new screen")
    }

    @Test func replacedScreen_isNotTakenAsDropped_andTheNewOneIs() async throws {
        func version(_ name: String) -> Versioned {
            Self.clocks(name) { $0.route(Shop.Account.self, by: ClockFeature<Shop.Account>.init) }
        }
        let router = router(version("old"))
        try await router.start(with: Shop.Catalogue())
        try await router.open(Shop.Account())
        try await router.replace([version("new")])
        await settled()
        #expect(presenter.stack.count == 2)
        #expect(isConsistent(router))
        await presenter.goBack()
        #expect(presenter.stack.count == 1)
        #expect(isConsistent(router))
        try await router.open(Shop.Account())
        try await router.replace([version("newer")])
        presenter.lose()
        await eventually { router.snapshot(including: .file).entries.count == 1 }
    }

    @Test func catalog_knowsTheNewRoutes_alsoInDecodersThatHaveItAlready() async throws {
        let router = router(
            Self.clocks("old") { $0.probe(Shop.Help.self, .url("app://help"), .alias("old")) })
        let catalog = router.catalog
        #expect(try catalog.url(for: Shop.Help()).absoluteString == "app://help")
        try await router.replace(
            [
                Self.clocks("new") {
                    $0.probe(Shop.Help.self, .url("app://shop/help"), .alias("new"))
                    $0.probe(Shop.Account.self)
                }
            ])
        #expect(try catalog.url(for: Shop.Help()).absoluteString == "app://shop/help")
        #expect(try AnyRoute("new", in: catalog) == AnyRoute(Shop.Help()))
        #expect(throws: DecodingError.self) { try AnyRoute("old", in: catalog) }
        #expect(router.routes.map(\.identifier) == ["shop.account", "shop.catalogue", "shop.help"])
        #expect(
            try router.resolve((any RouteCatalog).self).url(for: Shop.Help()).absoluteString
                == "app://shop/help")
    }

    @Test func interceptorsAndListeners_areTheNewOnes() async throws {
        struct Tick: Event {}
        let journal = Journal()
        func version(_ name: String) -> Versioned {
            Self.clocks(name) {
                $0.decide { _ in
                    journal.note("decide \(name)")
                    return .proceed
                }
                $0.listen(to: Tick.self) { (_, clock: any Shop.Clock) in journal.note("tick \(clock.name)") }
            }
        }
        let router = router(version("old"))
        try await router.start(with: Shop.Catalogue())
        try await router.replace([version("new")])
        await router.broadcast(Tick())
        try await router.open(Shop.Catalogue(page: 2))
        #expect(journal.lines == ["decide old", "tick new", "decide new"])
    }

    @Test func asynchronousService_isPreparedBeforeAnythingChanges() async throws {
        let gate = Gate()
        func version(_ name: String) -> Versioned {
            Versioned { registrar in
                registrar.prepare(Rates.self) { () async in
                    if name == "new" { await gate.pass() }
                    return Rates(name)
                }
                registrar.register((any Shop.Clock).self, lifetime: .singleton) { (rates: Rates) in
                    Clock(rates.name)
                }
                registrar.route(Shop.Account.self, by: ClockFeature<Shop.Account>.init)
            }
        }
        let router = router(version("old"), Self.prices)
        try await router.start(with: Shop.Catalogue())
        try await router.open(Shop.Account())
        let replacement = Caller { try await router.replace([version("new")]) }
        await gate.arrival()
        #expect(try router.resolve((any Shop.Prices).self).clock.name == "old")
        #expect(top(Shop.Account.self)?.clock.name == "old")
        gate.open()
        try await replacement.output
        #expect(try router.resolve((any Shop.Prices).self).clock.name == "new")
        #expect(top(Shop.Account.self)?.clock.name == "new")
    }

    /// A version that must be rejected, and the error.
    private static func rejected() -> [(name: String, version: Versioned, failure: Failure)] {
        [
            ("no handler", clocks("new"), .missingHandler),
            (
                "an action", clocks("new") { $0.action(Shop.Account.self) { ProbeAction { _ in "" } } },
                .missingHandler
            ),
            (
                "a missing service",
                clocks("new") {
                    $0.route(Shop.Account.self) { (_: Double) in ClockFeature<Shop.Account>(clock: Clock(""))
                    }
                }, .replacementRejected
            ),
            (
                "an asynchronous service that throws",
                clocks("new") {
                    $0.route(Shop.Account.self, by: ClockFeature<Shop.Account>.init)
                    $0.prepare(Int.self) { () async throws -> Int in throw Shop.Failure() }
                    $0.listen(to: Opened.self) { (_, _: Int) in }
                }, .creationFailed
            ),
            (
                "a factory that throws",
                clocks("new") {
                    $0.route(Shop.Account.self) { () throws -> ClockFeature<Shop.Account> in
                        throw Shop.Failure()
                    }
                }, .creationFailed
            ),
        ]
    }

    private struct Opened: Event {}

    /// The lists of a router, as text.
    private func lists(of router: RouterService) -> [String] {
        router.routes.map { "\($0)" } + router.services.map { "\($0)" }
    }

    @Test func rejectedVersion_changesNothing() async throws {
        for (name, version, expected) in Self.rejected() {
            presenter.refusal = nil
            presenter.remove(presenter.stack.map(\.presentation.id))
            let router = router(
                Self.clocks("old") { $0.route(Shop.Account.self, by: ClockFeature<Shop.Account>.init) },
                Self.prices)
            try await router.start(with: Shop.Catalogue())
            let result = Caller { try await router.result(of: Shop.Account()) }
            await eventually { presenter.stack.count == 2 }
            let prices = try router.resolve((any Shop.Prices).self)
            let screen = try #require(top(Shop.Account.self))
            let listed = lists(of: router)
            #expect(await failure { try await router.replace([version]) } == expected, "\(name)")
            #expect(top(Shop.Account.self) === screen)
            #expect(try router.resolve((any Shop.Prices).self) === prices)
            #expect(lists(of: router) == listed)
            #expect(isConsistent(router))
            try screen.context.finish("done")
            #expect(try await result.output == "done")
        }
    }

    /// A second module that can be replaced.
    private struct Second: Module {
        let registration: @MainActor (Registrar) -> Void
        func register(in registrar: Registrar) { registration(registrar) }
    }

    @Test func modulesReplacedTogether_mayNeedOneAnother() async throws {
        let presenter = presenter
        let base = TestModule {
            $0.register((any Presenter).self, lifetime: .singleton) { presenter }
            $0.route(Shop.Account.self, by: ClockFeature<Shop.Account>.init)
        }
        let router = RouterService(modules: [base, Self.clocks("old"), Second { _ in }])
        try await router.start(with: Shop.Account())
        let clocks = Versioned {
            $0.register((any Shop.Clock).self, lifetime: .singleton) { (rate: Double) in Clock("\(rate)") }
        }
        #expect(await failure { try await router.replace([clocks]) } == .replacementRejected)
        try await router.replace([
            clocks, Second { $0.register(Double.self, lifetime: .singleton) { 1.5 } },
        ])
        #expect(top(Shop.Account.self)?.clock.name == "1.5")
    }

    @Test func secondOfTwoThatIsRejected_keepsTheFirstFromBeingReplaced() async throws {
        struct Unknown: Module { func register(in registrar: Registrar) {} }
        let presenter = presenter
        let base = TestModule {
            $0.register((any Presenter).self, lifetime: .singleton) { presenter }
            $0.route(Shop.Account.self, by: ClockFeature<Shop.Account>.init)
        }
        let router = RouterService(modules: [base, Self.clocks("old"), Second { _ in }])
        try await router.start(with: Shop.Account())
        let (screen, listed) = (try #require(top(Shop.Account.self)), lists(of: router))
        let second: [(any Module, Failure)] = [
            (Second { $0.listen(to: Opened.self) { (_, _: Double) in } }, .replacementRejected),
            (
                Second {
                    $0.listen(to: Opened.self) { (_, _: Int) in }
                    $0.prepare(Int.self) { () async throws -> Int in throw Shop.Failure() }
                }, .creationFailed
            ),
            (Unknown(), .unknownModule),
        ]
        for (module, expected) in second {
            #expect(await failure { try await router.replace([Self.clocks("new"), module]) } == expected)
            #expect(try router.resolve((any Shop.Clock).self).name == "old")
            #expect(top(Shop.Account.self) === screen)
            #expect(lists(of: router) == listed)
        }
    }

    @Test func presenterThatRefuses_changesNothing() async throws {
        func version(_ name: String) -> Versioned {
            Self.clocks(name) { $0.route(Shop.Account.self, by: ClockFeature<Shop.Account>.init) }
        }
        let router = router(version("old"))
        try await router.start(with: Shop.Catalogue())
        try await router.open(Shop.Account())
        let screen = try #require(top(Shop.Account.self))
        presenter.refusal = Shop.Failure()
        await #expect(throws: Shop.Failure.self) { try await router.replace([version("new")]) }
        presenter.refusal = nil
        await settled()
        #expect(top(Shop.Account.self) === screen)
        #expect(isConsistent(router))
        #expect(try router.resolve((any Shop.Clock).self).name == "old")
        try await router.replace([version("new")])
        #expect(top(Shop.Account.self)?.clock.name == "new")
    }

    @Test func moduleThatIsNotThere_orThereTwice_isRejected() async throws {
        struct Unknown: Module { func register(in registrar: Registrar) {} }
        let router = router(Self.clocks("old"), TestModule { _ in })
        #expect(await failure { try await router.replace([Unknown()]) } == .unknownModule)
        #expect(await failure { try await router.replace([TestModule { _ in }]) } == .unknownModule)
    }

    @Test func moduleThatProvidesThePresenter_isRejectedAsSoonAsThatShowsSomething() async throws {
        let presenter = presenter
        let version = Versioned { $0.register((any Presenter).self, lifetime: .singleton) { presenter } }
        let router = RouterService(modules: [version, TestModule { $0.probe(Shop.Catalogue.self) }])
        try await router.replace([version])
        try await router.start(with: Shop.Catalogue())
        #expect(await failure { try await router.replace([version]) } == .presenterInUse)
    }

    @Test func problemsThatWereThereBefore_doNotReject() async throws {
        let router = router(
            Self.clocks("old"), TestModule { $0.listen(to: Opened.self) { (_, _: Double) in } })
        try await router.replace([Self.clocks("new")])
        #expect(try router.resolve((any Shop.Clock).self).name == "new")
    }

    @Test func problemsThatMoved_doNotReject_andOthersOfTheirKindDo() async throws {
        struct Outer {}
        func version(_ line: Int, isDeeper: Bool = false, misses another: Bool = false) -> Versioned {
            Versioned {
                $0.listen(to: Opened.self, fileID: "A/A.swift", line: line) { (_, _: any Shop.Prices) in }
                if isDeeper {
                    $0.register(Outer.self, lifetime: .singleton) { (_: any Shop.Prices) in Outer() }
                    $0.route(Shop.Help.self) { (_: Outer) in ClockFeature<Shop.Help>(clock: Clock("")) }
                }
                $0.override(Int.self, fileID: "A/A.swift", line: line) { 1 }
                $0.probe(Shop.Account.self, .fallback { _ in Shop.Help() }, .alias("shop.catalogue"))
                if another { $0.intercept(.all) { (_: Double) in ProbeInterceptor { _ in .proceed } } }
            }
        }
        // The prices miss their clock, at first along the listener and then along the route.
        let router = router(version(1), Self.prices)
        try await router.replace([version(2)])
        try await router.replace([version(3, isDeeper: true)])
        await #expect {
            try await router.replace([version(4, isDeeper: true, misses: true)])
        } throws: { error in
            guard case ReplacementError.rejected(_, let problems) = error else { return false }
            return problems.map(\.kind) == [.missingService]
                && problems[0].subjects[0] == TypeKey(Double.self)
        }
    }

    @Test func cycleThatIsMetElsewhere_isTheSameProblem() {
        let (first, second) = (TypeKey(Int.self), TypeKey(String.self))
        let cycle = GraphProblem(.cycle, of: [first, second], along: [first, second, first])
        #expect(isSame(cycle, GraphProblem(.cycle, of: [second, first], along: [second, first, second])))
        #expect(!isSame(cycle, GraphProblem(.cycle, of: [first], along: [first, first])))
    }

    @Test func featureThatWasCreatedBeforeTheReplacement_isCreatedAgain() async throws {
        let gate = Gate()
        func version(_ name: String) -> Versioned {
            Self.clocks(name) { $0.route(Shop.Account.self, by: ClockFeature<Shop.Account>.init) }
        }
        let slow = TestModule { registrar in
            registrar.action(Shop.Count.self) {
                ProbeAction<Shop.Count> { _ in
                    await gate.pass()
                    return 1
                }
            }
        }
        let router = router(version("old"), slow)
        try await router.start(with: Shop.Catalogue())
        let opening = Caller { try await router.open([Shop.Count(), Shop.Account()]) }
        await gate.arrival()
        try await router.replace([version("new")])
        gate.open()
        try await opening.output
        #expect(top(Shop.Account.self)?.clock.name == "new")
    }

    @Test func thousandReplacements_keepTheStackAndReleaseWhatTheyReplace() async throws {
        weak var released: Clock?
        func version(_ number: Int) -> Versioned {
            Versioned { registrar in
                registrar.register((any Shop.Clock).self, lifetime: .singleton) { Clock("\(number)") }
                registrar.route(
                    Shop.Account.self, .alias("account\(number)"), by: ClockFeature<Shop.Account>.init)
            }
        }
        let router = router(version(0), Self.prices)
        try await router.start(with: Shop.Catalogue())
        let result = Caller { try await router.result(of: Shop.Account()) }
        await eventually { presenter.stack.count == 2 }
        released = top(Shop.Account.self)?.clock as? Clock
        for number in 1...1_000 {
            try await router.replace([version(number)])
            #expect(released == nil)
            released = top(Shop.Account.self)?.clock as? Clock
            #expect(top(Shop.Account.self)?.clock.name == "\(number)")
            #expect(try router.resolve((any Shop.Prices).self).clock === released)
        }
        #expect(isConsistent(router))
        #expect(try AnyRoute(#"account1000|{"owner":"ann"}"#, in: router.catalog) == AnyRoute(Shop.Account()))
        try top(Shop.Account.self)?.context.finish("done")
        #expect(try await result.output == "done")
    }

    @Test func replacementsAtTheSameTime_happenOneAfterAnother() async throws {
        let gate = Gate()
        let router = router(Self.clocks("old"))
        let slow = Versioned { registrar in
            registrar.prepare(Rates.self) { () async in
                await gate.pass()
                return Rates("slow")
            }
            registrar.register((any Shop.Clock).self, lifetime: .singleton) { (rates: Rates) in
                Clock(rates.name)
            }
        }
        let first = Caller { try await router.replace([slow]) }
        await gate.arrival()
        let second = Caller { try await router.replace([Self.clocks("quick")]) }
        gate.open()
        try await first.output
        try await second.output
        #expect(try router.resolve((any Shop.Clock).self).name == "quick")
    }
}
