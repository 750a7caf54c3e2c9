import Foundation
import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct FallbackTests {
    @Test func routeThatIsNotAvailable_opensItsFallbackInTheSameStyle() async throws {
        let stage = try await accountFallingBack(to: { _ in Shop.Help() })
        try await stage.router.open(Shop.Account(), as: .modal)
        #expect(stage.shown == [AnyRoute(Shop.Catalogue()), AnyRoute(Shop.Help())])
        #expect(stage.presenter.styles.last == .modal)
    }

    @Test func availability_isAskedForEachRoute() async throws {
        let stage = try await Stage.started {
            $0.probe(Shop.Help.self)
            $0.route(Shop.Account.self, .fallback { _ in Shop.Help() }) {
                ConditionalFeature<Shop.Account> { $0.owner == "ann" }
            }
        }
        try await stage.router.open(Shop.Account(owner: "ann"))
        try await stage.router.open(Shop.Account(owner: "bob"))
        #expect(
            stage.shown?.dropFirst() == [AnyRoute(Shop.Account(owner: "ann")), AnyRoute(Shop.Help())])
    }

    @Test func fallback_isMadeFromTheRoute() async throws {
        let stage = try await accountFallingBack(to: { Shop.Checkout(items: [$0.owner]) })
        try await stage.router.open(Shop.Account(owner: "bob"))
        #expect(stage.top(Shop.Checkout.self)?.route.items == ["bob"])
    }

    @Test func fallback_deliversAnOutputOfTheSameType() async throws {
        let stage = try await accountFallingBack(to: { _ in Shop.Help() })
        let result = Caller { try await stage.router.result(of: Shop.Account()) }
        try await stage.arrival(at: Shop.Help.self).context.finish("helped")
        #expect(try await result.output == "helped")
    }

    @Test func fallback_ofAnotherOutput_cancelsTheCallerWhenItEnds() async throws {
        let stage = try await accountFallingBack(to: { _ in Shop.Count() })
        let result = Caller { try await stage.router.result(of: Shop.Account()) }
        try await stage.arrival(at: Shop.Count.self).context.finish(1)
        await #expect(throws: UserDeclined.self) { try await result.output }
    }

    @Test func fallbackThatIsNotAvailable_opensItsOwnFallback() async throws {
        let stage = try await Stage.started {
            $0.probe(Shop.SignIn.self)
            $0.route(Shop.Account.self, .fallback { _ in Shop.Help() }) {
                ConditionalFeature<Shop.Account> { _ in false }
            }
            $0.route(Shop.Help.self, .fallback { _ in Shop.SignIn() }) {
                ConditionalFeature<Shop.Help> { _ in false }
            }
        }
        try await stage.router.open(Shop.Account())
        #expect(stage.shown?.last == AnyRoute(Shop.SignIn()))
        #expect(stage.router.validate().isEmpty)
    }

    @Test func fallbacksInACycle_areAProblem() async throws {
        let stage = try await Stage.started {
            $0.route(Shop.Account.self, .fallback { _ in Shop.Help() }) {
                ConditionalFeature<Shop.Account> { _ in false }
            }
            $0.route(Shop.Help.self, .fallback { _ in Shop.Account() }) {
                ConditionalFeature<Shop.Help> { _ in false }
            }
        }
        #expect(stage.router.validate().map { Failure($0) } == [.unreachableRoute])
    }

    @Test func routeWithoutAFallback_throws() async throws {
        let stage = try await Stage.started {
            $0.route(Shop.Account.self) { ConditionalFeature<Shop.Account> { _ in false } }
        }
        #expect(await failure { try await stage.router.open(Shop.Account()) } == .disabled)
        #expect(stage.shown?.count == 1)
    }

    @Test func fallbackThatCannotBeMade_isTheOpenersError() async throws {
        let stage = try await Stage.started {
            $0.probe(Shop.Help.self)
            $0.route(Shop.Account.self, .fallback { _ -> Shop.Help in throw Shop.Failure() }) {
                ConditionalFeature<Shop.Account> { _ in false }
            }
        }
        await #expect(throws: Shop.Failure.self) { try await stage.router.open(Shop.Account()) }
        #expect(stage.shown?.count == 1)
    }

    @Test func availability_isEnforcedForTheFirstScreen() async throws {
        let stage = accountStage(fallingBackTo: { _ in Shop.Help() })
        try await stage.router.start(with: Shop.Account())
        #expect(stage.shown == [AnyRoute(Shop.Help())])
        #expect(stage.presenter.stack.map(\.presentation.isRoot) == [true])
    }

    @Test func availability_isEnforcedOnEveryOtherWayIn() async throws {
        let stage = try await accountFallingBack(to: { _ in Shop.Help() })
        let router = stage.router
        try await router.open(AnyRoute(Shop.Account()))
        try await router.open(try #require(URL(string: "app://account/ann")))
        try await router.open([Shop.Account(), Shop.Catalogue(page: 2)])
        #expect(stage.shown?.map { $0.route is Shop.Help } == [false, true, true, true, false])
        try await router.restore(
            RouterSnapshot(entries: [.init(route: AnyRoute(Shop.Account()), style: .root)]))
        #expect(stage.shown == [AnyRoute(Shop.Help())])
    }

    private func accountFallingBack<Other: Route>(
        to fallback: @escaping @MainActor (Shop.Account) -> Other
    ) async throws -> Stage {
        let stage = accountStage(fallingBackTo: fallback)
        try await stage.router.start(with: Shop.Catalogue())
        return stage
    }

    /// A stage where accounts are not available.
    private func accountStage<Other: Route>(
        fallingBackTo fallback: @escaping @MainActor (Shop.Account) -> Other
    ) -> Stage {
        Stage {
            $0.probe(Shop.Help.self)
            $0.probe(Shop.Count.self)
            $0.route(Shop.Account.self, .url("app://account/:owner"), .fallback(fallback)) {
                ConditionalFeature<Shop.Account> { _ in false }
            }
        }
    }
}
