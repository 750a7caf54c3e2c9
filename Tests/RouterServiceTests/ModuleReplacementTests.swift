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

    private let presenter = HeadlessPresenter()

    /// A version with a clock, and with the account's screen, which shows the clock.
    private func account(_ name: String) -> Versioned {
        .clocks(name) { $0.route(Shop.Account.self, by: ClockFeature<Shop.Account>.init) }
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
        let router = presenter.router(Versioned.clocks("old"), Self.prices, others)
        let (prices, other) = (try router.resolve((any Shop.Prices).self), try router.resolve(Other.self))
        try await router.replace([Versioned.clocks("new")])
        #expect(try router.resolve((any Shop.Clock).self).name == "new")
        #expect(try router.resolve((any Shop.Prices).self).clock.name == "new")
        #expect(try router.resolve((any Shop.Prices).self) !== prices)
        #expect(try router.resolve(Other.self) === other)
        #expect(prices.clock.name == "old", "a holder of an old instance keeps it")
    }

    @Test(arguments: [Lifetime.singleton, .weak, .transient, .scope(Scope("shop.session"))])
    func serviceOfAnyLifetime_isNew(lifetime: Lifetime) async throws {
        let router = presenter.router(Versioned.clocks("old", lifetime))
        if case .scope(let scope) = lifetime { try router.enter(scope) }
        let before = try router.resolve((any Shop.Clock).self)
        try await router.replace([Versioned.clocks("new", lifetime)])
        #expect(before.name == "old")
        #expect(try router.resolve((any Shop.Clock).self).name == "new")
    }

    @Test func deferredDependency_ofAServiceThatStays_resolvesTheNewService() async throws {
        final class Holder {
            let clock: Deferred<any Shop.Clock>
            init(clock: Deferred<any Shop.Clock>) { self.clock = clock }
        }
        let holders = TestModule { $0.register(Holder.self, lifetime: .singleton, by: Holder.init) }
        let router = presenter.router(Versioned.clocks("old"), holders)
        let holder = try router.resolve(Holder.self)
        #expect(try holder.clock.value.name == "old")
        for version in 1...3 {
            try await router.replace([Versioned.clocks("\(version)")])
            #expect(try holder.clock.value.name == "\(version)")
            #expect(try router.resolve(Holder.self) === holder)
        }
    }

    @Test func replacements_ofLaterModules_stillWin() async throws {
        let replacements = TestModule { $0.override((any Shop.Clock).self) { NamedClock("replacement") } }
        let router = presenter.router(Versioned.clocks("old"), replacements)
        try await router.replace([Versioned.clocks("new")])
        #expect(try router.resolve((any Shop.Clock).self).name == "replacement")
    }

    @Test func screensOfItsRoutes_areBuiltAnew_andTheirCallersGoOnWaiting() async throws {
        let router = presenter.router(account("old"))
        try await router.start(with: Shop.Catalogue())
        let home = presenter.stack[0].presentation
        let result = Caller { try await router.result(of: Shop.Account(owner: "bob")) }
        await eventually { presenter.stack.count == 2 }
        try await router.open(Shop.Catalogue(page: 2))
        let old = try #require(presenter.stack[1].screen as? ClockScreen<Shop.Account>)
        let above = presenter.stack[2]

        try await router.replace(
            [Versioned.clocks("new") { $0.route(Shop.Account.self, by: ClockFeature<Shop.Account>.init) }])
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
        let router = presenter.router(Versioned.clocks("old"), Self.prices, screens)
        try await router.start(with: Shop.Help())
        try await router.open(Shop.Catalogue(page: 2))
        let page = try #require(presenter.stack.last)
        let events = router.events()
        try await router.replace([Versioned.clocks("new")])
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
        let router = presenter.router(account("old"))
        try await router.start(with: Shop.Catalogue())
        try await router.open(Shop.Account())
        try await router.replace([account("new")])
        await settled()
        #expect(presenter.stack.count == 2)
        #expect(isConsistent(router))
        await presenter.goBack()
        #expect(presenter.stack.count == 1)
        #expect(isConsistent(router))
        try await router.open(Shop.Account())
        try await router.replace([account("newer")])
        presenter.lose()
        await eventually { router.snapshot(including: .file).entries.count == 1 }
    }

    @Test func catalog_knowsTheNewRoutes_alsoInDecodersThatHaveItAlready() async throws {
        let router = presenter.router(
            Versioned.clocks("old") { $0.probe(Shop.Help.self, .url("app://help")) })
        let catalog = router.catalog
        #expect(try catalog.url(for: Shop.Help()).absoluteString == "app://help")
        try await router.replace(
            [
                Versioned.clocks("new") {
                    $0.probe(Shop.Help.self, .url("app://shop/help"))
                    $0.probe(Shop.Account.self)
                }
            ])
        #expect(try catalog.url(for: Shop.Help()).absoluteString == "app://shop/help")
        #expect(try AnyRoute(#"shop.account|{"owner":"ann"}"#, in: catalog) == AnyRoute(Shop.Account()))
        #expect(router.routes.map(\.identifier) == ["shop.account", "shop.catalogue", "shop.help"])
        #expect(
            try router.resolve((any RouteCatalog).self).url(for: Shop.Help()).absoluteString
                == "app://shop/help")
    }

    @Test func interceptorsAndListeners_areTheNewOnes() async throws {
        struct Tick: Event {}
        let journal = Journal()
        func version(_ name: String) -> Versioned {
            Versioned.clocks(name) {
                $0.decide { _ in
                    journal.note("decide \(name)")
                    return .proceed
                }
                $0.listen(to: Tick.self) { (_, clock: any Shop.Clock) in journal.note("tick \(clock.name)") }
            }
        }
        let router = presenter.router(version("old"))
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
                    NamedClock(rates.name)
                }
                registrar.route(Shop.Account.self, by: ClockFeature<Shop.Account>.init)
            }
        }
        let router = presenter.router(version("old"), Self.prices)
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
            ("no handler", Versioned.clocks("new"), .missingHandler),
            (
                "an action",
                Versioned.clocks("new") { $0.action(Shop.Account.self) { ProbeAction { _ in "" } } },
                .missingHandler
            ),
            (
                "a missing service",
                Versioned.clocks("new") {
                    $0.route(Shop.Account.self) { (_: Double) in
                        ClockFeature<Shop.Account>(clock: NamedClock(""))
                    }
                }, .replacementRejected
            ),
            (
                "an asynchronous service that throws",
                Versioned.clocks("new") {
                    $0.route(Shop.Account.self, by: ClockFeature<Shop.Account>.init)
                    $0.prepare(Int.self) { () async throws -> Int in throw Shop.Failure() }
                    $0.listen(to: Opened.self) { (_, _: Int) in }
                }, .creationFailed
            ),
            (
                "a factory that throws",
                Versioned.clocks("new") {
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
            let router = presenter.router(
                Versioned.clocks("old") { $0.route(Shop.Account.self, by: ClockFeature<Shop.Account>.init) },
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
        let router = RouterService(modules: [base, Versioned.clocks("old"), Second { _ in }])
        try await router.start(with: Shop.Account())
        let clocks = Versioned {
            $0.register((any Shop.Clock).self, lifetime: .singleton) { (rate: Double) in NamedClock("\(rate)")
            }
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
        let router = RouterService(modules: [base, Versioned.clocks("old"), Second { _ in }])
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
            #expect(
                await failure { try await router.replace([Versioned.clocks("new"), module]) } == expected)
            #expect(try router.resolve((any Shop.Clock).self).name == "old")
            #expect(top(Shop.Account.self) === screen)
            #expect(lists(of: router) == listed)
        }
    }

    @Test func presenterThatRefuses_changesNothing() async throws {
        let router = presenter.router(account("old"))
        try await router.start(with: Shop.Catalogue())
        try await router.open(Shop.Account())
        let screen = try #require(top(Shop.Account.self))
        presenter.refusal = Shop.Failure()
        await #expect(throws: Shop.Failure.self) { try await router.replace([account("new")]) }
        presenter.refusal = nil
        await settled()
        #expect(top(Shop.Account.self) === screen)
        #expect(isConsistent(router))
        #expect(try router.resolve((any Shop.Clock).self).name == "old")
        try await router.replace([account("new")])
        #expect(top(Shop.Account.self)?.clock.name == "new")
    }

    @Test func moduleThatIsNotThere_orThereTwice_isRejected() async throws {
        struct Unknown: Module { func register(in registrar: Registrar) {} }
        let router = presenter.router(Versioned.clocks("old"), TestModule { _ in })
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
        let router = presenter.router(
            Versioned.clocks("old"), TestModule { $0.listen(to: Opened.self) { (_, _: Double) in } })
        try await router.replace([Versioned.clocks("new")])
        #expect(try router.resolve((any Shop.Clock).self).name == "new")
    }

    @Test func problemsThatMoved_doNotReject_andOthersOfTheirKindDo() async throws {
        struct Outer {}
        func version(_ line: Int, isDeeper: Bool = false, misses another: Bool = false) -> Versioned {
            Versioned {
                $0.listen(to: Opened.self, fileID: "A/A.swift", line: line) { (_, _: any Shop.Prices) in }
                if isDeeper {
                    $0.register(Outer.self, lifetime: .singleton) { (_: any Shop.Prices) in Outer() }
                    $0.route(Shop.Help.self) { (_: Outer) in ClockFeature<Shop.Help>(clock: NamedClock("")) }
                }
                $0.override(Int.self, fileID: "A/A.swift", line: line) { 1 }
                $0.probe(Shop.Account.self, .fallback { _ in Shop.Help() }, .url("app:/broken"))
                if another { $0.intercept(.all) { (_: Double) in ProbeInterceptor { _ in .proceed } } }
            }
        }
        // The prices miss their clock, at first along the listener and then along the route.
        let router = presenter.router(version(1), Self.prices)
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
        let slow = TestModule { registrar in
            registrar.count { _ in await gate.pass() }
        }
        let router = presenter.router(account("old"), slow)
        try await router.start(with: Shop.Catalogue())
        let opening = Caller { try await router.open([Shop.Count(), Shop.Account()]) }
        await gate.arrival()
        try await router.replace([account("new")])
        gate.open()
        try await opening.output
        #expect(top(Shop.Account.self)?.clock.name == "new")
    }

    @Test func thousandReplacements_keepTheStackAndReleaseWhatTheyReplace() async throws {
        weak var released: NamedClock?
        func version(_ number: Int) -> Versioned {
            Versioned { registrar in
                registrar.register((any Shop.Clock).self, lifetime: .singleton) { NamedClock("\(number)") }
                registrar.route(
                    Shop.Account.self, .url("app://account\(number)/:owner"),
                    by: ClockFeature<Shop.Account>.init)
            }
        }
        let router = presenter.router(version(0), Self.prices)
        try await router.start(with: Shop.Catalogue())
        let result = Caller { try await router.result(of: Shop.Account()) }
        await eventually { presenter.stack.count == 2 }
        released = top(Shop.Account.self)?.clock as? NamedClock
        for number in 1...1_000 {
            try await router.replace([version(number)])
            #expect(released == nil)
            released = top(Shop.Account.self)?.clock as? NamedClock
            #expect(top(Shop.Account.self)?.clock.name == "\(number)")
            #expect(try router.resolve((any Shop.Prices).self).clock === released)
        }
        #expect(isConsistent(router))
        #expect(
            try router.catalog.url(for: Shop.Account()).absoluteString
                == "app://account1000/\(Shop.Account().owner)")
        try top(Shop.Account.self)?.context.finish("done")
        #expect(try await result.output == "done")
    }

    @Test func replacementsAtTheSameTime_happenOneAfterAnother() async throws {
        let gate = Gate()
        let router = presenter.router(Versioned.clocks("old"))
        let slow = Versioned { registrar in
            registrar.prepare(Rates.self) { () async in
                await gate.pass()
                return Rates("slow")
            }
            registrar.register((any Shop.Clock).self, lifetime: .singleton) { (rates: Rates) in
                NamedClock(rates.name)
            }
        }
        let first = Caller { try await router.replace([slow]) }
        await gate.arrival()
        let second = Caller { try await router.replace([Versioned.clocks("quick")]) }
        gate.open()
        try await first.output
        try await second.output
        #expect(try router.resolve((any Shop.Clock).self).name == "quick")
    }
}
