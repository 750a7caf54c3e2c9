import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct RoutingTests {
    @Test func start_showsTheFirstScreen() async throws {
        let stage = Stage()
        try await stage.router.start(with: Shop.Catalogue(page: 3))
        #expect(stage.top(Shop.Catalogue.self)?.route.page == 3)
        #expect(stage.presenter.stack.map(\.presentation.isRoot) == [true])
    }

    @Test func start_twice_throwsAndChangesNothing() async throws {
        let stage = Stage()
        try await stage.router.start(with: Shop.Catalogue())
        await #expect(throws: RouterError.self) { try await stage.router.start(with: Shop.Catalogue()) }
        #expect(stage.presenter.stack.count == 1)
    }

    @Test func open_beforeStart_throws() async throws {
        let stage = Stage()
        await #expect { try await stage.router.open(Shop.Catalogue()) } throws: { error in
            if case RouterError.notStarted = error { true } else { false }
        }
    }

    @Test func open_withoutAFeature_throwsAndNamesTheRoute() async throws {
        struct Unknown: Route { static let identifier = "unknown" }
        let stage = try await startedStage()
        await #expect { try await stage.router.open(Unknown()) } throws: { error in
            "\(error)".contains("No feature handles RoutingTests.Unknown")
        }
    }

    @Test func open_fromAContext_usesTheStyle() async throws {
        let stage = try await startedStage()
        try await stage.top(Shop.Catalogue.self)?.context.open(Shop.Catalogue(page: 2), as: .modal)
        #expect(stage.presenter.styles == [.push, .modal])
        try await stage.top(Shop.Catalogue.self)?.context.open(AnyRoute(Shop.Checkout(items: ["a"])))
        #expect(stage.presenter.styles == [.push, .modal, .push])
        #expect(stage.top(Shop.Checkout.self)?.route.items == ["a"])
    }

    @Test func open_inAStyleThatThePresenterDoesNotKnow_throwsAndKeepsTheStack() async throws {
        let stage = try await startedStage()
        await #expect(throws: RouterError.self) {
            try await stage.router.open(Shop.Catalogue(), as: PresentationStyle("sideways"))
        }
        #expect(stage.presenter.stack.count == 1)
        try await stage.router.open(Shop.Catalogue())
        #expect(stage.presenter.stack.count == 2)
    }

    @Test func open_whenBuildingFails_throwsTheFeaturesErrorAndShowsNothing() async throws {
        struct Broken: Route { static let identifier = "broken" }
        struct BrokenFeature: Feature {
            func build(_ route: Broken, in context: RouteContext<Broken>) throws -> any Screen {
                throw Shop.Failure()
            }
        }
        let stage = try await startedStage { $0.route(Broken.self, by: BrokenFeature.init) }
        await #expect(throws: Shop.Failure.self) { try await stage.router.open(Broken()) }
        #expect(stage.presenter.stack.count == 1)
    }

    @Test func feature_thatMissesAService_throwsWithTheWholePath() async throws {
        struct Needy: Route { static let identifier = "needy" }
        struct NeedyFeature: Feature {
            @Dependency var prices: any Shop.Prices
            func build(_ route: Needy, in context: RouteContext<Needy>) -> any Screen {
                ProbeScreen(route: route, context: context)
            }
        }
        let stage = try await startedStage {
            $0.route(Needy.self, by: NeedyFeature.init)
            $0.register((any Shop.Prices).self, by: Shop.FixedPrices.init)
        }
        await #expect { try await stage.router.open(Needy()) } throws: { error in
            "\(error)".contains(
                "RoutingTests.Needy → RoutingTests.NeedyFeature → any Shop.Prices → any Shop.Clock")
        }
    }

    @Test func dismiss_ofTheFirstScreen_throwsAndKeepsIt() async throws {
        let stage = try await startedStage()
        #expect(throws: RouterError.self) { try stage.top(Shop.Catalogue.self)?.context.dismiss() }
        stage.presenter.goBack()
        #expect(stage.presenter.stack.count == 1)
    }

    @Test func dismiss_removesTheScreenWithAllAboveIt() async throws {
        let stage = try await startedStage()
        try await stage.router.open(Shop.Catalogue(page: 2))
        let middle = try #require(stage.top(Shop.Catalogue.self))
        try await stage.router.open(Shop.Checkout(items: []))
        let top = try #require(stage.top(Shop.Checkout.self))
        try middle.context.dismiss()
        #expect(stage.presenter.stack.count == 1)
        for context in [middle.context.dismiss, top.context.dismiss] {
            #expect(throws: RouterError.self) { try context() }
        }
    }

    @Test func context_ofAScreenThatIsGone_throws() async throws {
        let stage = try await startedStage()
        try await stage.router.open(Shop.Checkout(items: []))
        let gone = try #require(stage.top(Shop.Checkout.self))
        stage.presenter.goBack()
        #expect(throws: RouterError.self) { try gone.context.dismiss() }
        await #expect(throws: RouterError.self) { try await gone.context.open(Shop.Catalogue()) }
        #expect { try gone.context.finish("late") } throws: { error in
            if case RouterError.screenIsGone = error { true } else { false }
        }
        #expect(stage.presenter.stack.count == 1)
    }

    @Test func screens_areReleasedWhenTheyAreGone() async throws {
        let stage = try await startedStage()
        try await stage.router.open(Shop.Checkout(items: []))
        weak let screen = stage.top(Shop.Checkout.self)
        #expect(screen != nil)
        stage.presenter.goBack()
        #expect(screen == nil)
    }

    private func startedStage(
        _ registration: @escaping @MainActor (any Registrar) -> Void = { _ in }
    ) async throws -> Stage {
        let stage = Stage(registration)
        try await stage.router.start(with: Shop.Catalogue())
        return stage
    }
}
