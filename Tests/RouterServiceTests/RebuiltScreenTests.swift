import Foundation
import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

/// Screens that are rebuilt, because a module was replaced, and what becomes of the old ones.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct RebuiltScreenTests {
    /// Builds a probe after some work.
    private struct ClosureFeature<R: Route>: Feature {
        let build: @MainActor (R, any RouteContext<R>) throws -> Void
        func build(_ route: R, in context: any RouteContext<R>) throws -> any Screen {
            try build(route, context)
            return ProbeScreen(route: route, context: context)
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

    private let presenter = HeadlessPresenter()
    private let gate = Gate()
    private let journal = Journal()

    @Test func screensOfItsRoutes_areBuiltAnew_andTheirCallersGoOnWaiting() async throws {
        let router = presenter.router(Versioned.account("old"))
        try await router.start(with: Shop.Catalogue())
        let home = presenter.stack[0].presentation
        let result = Caller { try await router.result(of: Shop.Account(owner: "bob")) }
        await eventually { presenter.stack.count == 2 }
        try await router.open(Shop.Catalogue(page: 2))
        let old = try #require(presenter.stack[1].screen as? ClockScreen<Shop.Account>)
        let above = presenter.stack[2]

        try await router.replace([Versioned.account("new")])
        let new = try #require(presenter.stack[1].screen as? ClockScreen<Shop.Account>)
        #expect(new.clock.name == "new")
        #expect(new.route.owner == "bob")
        #expect(presenter.stack[0].presentation === home)
        #expect(presenter.stack[2].presentation === above.presentation)
        #expect(presenter.shown(by: router) != nil)
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
        let router = presenter.router(Versioned.clocks("old"), TestModule.prices, screens)
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

    @Test(arguments: [false, true])
    func oldScreenThatFinishesWhileItIsReplaced_isDismissed_andTheCallerWaitsForTheNewOne(
        byThePresenter: Bool
    ) async throws {
        let (presenter, journal) = (WatchedPresenter(), journal)
        let base = presenter.base
        let version = Versioned { registrar in
            registrar.route(Shop.Account.self) { HastyFeature(journal: journal) }
        }
        let router = RouterService(modules: [
            TestModule {
                $0.register((any Presenter).self, lifetime: .singleton) { presenter }
                $0.probe(Shop.Catalogue.self)
            }, version,
        ])
        try await router.start(with: Shop.Catalogue())
        let result = Caller { try await router.result(of: Shop.Account()) }
        await eventually { base.stack.count == 2 }
        if byThePresenter {
            presenter.before = { _ in base.stack.forEach { ($0.screen as? HastyScreen)?.finish() } }
        }
        try await router.replace([version])
        let rejections: [Failure] =
            byThePresenter ? [.screenDismissed, .screenDismissed] : [.screenDismissed]
        #expect(journal.lines == rejections.map { "\($0)" })
        #expect(base.stack.count == 2)
        #expect(base.shown(by: router) != nil)
        try (base.top as? HastyScreen)?.context.finish("by the new screen")
        #expect(try await result.output == "by the new screen")
    }

    @Test func replacedScreen_isNotTakenAsDropped_andTheNewOneIs() async throws {
        let router = presenter.router(Versioned.account("old"))
        try await router.start(with: Shop.Catalogue())
        try await router.open(Shop.Account())
        try await router.replace([Versioned.account("new")])
        await settled()
        #expect(presenter.stack.count == 2)
        #expect(presenter.shown(by: router) != nil)
        await presenter.goBack()
        #expect(presenter.stack.count == 1)
        #expect(presenter.shown(by: router) != nil)
        try await router.open(Shop.Account())
        try await router.replace([Versioned.account("newer")])
        presenter.lose()
        await eventually { router.snapshot(including: .file).entries.count == 1 }
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
        let router = presenter.router(version(nil))
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
        let router = presenter.router(version("old"))
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
        let router = presenter.router(version("old"))
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
