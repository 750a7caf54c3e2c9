import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

/// A screen in the place of another.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ReplacementTests {
    private struct Broken: Feature {
        func build(_ route: Shop.SignIn, in context: any RouteContext<Shop.SignIn>) throws -> any Screen {
            throw Shop.Failure()
        }
    }

    private struct Instant: Feature {
        func build(_ route: Shop.Account, in context: any RouteContext<Shop.Account>) throws -> any Screen {
            try context.finish(route.owner)
            return ProbeScreen(route: route, context: context)
        }
    }

    private let account = Shop.Account(owner: "bob")

    /// Home, and an account above it, with whatever is opened above that.
    private func accounts(
        as style: PresentationStyle = .push, below above: [any Route] = [],
        _ registration: @escaping @MainActor (Registrar) -> Void = { _ in }
    ) async throws -> (stage: Stage, account: any RouteContext<Shop.Account>) {
        let stage = try await Stage.started {
            $0.probe(Shop.Account.self)
            $0.probe(Shop.Help.self)
            registration($0)
        }
        try await stage.router.open(Shop.Account(), as: style)
        let context = try #require(stage.top(Shop.Account.self)).context
        if !above.isEmpty { try await stage.router.open(above) }
        return (stage, context)
    }

    @Test(arguments: [PresentationStyle.push, .modal, .root])
    func screen_takesThePlaceOfTheTopmost_inItsStyle(style: PresentationStyle) async throws {
        let (stage, context) = try await accounts(as: style)
        let before = stage.presenter.stack
        try await context.replace(with: account)
        #expect(stage.shown == (style == .root ? [] : [AnyRoute(Shop.Catalogue())]) + [AnyRoute(account)])
        let new = try #require(stage.presenter.stack.last).presentation
        #expect(new.style == style)
        #expect(new.isRoot == (style == .root))
        #expect(new.id != before.last?.presentation.id)
        #expect(before.last?.presentation.isEnded == true)
        #expect(await failure { try context.finish("late") } == .screenDismissed)
        #expect(await failure { try await context.replace(with: account) } == .screenDismissed)
        try await stage.top(Shop.Account.self)?.context.replace(with: Shop.Help())
        #expect(stage.shown?.last == AnyRoute(Shop.Help()))
        #expect(stage.shown?.count == before.count)
    }

    @Test func neitherTheScreenBelow_norTheReplacedOne_isShownInBetween() async throws {
        let presenter = WatchedPresenter()
        var tops: [AnyRoute?] = []
        presenter.after = { tops.append((presenter.base.top as? any RouteProbe)?.anyRoute) }
        let router = RouterService {
            $0.register((any Presenter).self, lifetime: .singleton) { presenter }
            $0.probe(Shop.Catalogue.self)
            $0.probe(Shop.Account.self)
        }
        try await router.start(with: Shop.Catalogue())
        try await router.open([Shop.Account(), Shop.Catalogue(page: 2)])
        let context = try #require(presenter.base.stack[1].screen as? ProbeScreen<Shop.Account>).context
        tops = []
        try await context.replace(with: account)
        #expect(Set(tops) == [AnyRoute(Shop.Catalogue(page: 2)), AnyRoute(account)])
        #expect(presenter.base.stack.count == 2)
    }

    @Test func callerOfTheReplacedScreen_receivesACancellation_afterAllAboveWent() async throws {
        let (stage, _) = try await accounts()
        let result = Caller { try await stage.router.result(of: Shop.Help()) }
        let help = try await stage.arrival(at: Shop.Help.self).context
        try await stage.router.open(Shop.Catalogue(page: 2))
        let events = stage.router.events()
        try await help.replace(with: account)
        await #expect(throws: UserDeclined.self) { try await result.output }
        #expect(stage.shown?.dropFirst() == [AnyRoute(Shop.Account()), AnyRoute(account)])
        var lines: [String] = []
        for await event in events {
            lines.append("\(event)")
            if case .removed(let route) = event, route == AnyRoute(Shop.Help()) { break }
        }
        #expect(
            lines.map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
                "presented shop.account|{\"owner\":\"bob\"}",
                "removed shop.catalogue|{\"page\":2}", "removed shop.help|{}",
            ])
    }

    /// A reason for which a screen is not replaced.
    enum Reason: CaseIterable {
        case rejection, failure, refusal, action, missingHandler, cancellation
    }

    @Test(arguments: Reason.allCases)
    func whereTheRouteIsNotShown_allStay(reason: Reason) async throws {
        let (stage, context) = try await accounts(below: [Shop.Help()]) { registrar in
            registrar.decide { request in
                guard reason == .rejection || reason == .cancellation, request.route is Shop.SignIn else {
                    return .proceed
                }
                if reason == .cancellation { throw CancellationError() }
                return .reject(Shop.Failure())
            }
            registrar.action(Shop.Count.self) { ProbeAction<Shop.Count> { $0.limit } }
            if reason != .missingHandler { registrar.route(Shop.SignIn.self, by: Broken.init) }
        }
        let before = stage.presenter.stack.map(\.presentation.id)
        if reason == .refusal { stage.presenter.refusal = Shop.Failure() }
        let outcome = await failure {
            switch reason {
            case .action: try await context.replace(with: Shop.Count())
            case .refusal: try await context.replace(with: account)
            default: try await context.replace(with: Shop.SignIn())
            }
        }
        let expected: [Reason: Failure] = [
            .action: .noScreen, .missingHandler: .missingHandler, .cancellation: .cancellation,
        ]
        #expect(outcome == expected[reason] ?? .shop)
        #expect(stage.presenter.stack.map(\.presentation.id) == before)
        #expect(stage.shown?.count == 3)
        stage.presenter.refusal = nil
        try await context.replace(with: account)
        #expect(stage.shown == [AnyRoute(Shop.Catalogue()), AnyRoute(account)])
    }

    @Test func embeddedScreen_isNotReplaced_andGoesWithAReplacedParent() async throws {
        let (stage, context) = try await accounts()
        let embedded = try await context.embed(Shop.Help())
        let help = try #require(embedded.screen as? ProbeScreen<Shop.Help>).context
        #expect(await failure { try await help.replace(with: account) } == .embedded)
        #expect(!embedded.presentation.isEnded)
        #expect(stage.shown?.count == 2)
        try await context.replace(with: account)
        #expect(embedded.presentation.isEnded)
    }

    @Test func screenThatGoesMeanwhile_isNotReplaced() async throws {
        let gate = Gate()
        let (stage, context) = try await accounts { registrar in
            registrar.decide { request in
                if request.route is Shop.Help { await gate.pass() }
                return .proceed
            }
        }
        let replacing = Caller { try await context.replace(with: Shop.Help()) }
        await gate.arrival()
        try await context.replace(with: account)
        gate.open()
        #expect(await failure { try await replacing.output } == .screenDismissed)
        #expect(stage.shown == [AnyRoute(Shop.Catalogue()), AnyRoute(account)])
    }

    @Test func screenOpenedAboveWhileTheOtherAsks_stays() async throws {
        let gate = Gate()
        let (stage, context) = try await accounts(below: [Shop.Help()])
        try context.confirmLeaving {
            await gate.pass()
            return true
        }
        let replacing = Caller { try await context.replace(with: account) }
        await gate.arrival()
        try await stage.router.open(Shop.Catalogue(page: 2))
        gate.open()
        try await replacing.output
        #expect(
            stage.shown == [AnyRoute(Shop.Catalogue()), AnyRoute(account), AnyRoute(Shop.Catalogue(page: 2))])
    }

    @Test func moduleReplacedWhileTheScreenAsks_buildsTheNewScreen() async throws {
        struct HelpModule: Module {
            let isReady: Bool
            func register(in registrar: Registrar) {
                let isReady = isReady
                registrar.route(Shop.SignIn.self, .fallback { _ in Shop.Help() }) {
                    ConditionalFeature<Shop.SignIn> { _ in isReady }
                }
            }
        }
        let (presenter, gate) = (HeadlessPresenter(), Gate())
        let router = RouterService(modules: [
            TestModule {
                $0.register((any Presenter).self, lifetime: .singleton) { presenter }
                $0.probe(Shop.Account.self)
                $0.probe(Shop.Help.self)
            }, HelpModule(isReady: false),
        ])
        try await router.start(with: Shop.Account())
        let context = try #require(presenter.top as? ProbeScreen<Shop.Account>).context
        try context.confirmLeaving {
            await gate.pass()
            return true
        }
        let replacing = Caller { try await context.replace(with: Shop.SignIn()) }
        await gate.arrival()
        try await router.replace([HelpModule(isReady: true)])
        gate.open()
        try await replacing.output
        #expect(presenter.top is ProbeScreen<Shop.SignIn>)
        #expect(presenter.stack.count == 1)
    }

    @Test func screenThatFinishesWhileItIsBuilt_goesWithTheReplacedOne() async throws {
        let stage = try await Stage.started {
            $0.probe(Shop.Help.self)
            $0.route(Shop.Account.self, by: Instant.init)
        }
        try await stage.router.open([Shop.Help(), Shop.Catalogue(page: 2)])
        let help = try #require(stage.presenter.stack[1].screen as? ProbeScreen<Shop.Help>).context
        try await help.replace(with: account)
        #expect(stage.shown == [AnyRoute(Shop.Catalogue())])
    }

    @Test func firstScreen_thatAnInterceptorShowsBeforeTheFirst_isReplacedByThatInTheEnd() async throws {
        let stage = Stage { registrar in
            registrar.probe(Shop.SignIn.self)
            registrar.probe(Shop.Help.self)
            registrar.decide { request in
                if request.route is Shop.Catalogue { _ = try? await request.result(of: Shop.SignIn()) }
                return .proceed
            }
        }
        let start = Caller { try await stage.router.start(with: Shop.Catalogue()) }
        try await stage.arrival(at: Shop.SignIn.self).context.replace(with: Shop.Help())
        try await start.output
        #expect(stage.shown == [AnyRoute(Shop.Catalogue())])
    }
}
