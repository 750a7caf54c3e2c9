import Foundation
import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceTesting
import Testing

/// Openings that lead to one another, whatever is between them: interceptors, actions, listeners, embedded screens.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct RedirectCycleTests {
    /// The form in which an action depends on the router.
    enum Form: CaseIterable {
        case router, optional, deferred, deferredOptional
    }

    private let journal = Journal()

    @Test(arguments: Form.allCases)
    func actionThatOpensARoute_whichIsRedirectedToIt_throwsThePath(form: Form) async throws {
        let stage = try await Stage.started { registrar in
            registrar.probe(Shop.Account.self)
            registrar.decide { $0.route is Shop.Account ? .redirect(to: Shop.Count()) : .proceed }
            switch form {
            case .router:
                registrar.action(Shop.Count.self) { (router: any Router) in openingAccount { router } }
            case .optional:
                registrar.action(Shop.Count.self) { (router: (any Router)?) in openingAccount { router } }
            case .deferred:
                registrar.action(Shop.Count.self) { (router: Deferred<any Router>) in
                    openingAccount { try router.value }
                }
            case .deferredOptional:
                registrar.action(Shop.Count.self) { (router: Deferred<(any Router)?>) in
                    openingAccount { try router.value }
                }
            }
        }
        let path = [AnyRoute(Shop.Account()), AnyRoute(Shop.Count()), AnyRoute(Shop.Account())]
        #expect(await cycle { try await stage.router.open(Shop.Account()) } == path)
        #expect(stage.shown == [AnyRoute(Shop.Catalogue())])
    }

    @Test func actionThatAwaitsTheResultOfItsOwnRoute_throws() async throws {
        let stage = try await Stage.started {
            $0.action(Shop.Count.self) { (router: any Router) in
                ProbeAction<Shop.Count> { try await router.result(of: $0) }
            }
        }
        let path = [AnyRoute(Shop.Count()), AnyRoute(Shop.Count())]
        #expect(await cycle { try await stage.router.result(of: Shop.Count()) } == path)
        #expect(await cycle { try await stage.router.open(AnyRoute(Shop.Count())) } == path)
    }

    @Test func interceptorAndAction_thatOpenRoutesByTurns_throwThePath() async throws {
        let stage = try await Stage.started {
            $0.probe(Shop.Account.self)
            $0.decide { request in
                if request.route is Shop.Account { _ = try await request.result(of: Shop.Count()) }
                return .proceed
            }
            $0.action(Shop.Count.self) { (router: any Router) in openingAccount { router } }
        }
        let path = [AnyRoute(Shop.Account()), AnyRoute(Shop.Count()), AnyRoute(Shop.Account())]
        #expect(await cycle { try await stage.router.open(Shop.Account()) } == path)
        #expect(stage.shown?.count == 1)
    }

    @Test func actionThatBroadcasts_whenAListenerOpensItsRoute_endsAsWell() async throws {
        struct Counted: Event {}
        let journal = journal
        let stage = try await Stage.started {
            $0.action(Shop.Count.self) { (router: any Router) in
                ProbeAction<Shop.Count> { _ in
                    journal.note("count")
                    return await router.broadcast(Counted()).count
                }
            }
            $0.listen(to: Counted.self) { (_, router: any Router) in try await router.open(Shop.Count()) }
        }
        #expect(try await stage.router.result(of: Shop.Count()) == 1, "the listener received the error")
        #expect(journal.lines == ["count"])
    }

    /// An interceptor that shows a screen, and an action that opens the route about which it decides.
    @Test func screenOfAnInterceptor_knowsTheFirstRouteThatLedToIt() async throws {
        let stage = try await Stage.started {
            $0.probe(Shop.Account.self)
            $0.probe(Shop.SignIn.self)
            $0.decide { request in
                if request.route is Shop.Account { _ = try await request.result(of: Shop.SignIn()) }
                return .proceed
            }
            $0.action(Shop.Count.self, .url("app://count?limit")) { (router: any Router) in
                ProbeAction<Shop.Count> { route in
                    try await router.open(Shop.Account())
                    return route.limit
                }
            }
        }
        for url in [true, false] {
            let caller = Caller {
                if url {
                    try await stage.router.open(try #require(URL(string: "app://count?limit=10")))
                } else {
                    try await stage.router.open(Shop.Account())
                }
            }
            let form = try await stage.arrival(at: Shop.SignIn.self)
            let cause = try #require(form.context.cause)
            #expect(cause == (url ? AnyRoute(Shop.Count()) : AnyRoute(Shop.Account())))
            #expect(cause.origin == (url ? .external : .code))
            try form.context.finish("ann")
            try await caller.output
            #expect(stage.top(Shop.Account.self)?.context.cause == nil || url)
        }
    }

    @Test func screenThatWouldBeEmbeddedInItself_throwsThePath() async throws {
        let stage = try await Stage.started {
            $0.probe(Shop.Account.self)
            $0.probe(Shop.Help.self)
            $0.decide { $0.route is Shop.Help ? .redirect(to: Shop.Account()) : .proceed }
        }
        try await stage.router.open(Shop.Account())
        let context = try #require(stage.top(Shop.Account.self)).context
        let path = [AnyRoute(Shop.Account()), AnyRoute(Shop.Help()), AnyRoute(Shop.Account())]
        #expect(await cycle { try await context.embed(Shop.Help()) { _ in } } == path)
    }

    @Test(arguments: [(31, Failure.none), (32, .redirectCycle)])
    func chainOfActions_mayHaveAsManyRoutesAsRedirects(length: Int, outcome: Failure) async throws {
        let stage = try await Stage.started {
            $0.action(Shop.Count.self) { (router: any Router) in
                ProbeAction<Shop.Count> { route in
                    route.limit == 0 ? 0 : try await router.result(of: Shop.Count(limit: route.limit - 1)) + 1
                }
            }
        }
        var count: Int?
        let result = await failure { count = try await stage.router.result(of: Shop.Count(limit: length)) }
        #expect(result == outcome)
        #expect(count == (outcome == .none ? length : nil))
    }

    @Test func openingOfAService_beginsAChainOfItsOwn() async throws {
        let journal = journal
        let stage = try await Stage.started {
            $0.probe(Shop.Account.self)
            $0.register(Reminder.self, lifetime: .singleton, by: Reminder.init)
            $0.decide { request in
                guard request.route is Shop.Account, journal.lines.isEmpty else { return .proceed }
                return .redirect(to: Shop.Count())
            }
            $0.action(Shop.Count.self) { (reminder: Reminder) in
                ProbeAction<Shop.Count> { _ in
                    journal.note("count")
                    reminder.begin()
                    return 1
                }
            }
        }
        try await stage.router.open(Shop.Account())
        _ = try await stage.arrival(at: Shop.Account.self)
        #expect(journal.lines == ["count"])
    }

    @Test func callersAtOnce_areNoChain() async throws {
        let gate = Gate()
        let stage = try await Stage.started {
            $0.probe(Shop.Account.self)
            $0.decide { request in
                if request.route is Shop.Account { await gate.pass() }
                return .proceed
            }
        }
        // More than may lead to one another.
        let callers = (1...40).map { _ in Caller { try await stage.router.open(Shop.Account()) } }
        await gate.arrival()
        await settled()
        gate.open()
        for caller in callers { try await caller.output }
        #expect(stage.shown?.count == 41)
        #expect(stage.presenter.stack.count == 41)
    }

    @Test func cycle_isAnnouncedBeforeTheCallerReceivesTheError() async throws {
        let journal = journal
        let stage = try await Stage.started {
            $0.probe(Shop.Account.self)
            $0.decide { $0.route is Shop.Account ? .redirect(to: Shop.Account()) : .proceed }
            $0.listen(to: RedirectCycle.self) { journal.note("\($0.path.map(\.name))") }
        }
        #expect(await failure { try await stage.router.open(Shop.Account()) } == .redirectCycle)
        #expect(journal.lines == [#"["shop.account", "shop.account"]"#])
    }

    @Test func listenerThatOpensTheLoopAgain_isNotCalledWithoutEnd() async throws {
        let journal = journal
        let stage = try await Stage.started {
            $0.probe(Shop.Account.self)
            $0.decide { $0.route is Shop.Account ? .redirect(to: Shop.Account()) : .proceed }
            $0.listen(to: RedirectCycle.self) { (_, router: any Router) in
                journal.note("cycle")
                try await router.open(Shop.Account())
            }
        }
        #expect(await failure { try await stage.router.open(Shop.Account()) } == .redirectCycle)
        #expect(journal.lines.count == 32)
    }

    /// The path of the cycle for which an opening is rejected; nil where it is not.
    private func cycle<Value>(_ opening: @MainActor () async throws -> Value) async -> [AnyRoute]? {
        do {
            _ = try await opening()
        } catch RouterError.redirectCycle(let path) {
            return path
        } catch {
            Issue.record(error)
        }
        return nil
    }
}

/// Opens the account some time after a call that does not wait for it.
@MainActor
private final class Reminder {
    private let router: any Router

    init(router: any Router) { self.router = router }

    func begin() {
        Task { [router] in
            await settled()
            try await router.open(Shop.Account())
        }
    }
}

/// An action that opens the account.
@MainActor
private func openingAccount(
    _ router: @escaping @MainActor () throws -> (any Router)?
) -> ProbeAction<Shop.Count> {
    ProbeAction { _ in
        try await router()?.open(Shop.Account())
        return 1
    }
}
