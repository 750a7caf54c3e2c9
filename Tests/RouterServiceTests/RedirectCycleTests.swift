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

    /// Registrations with which an opening of the account leads back to it, and the routes between.
    struct Way: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let between: [any Route]
        let registration: @MainActor @Sendable (Registrar) -> Void

        init(
            _ description: String, by between: [any Route] = [],
            _ registration: @escaping @MainActor @Sendable (Registrar) -> Void
        ) {
            testDescription = description
            self.between = between
            self.registration = registration
        }

        /// A way on which an interceptor decides about the account and the routes between.
        static func deciding(
            _ description: String, by between: [any Route] = [],
            _ decide: @escaping @MainActor @Sendable (RouteRequest) async throws -> Interception
        ) -> Way {
            Way(description, by: between) {
                $0.probe(Shop.Account.self)
                $0.probe(Shop.Help.self)
                $0.action(Shop.Count.self) { (router: any Router) in openingAccount { router } }
                $0.decide(decide)
            }
        }
    }

    nonisolated static let ways = [
        Way.deciding("redirects", by: [Shop.Help()]) { request in
            switch request.route {
            case is Shop.Account: .redirect(to: Shop.Help())
            case is Shop.Help: .redirect(to: Shop.Account())
            default: .proceed
            }
        },
        Way.deciding("an interceptor that opens the route") { request in
            if let route = request.route as? Shop.Account { _ = try await request.result(of: route) }
            return .proceed
        },
        Way.deciding("an interceptor that opens a route, which it redirects back", by: [Shop.Help()]) {
            request in
            if request.route is Shop.Help { return .redirect(to: Shop.Account()) }
            if request.route is Shop.Account { _ = try await request.result(of: Shop.Help()) }
            return .proceed
        },
        Way.deciding("an interceptor that opens an action, which opens the route", by: [Shop.Count()]) {
            request in
            if request.route is Shop.Account { _ = try await request.result(of: Shop.Count()) }
            return .proceed
        },
        Way("a fallback to the same route") {
            $0.route(Shop.Account.self, .fallback { $0 }) { ConditionalFeature<Shop.Account> { _ in false } }
        },
        Way("fallbacks", by: [Shop.Help()]) {
            $0.route(Shop.Account.self, .fallback { _ in Shop.Help() }) {
                ConditionalFeature<Shop.Account> { _ in false }
            }
            $0.route(Shop.Help.self, .fallback { _ in Shop.Account() }) {
                ConditionalFeature<Shop.Help> { _ in false }
            }
        },
        Way("adapters", by: [Shop.Help()]) {
            $0.adapt(Shop.Account.self, to: Shop.Help.self, route: { _ in Shop.Help() }, output: { $0 })
            $0.adapt(Shop.Help.self, to: Shop.Account.self, route: { _ in Shop.Account() }, output: { $0 })
        },
        Way("an interceptor that opens another route through the router", by: [Shop.SignIn()]) {
            $0.probe(Shop.Account.self)
            $0.probe(Shop.SignIn.self)
            $0.intercept(Shop.Account.self, Shop.SignIn.self) { (router: any Router) in
                ProbeInterceptor { request in
                    if request.route is Shop.SignIn { try await router.open(Shop.Account()) }
                    _ = try await router.result(of: Shop.SignIn())
                    return .proceed
                }
            }
        },
        Way("an action that awaits the result of its own route") {
            $0.action(Shop.Account.self) { (router: any Router) in
                ProbeAction<Shop.Account> { try await router.result(of: $0) }
            }
        },
    ]

    @Test(arguments: ways)
    func routeThatLeadsToItself_throwsThePath(way: Way) async throws {
        let stage = try await Stage.started(way.registration)
        let path = ([Shop.Account()] + way.between + [Shop.Account()]).map { AnyRoute($0) }
        #expect(await cycle { try await stage.router.open(Shop.Account()) } == path)
        #expect(await cycle { try await stage.router.result(of: Shop.Account()) } == path)
        #expect(stage.shown == [AnyRoute(Shop.Catalogue())])
        #expect("\(RouterError.redirectCycle(path: path))".contains(#"{"owner":"ann"} → shop."#))
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

    @Test func screenThatWouldBeEmbeddedInItself_throwsThePath() async throws {
        let stage = try await Stage.started {
            $0.probe(Shop.Account.self)
            $0.probe(Shop.Help.self)
            $0.decide { $0.route is Shop.Help ? .redirect(to: Shop.Account()) : .proceed }
        }
        try await stage.router.open(Shop.Account())
        let context = try #require(stage.top(Shop.Account.self)).context
        let path = [AnyRoute(Shop.Account()), AnyRoute(Shop.Help()), AnyRoute(Shop.Account())]
        #expect(await cycle { try await context.embed(Shop.Help()) } == path)
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
