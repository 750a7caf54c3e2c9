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
    private let presenter = HeadlessPresenter()

    private func top<R: Route>(_ route: R.Type) -> ClockScreen<R>? { presenter.top as? ClockScreen<R> }

    @Test func service_andWhateverHoldsIt_areNew_andAllElseStays() async throws {
        final class Other {}
        let others = TestModule { $0.register(Other.self, lifetime: .singleton, by: Other.init) }
        let router = presenter.router(Versioned.clocks("old"), TestModule.prices, others)
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

    @Test func replacements_ofLaterModules_stillWin() async throws {
        let replacements = TestModule { $0.override((any Shop.Clock).self) { NamedClock("replacement") } }
        let router = presenter.router(Versioned.clocks("old"), replacements)
        try await router.replace([Versioned.clocks("new")])
        #expect(try router.resolve((any Shop.Clock).self).name == "replacement")
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
        let router = presenter.router(version("old"), TestModule.prices)
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
            ("a presenter that refuses", Versioned.account("new"), .shop),
        ]
    }

    private struct Opened: Event {}

    /// The lists of a router, as text.
    private func lists(of router: RouterService) -> [String] {
        router.routes.map { "\($0)" } + router.services.map { "\($0)" }
    }

    @Test func rejectedVersion_changesNothing() async throws {
        for (name, version, expected) in Self.rejected() {
            presenter.remove(presenter.stack.map(\.presentation.id))
            let router = presenter.router(Versioned.account("old"), TestModule.prices)
            try await router.start(with: Shop.Catalogue())
            let result = Caller { try await router.result(of: Shop.Account()) }
            await eventually { presenter.stack.count == 2 }
            let prices = try router.resolve((any Shop.Prices).self)
            let screen = try #require(top(Shop.Account.self))
            let listed = lists(of: router)
            presenter.refusal = expected == .shop ? Shop.Failure() : nil
            #expect(await failure { try await router.replace([version]) } == expected, "\(name)")
            presenter.refusal = nil
            #expect(top(Shop.Account.self) === screen)
            #expect(try router.resolve((any Shop.Prices).self) === prices)
            #expect(lists(of: router) == listed)
            #expect(presenter.shown(by: router) != nil)
            try screen.context.finish("done")
            #expect(try await result.output == "done")
        }
    }

    /// A second module that can be replaced.
    private struct Second: Module {
        let registration: @MainActor (Registrar) -> Void
        func register(in registrar: Registrar) { registration(registrar) }
    }

    /// A router with two modules that can be replaced, which shows the account.
    private func routerOfTwo() async throws -> RouterService {
        let presenter = presenter
        let base = TestModule {
            $0.register((any Presenter).self, lifetime: .singleton) { presenter }
            $0.route(Shop.Account.self, by: ClockFeature<Shop.Account>.init)
        }
        let router = RouterService(modules: [base, Versioned.clocks("old"), Second { _ in }])
        try await router.start(with: Shop.Account())
        return router
    }

    @Test func modulesReplacedTogether_mayNeedOneAnother() async throws {
        let router = try await routerOfTwo()
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
        let router = try await routerOfTwo()
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

    @Test func moduleThatIsNotThere_orThereTwice_isRejected() async throws {
        struct Unknown: Module { func register(in registrar: Registrar) {} }
        let router = presenter.router(Versioned.clocks("old"), TestModule { _ in })
        #expect(await failure { try await router.replace([Unknown()]) } == .unknownModule)
        #expect(await failure { try await router.replace([TestModule { _ in }]) } == .unknownModule)
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
        // What was there before does not reject: the prices miss their clock, at first along the listener and then along
        // the route.
        let router = presenter.router(version(1), TestModule.prices)
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

    @Test func cycleThatIsMetElsewhere_isTheSameProblem() {
        let (first, second) = (TypeKey(Int.self), TypeKey(String.self))
        let cycle = GraphProblem(.cycle, of: [first, second], along: [first, second, first])
        let same = GraphProblem(.cycle, of: [second, first], along: [second, first, second])
        #expect(ModuleReplacement.isSame(cycle, same))
        #expect(!ModuleReplacement.isSame(cycle, GraphProblem(.cycle, of: [first], along: [first, first])))
    }

    @Test func featureThatWasCreatedBeforeTheReplacement_isCreatedAgain() async throws {
        let gate = Gate()
        let slow = TestModule { registrar in
            registrar.count { _ in await gate.pass() }
        }
        let router = presenter.router(Versioned.account("old"), slow)
        try await router.start(with: Shop.Catalogue())
        let opening = Caller { try await router.open([Shop.Count(), Shop.Account()]) }
        await gate.arrival()
        try await router.replace([Versioned.account("new")])
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
        let router = presenter.router(version(0), TestModule.prices)
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
        #expect(presenter.shown(by: router) != nil)
        #expect(
            try router.catalog.url(for: Shop.Account()).absoluteString
                == "app://account1000/\(Shop.Account().owner)")
        try top(Shop.Account.self)?.context.finish("done")
        #expect(try await result.output == "done")
    }
}
