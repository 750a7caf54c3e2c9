import Foundation
import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ResultTests {
    private let stage = Stage()
    private let checkout = Shop.Checkout(items: ["tea"])

    @Test func finish_deliversTheOutputAndRemovesTheScreen() async throws {
        let result = try await awaitedCheckout()
        try await stage.arrival(at: Shop.Checkout.self).context.finish("paid")
        #expect(try await result.output == "paid")
        #expect(stage.shown?.count == 1)
    }

    @Test func finish_twice_isAnErrorOfTheFinisher() async throws {
        let result = try await awaitedCheckout()
        let screen = try await stage.arrival(at: Shop.Checkout.self)
        try screen.context.finish("paid")
        #expect(await failure { try screen.context.finish("again") } == .alreadyFinished)
        #expect(try await result.output == "paid")
    }

    @Test func goingBack_cancelsTheCaller() async throws {
        let result = try await awaitedCheckout()
        _ = try await stage.arrival(at: Shop.Checkout.self)
        await stage.presenter.goBack()
        await #expect(throws: UserDeclined.self) { try await result.output }
    }

    @Test func cancellingTheCallingTask_twiceOrLate_changesNothing() async throws {
        let result = try await awaitedCheckout()
        try await stage.arrival(at: Shop.Checkout.self).context.finish("paid")
        result.task.cancel()
        result.task.cancel()
        #expect(try await result.output == "paid")
        // What a late cancellation did would come before the next opening.
        try await stage.router.open(checkout)
        #expect(stage.shown?.count == 2)
    }

    @Test func resultOfARoot_throwsAtOnce() async throws {
        try await stage.router.start(with: Shop.Catalogue())
        #expect(
            await failure { try await stage.router.result(of: checkout, as: .root) } == .cannotDismissRoot)
        #expect(stage.shown == [AnyRoute(Shop.Catalogue())])
    }

    @Test func outputOfAURL_isTheOutputAsJSON_andFromOutside() async throws {
        var origins: [RouteOrigin] = []
        let stage = try await Stage.started {
            $0.probe(Shop.Account.self, .url("app://account/:owner"))
            $0.decide { request in
                origins.append(request.origin)
                return .proceed
            }
        }
        let url = try #require(URL(string: "app://account/ann"))
        let link = try stage.router.catalog.route(for: url)
        let output = Caller { try await stage.router.output(of: link) }
        try await stage.arrival(at: Shop.Account.self).context.finish("a/b")
        #expect(String(decoding: try await output.output, as: UTF8.self) == "\"a/b\"")
        #expect(origins == [.code, .external])
    }

    @Test func outputOfAURL_whoseRouteHasNone_throwsAndOpensNothing() async throws {
        struct Notice: Route { static let identifier = "notice" }
        let stage = try await Stage.started { $0.probe(Notice.self, .url("app://notice")) }
        let url = try #require(URL(string: "app://notice"))
        let link = try stage.router.catalog.route(for: url)
        #expect(await failure { try await stage.router.output(of: link) } == .outputNotEncodable)
        #expect(stage.shown?.count == 1)
    }

    @Test func nestedCallers_areCancelledTogether() async throws {
        let outer = try await awaitedCheckout()
        let screen = try await stage.arrival(at: Shop.Checkout.self)
        let inner = Caller { try await screen.context.result(of: Shop.Catalogue(page: 5)) }
        await eventually { stage.top(Shop.Catalogue.self)?.route.page == 5 }
        outer.task.cancel()
        await #expect(throws: CancellationError.self) { try await outer.output }
        await #expect(throws: UserDeclined.self) { try await inner.output }
        #expect(stage.shown?.count == 1)
    }

    @Test func aCancelledTask_opensNothing() async throws {
        try await stage.router.start(with: Shop.Catalogue())
        let router = stage.router
        let result = Caller {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await router.result(of: checkout)
        }
        await #expect(throws: CancellationError.self) { try await result.output }
        #expect(stage.shown?.count == 1)
    }

    @Test func aScreenThatFinishesWhileItIsBuilt_isNotShown() async throws {
        struct Instant: Route {
            typealias Output = Int
            static let identifier = "instant"
        }
        struct InstantFeature: Feature {
            func build(_ route: Instant, in context: any RouteContext<Instant>) throws -> any Screen {
                try context.finish(7)
                return ProbeScreen(route: route, context: context)
            }
        }
        let stage = Stage { $0.route(Instant.self, by: InstantFeature.init) }
        try await stage.router.start(with: Shop.Catalogue())
        #expect(try await stage.router.result(of: Instant()) == 7)
        #expect(stage.shown?.count == 1)
    }

    private func awaitedCheckout() async throws -> Caller<String> {
        try await stage.router.start(with: Shop.Catalogue())
        let context = try #require(stage.top(Shop.Catalogue.self)).context
        return Caller { try await context.result(of: checkout) }
    }
}
