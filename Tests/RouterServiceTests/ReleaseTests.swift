import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

/// After each flow, nothing is left of the router, its services, its screens and its callers.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ReleaseTests {
    /// Holds the router, and its counterpart by a deferred dependency.
    private final class Outbox {
        let router: any Router
        let inbox: Deferred<Inbox>
        init(router: any Router, inbox: Deferred<Inbox>) { (self.router, self.inbox) = (router, inbox) }
    }
    private final class Inbox {
        let outbox: Outbox
        init(outbox: Outbox) { self.outbox = outbox }
    }

    /// A screen that holds its context and a service, as real ones do.
    private struct MailFeature: Feature {
        let outbox: Outbox
        func build(_ route: Shop.Account, in context: any RouteContext<Shop.Account>) -> any Screen {
            MailScreen(context: context, outbox: outbox)
        }
    }
    private final class MailScreen: Screen {
        let context: any RouteContext<Shop.Account>
        let outbox: Outbox
        init(context: any RouteContext<Shop.Account>, outbox: Outbox) {
            (self.context, self.outbox) = (context, outbox)
        }
    }

    private struct WeakObject {
        let name: String
        weak let object: AnyObject?
    }

    @MainActor
    private final class WeakObjects {
        private var all: [WeakObject] = []

        func add(_ name: String, _ object: AnyObject?) {
            #expect(object != nil, "\(name) was never there")
            all.append(WeakObject(name: name, object: object))
        }

        var alive: [String] { all.filter { $0.object != nil }.map(\.name) }
    }

    private let objects = WeakObjects()

    @Test func routerWithAllThatItShowsAndCreated_isReleased() async throws {
        do {
            let stage = try await mailStage()
            try await stage.router.open([Shop.Account(), Shop.Catalogue(page: 2)])
            try add(stage)
        }
        await settled()
        #expect(objects.alive.isEmpty)
    }

    /// A way in which the wait for a screen's output ends.
    enum Way: CaseIterable {
        case finish, back, dismiss, dismissTo, dismissBelow, cancel, root, restore, lose, endPresentation

        var outcome: Failure {
            switch self {
            case .finish: .none
            case .cancel: .cancellation
            default: .declined
            }
        }
    }

    @Test(arguments: Way.allCases)
    func screen_isReleasedWithTheWaitForItsOutput(way: Way) async throws {
        let stage = try await mailStage()
        try await stage.router.open(Shop.Catalogue(page: 2))
        let below = try #require(stage.top(Shop.Catalogue.self)).context
        do {
            let result = Caller { try await stage.router.result(of: Shop.Account()) }
            do {
                let screen = await mailScreen(of: stage)
                objects.add("screen", screen)
                objects.add("its service", screen?.outbox)
            }
            switch way {
            case .finish: try await mailScreen(of: stage)?.context.finish("done")
            case .back: await stage.presenter.goBack()
            case .dismiss: try await mailScreen(of: stage)?.context.dismiss()
            case .dismissTo: try await mailScreen(of: stage)?.context.dismiss(to: Shop.Catalogue.self)
            case .dismissBelow: try await below.dismiss()
            case .cancel: result.task.cancel()
            case .root: try await stage.router.open(Shop.Catalogue(page: 3), as: .root)
            case .restore:
                let entry = RouterSnapshot.Entry(route: AnyRoute(Shop.Catalogue()), style: .root)
                try await stage.router.restore(RouterSnapshot(entries: [entry]))
            case .lose: stage.presenter.lose()
            case .endPresentation: stage.presenter.stack[2].presentation.end()
            }
            #expect(await failure { try await result.output } == way.outcome)
        }
        await settled()
        #expect(stage.shown?.contains(AnyRoute(Shop.Account())) == false)
        #expect(objects.alive.isEmpty)
    }

    @Test func caller_isReleasedWithItsTask() async throws {
        final class Model {
            let context: any RouteContext<Shop.Catalogue>
            var outcome: String?
            init(context: any RouteContext<Shop.Catalogue>) { self.context = context }
            @MainActor func ask() async { outcome = try? await context.result(of: Shop.Account()) }
        }
        let stage = try await mailStage()
        do {
            let model = Model(context: try #require(stage.top(Shop.Catalogue.self)).context)
            objects.add("model", model)
            let call = Caller { await model.ask() }
            try await mailScreen(of: stage)?.context.finish("done")
            try await call.output
            #expect(model.outcome == "done")
        }
        await settled()
        #expect(objects.alive.isEmpty)
    }

    @Test func router_isReleasedAfterResultsAndCancellations() async throws {
        do {
            let stage = try await mailStage()
            try add(stage)
            let finished = Caller { try await stage.router.result(of: Shop.Account()) }
            try await mailScreen(of: stage)?.context.finish("done")
            _ = try await finished.output
            let left = Caller { try await stage.router.result(of: Shop.Account()) }
            _ = await mailScreen(of: stage)
            await stage.presenter.goBack()
            _ = try? await left.output
            _ = await failure { try await stage.router.open([Shop.Account(), Shop.Help()]) }
        }
        await settled()
        #expect(objects.alive.isEmpty)
    }

    @Test func router_isReleasedAfterAnInterceptorOpenedAScreen() async throws {
        do {
            let stage = Stage {
                $0.probe(Shop.SignIn.self)
                $0.intercept(.all) { (router: any Router) in
                    ProbeInterceptor { request in
                        if request.route is Shop.Catalogue { _ = try await request.result(of: Shop.SignIn()) }
                        return .proceed
                    }
                }
            }
            objects.add("router", stage.router)
            let start = Caller { try await stage.router.start(with: Shop.Catalogue()) }
            try await stage.arrival(at: Shop.SignIn.self).context.finish("ann")
            try await start.output
        }
        await settled()
        #expect(objects.alive.isEmpty)
    }

    @Test func router_isReleasedThoughAServiceKeepsARequest() async throws {
        final class Requests {
            var all: [RouteRequest] = []
        }
        do {
            let stage = Stage {
                $0.register(Requests.self, lifetime: .singleton, by: Requests.init)
                $0.intercept(.all) { (requests: Requests) in
                    ProbeInterceptor { request in
                        requests.all.append(request)
                        return .proceed
                    }
                }
            }
            objects.add("router", stage.router)
            objects.add("requests", try stage.router.resolve(Requests.self))
            try await stage.router.start(with: Shop.Catalogue())
        }
        await settled()
        #expect(objects.alive.isEmpty)
    }

    @Test func router_isReleasedThoughAScreenAsksBeforeItIsLeft() async throws {
        do {
            let stage = try await mailStage()
            try await stage.router.open(Shop.Account())
            let screen = try #require(await mailScreen(of: stage))
            try screen.context.confirmLeaving { screen.outbox.router === screen.outbox.router }
            try add(stage)
        }
        await settled()
        #expect(objects.alive.isEmpty)
    }

    @Test func router_isReleasedWhileItsStartFails() async throws {
        do {
            let stage = Stage { $0.prepare(Int.self) { () async throws -> Int in throw Shop.Failure() } }
            objects.add("router", stage.router)
            _ = await failure { try await stage.router.start(with: Shop.Catalogue()) }
        }
        await settled()
        #expect(objects.alive.isEmpty)
    }

    @Test func contextThatOutlivesTheRouter_throws() async throws {
        let context: any RouteContext<Shop.Catalogue>
        do {
            let stage = try await Stage.started()
            objects.add("router", stage.router)
            context = try #require(stage.top(Shop.Catalogue.self)).context
        }
        #expect(objects.alive.isEmpty)
        #expect(await failure { try await context.open(Shop.Catalogue()) } == .screenDismissed)
        #expect(await failure { try context.finish() } == .screenDismissed)
    }

    @Test func weakService_isReleasedWithTheLastScreenThatHoldsIt() async throws {
        let stage = try await mailStage()
        try await stage.router.open([Shop.Account(), Shop.Account(owner: "bob")])
        objects.add("service", await mailScreen(of: stage)?.outbox)
        await stage.presenter.goBack()
        #expect(objects.alive == ["service"])
        await stage.presenter.goBack()
        #expect(objects.alive.isEmpty)
    }

    private func add(_ stage: Stage) throws {
        objects.add("router", stage.router)
        objects.add("presenter", stage.presenter)
        objects.add("inbox", try stage.router.resolve(Inbox.self))
        objects.add("outbox", try stage.router.resolve(Inbox.self).outbox.inbox.value.outbox)
        for entry in stage.presenter.stack { objects.add("screen", entry.screen as AnyObject) }
    }

    private func mailStage() async throws -> Stage {
        try await Stage.started {
            $0.register(Inbox.self, lifetime: .singleton, by: Inbox.init)
            $0.register(Outbox.self, by: Outbox.init)
            $0.route(Shop.Account.self, by: MailFeature.init)
        }
    }

    private func mailScreen(of stage: Stage) async -> MailScreen? {
        await eventually { stage.presenter.top is MailScreen }
        return stage.presenter.top as? MailScreen
    }

    @Test func callerThatWaits_keepsNoRouterAlive_andIsResumed() async throws {
        let call: Caller<String>
        do {
            let stage = try await mailStage()
            try add(stage)
            let context = try #require(stage.top(Shop.Catalogue.self)).context
            call = Caller { try await context.result(of: Shop.Account()) }
            _ = await mailScreen(of: stage)
        }
        #expect(await failure { try await call.output } == .routerReleased)
        await settled()
        #expect(objects.alive.isEmpty)
    }
}
