import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct AdapterTests {
    /// A route that a caller requires in its own interface.
    private struct PickItem: Route {
        typealias Output = Int
        static let identifier = "caller.pick"
        let items: [String]
    }

    private struct Pay: Route {
        typealias Output = String
        static let identifier = "caller.pay"
        var items: [String] = []
    }

    @Test func conversionThatThrows_isTheCallersError() async throws {
        let stage = try await adapting()
        let picked = Caller { try await stage.router.result(of: PickItem(items: [])) }
        try await stage.arrival(at: Shop.Checkout.self).context.finish("")
        await #expect(throws: Shop.Failure.self) { try await picked.output }
        #expect(stage.shown?.count == 1)
    }

    @Test func routeThatCannotBeConverted_isTheOpenersErrorAndShowsNothing() async throws {
        let stage = try await Stage.started {
            $0.adapt(Pay.self, to: Shop.Checkout.self) { _ in
                throw Shop.Failure()
            } output: {
                $0
            }
        }
        await #expect(throws: Shop.Failure.self) { try await stage.router.open(Pay()) }
        #expect(stage.shown?.count == 1)
    }

    @Test func goingBack_cancelsTheCallerOfAnAdaptedRoute() async throws {
        let stage = try await adapting()
        let picked = Caller { try await stage.router.result(of: PickItem(items: [])) }
        _ = try await stage.arrival(at: Shop.Checkout.self)
        await stage.presenter.goBack()
        await #expect(throws: UserDeclined.self) { try await picked.output }
    }

    @Test func adapters_chain() async throws {
        let stage = try await Stage.started {
            $0.adapt(PickItem.self, to: Pay.self, route: { Pay(items: $0.items) }, output: { $0.count })
            $0.adapt(Pay.self, to: Shop.Checkout.self) {
                Shop.Checkout(items: $0.items + ["fee"])
            } output: {
                $0
            }
        }
        let picked = Caller { try await stage.router.result(of: PickItem(items: ["tea"])) }
        let checkout = try await stage.arrival(at: Shop.Checkout.self)
        #expect(checkout.route.items == ["tea", "fee"])
        try checkout.context.finish("ok")
        #expect(try await picked.output == 2)
        #expect(stage.shown?.count == 1)
    }

    private func adapting() async throws -> Stage {
        try await Stage.started {
            $0.adapt(PickItem.self, to: Shop.Checkout.self, route: { Shop.Checkout(items: $0.items) }) {
                text in
                if text.isEmpty { throw Shop.Failure() }
                return text.count
            }
        }
    }
}
