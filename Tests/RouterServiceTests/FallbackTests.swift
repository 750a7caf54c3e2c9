import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct FallbackTests {
    @Test func routeThatIsNotAvailable_opensTheFallbackThatIsMadeFromIt_inTheSameStyle() async throws {
        let stage = try await Stage.started {
            $0.route(Shop.Account.self, .fallback { Shop.Checkout(items: [$0.owner]) }) {
                ConditionalFeature<Shop.Account> { $0.owner == "ann" }
            }
        }
        try await stage.router.open(Shop.Account(owner: "ann"))
        try await stage.router.open(Shop.Account(owner: "bob"), as: .modal)
        #expect(
            stage.shown?.dropFirst() == [
                AnyRoute(Shop.Account(owner: "ann")), AnyRoute(Shop.Checkout(items: ["bob"])),
            ])
        #expect(stage.presenter.styles == [.root, .push, .modal])
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
}
