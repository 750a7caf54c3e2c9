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

    private protocol RequiredClock: AnyObject { var label: String { get } }

    private final class ClockAdapter: RequiredClock {
        private let clock: any Shop.Clock
        var label: String { "\(clock.name) clock" }
        init(clock: any Shop.Clock) { self.clock = clock }
    }

    private struct Pay: Route {
        typealias Output = String
        static let identifier = "caller.pay"
        var items: [String] = []
    }

    @Test func service_isAdaptedToAProtocolThatACallerRequires() throws {
        let router = RouterService {
            $0.register((any Shop.Clock).self, lifetime: .singleton, by: Shop.FakeClock.init)
            $0.register((any RequiredClock).self) { (clock: any Shop.Clock) in ClockAdapter(clock: clock) }
        }
        #expect(try router.resolve((any RequiredClock).self).label == "fake clock")
    }

    @Test func route_isFulfilledByAnother_bothWays() async throws {
        let stage = try await adapting()
        let picked = Caller { try await stage.router.result(of: PickItem(items: ["tea", "cake"])) }
        let checkout = try await stage.arrival(at: Shop.Checkout.self)
        #expect(checkout.route.items == ["tea", "cake"])
        try checkout.context.finish("four")
        #expect(try await picked.output == 4)
        #expect(stage.shown?.count == 1)
    }

    @Test func route_ofTheSameOutput_isAdaptedWithoutAConversion() async throws {
        let stage = try await adapting()
        let paid = Caller { try await stage.router.result(of: Pay(items: ["tea"])) }
        try await stage.arrival(at: Shop.Checkout.self).context.finish("paid")
        #expect(try await paid.output == "paid")
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
    }

    @Test func adapterToARouteThatNobodyHandles_throwsAndIsFoundByValidation() async throws {
        let stage = try await Stage.started {
            $0.adapt(Pay.self, to: Shop.Help.self, fileID: "A/A.swift", line: 9) { _ in
                Shop.Help()
            } output: {
                $0
            }
        }
        await #expect {
            try await stage.router.open(Pay())
        } throws: { error in
            "\(error)".hasPrefix(
                "Shop.Help has no handler. "
            )
        }
        #expect(
            stage.router.validate().map(\.description) == [
                "AdapterTests.Pay → Shop.Help, registered at A/A.swift:9, leads nowhere. Let it end at a route that has "
                    + "a handler and does not lead back."
            ])
    }

    @Test func adaptersThatLeadToOneAnother_throwThePath() async throws {
        let stage = try await Stage.started {
            $0.adapt(Pay.self, to: Shop.Help.self) { _ in
                Shop.Help()
            } output: {
                $0
            }
            $0.adapt(Shop.Help.self, to: Pay.self) { _ in
                Pay()
            } output: {
                $0
            }
        }
        await #expect {
            try await stage.router.open(Pay())
        } throws: { error in
            guard case RouterError.redirectCycle(let path) = error else { return false }
            return path == [AnyRoute(Pay()), AnyRoute(Shop.Help()), AnyRoute(Pay())]
        }
        #expect(stage.router.validate().map { Failure($0) } == [.unreachableRoute])
    }

    @Test func provided_passesTheInterceptorsToo() async throws {
        let journal = Journal()
        let stage = try await Stage.started {
            $0.adapt(Pay.self, to: Shop.Checkout.self) {
                Shop.Checkout(items: $0.items)
            } output: {
                $0
            }
            $0.decide { request in
                journal.note(type(of: request.route).identifier)
                return request.route is Shop.Checkout ? .reject(Shop.Failure()) : .proceed
            }
        }
        await #expect(throws: Shop.Failure.self) { try await stage.router.open(Pay()) }
        #expect(journal.lines == ["shop.catalogue", "caller.pay", "shop.checkout"])
    }

    @Test func adapter_isListedAsOne() {
        let router = RouterService {
            $0.adapt(Pay.self, to: Shop.Checkout.self) { _ in
                Shop.Checkout(items: [])
            } output: {
                $0
            }
        }
        #expect(router.routes.map(\.kind) == [.adapter])
    }

    private func adapting() async throws -> Stage {
        try await Stage.started {
            $0.adapt(PickItem.self, to: Shop.Checkout.self, route: { Shop.Checkout(items: $0.items) }) {
                text in
                if text.isEmpty { throw Shop.Failure() }
                return text.count
            }
            $0.adapt(Pay.self, to: Shop.Checkout.self) {
                Shop.Checkout(items: $0.items)
            } output: {
                $0
            }
        }
    }
}
