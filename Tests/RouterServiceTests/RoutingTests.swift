import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct RoutingTests {
    @Test func start_showsTheFirstScreen() async throws {
        let stage = Stage()
        try await stage.router.start(with: Shop.Catalogue(page: 3))
        #expect(stage.top(Shop.Catalogue.self)?.route.page == 3)
        #expect(stage.presenter.stack.map(\.presentation.isRoot) == [true])
    }

    @Test func open_beforeStart_throws() async throws {
        let stage = Stage()
        #expect(await failure { try await stage.router.open(Shop.Catalogue()) } == .notStarted)
        #expect(await failure { try await stage.router.result(of: Shop.Catalogue()) } == .notStarted)
    }

    @Test func open_withoutAHandler_throwsAndNamesTheRoute() async throws {
        let stage = try await Stage.started()
        await #expect {
            try await stage.router.open(Shop.Help())
        } throws: { error in
            guard case RouterError.missingHandler(let route) = error else { return false }
            return route == TypeKey(Shop.Help.self)
        }
        #expect(stage.shown?.count == 1)
    }

    @Test func open_fromAContext_usesTheStyle() async throws {
        let stage = try await Stage.started()
        try await stage.top(Shop.Catalogue.self)?.context.open(Shop.Catalogue(page: 2), as: .modal)
        #expect(stage.presenter.styles == [.root, .modal])
        try await stage.top(Shop.Catalogue.self)?.context.open(AnyRoute(Shop.Checkout(items: ["a"])))
        #expect(stage.presenter.styles == [.root, .modal, .push])
        #expect(stage.top(Shop.Checkout.self)?.route.items == ["a"])
    }

    @Test(arguments: [
        ("feature", "Shop.Help → ProbeFeature<Shop.Help>"), ("action", "Shop.Help → ProbeAction<Shop.Help>"),
        ("interceptor", "ProbeInterceptor"),
    ])
    func handlerThatMissesAService_throwsWithTheWholePath(kind: String, start: String) async throws {
        let stage = try await Stage.started { registrar in
            registrar.register((any Shop.Prices).self, by: Shop.FixedPrices.init)
            switch kind {
            case "feature":
                registrar.route(Shop.Help.self) { (_: any Shop.Prices) in ProbeFeature<Shop.Help>() }
            case "action":
                registrar.action(Shop.Help.self) { (_: any Shop.Prices) in ProbeAction<Shop.Help> { _ in "" }
                }
            default:
                registrar.probe(Shop.Help.self)
                registrar.intercept(Shop.Help.self) { (_: any Shop.Prices) in
                    ProbeInterceptor { _ in .proceed }
                }
            }
        }
        await #expect { try await stage.router.open(Shop.Help()) } throws: { error in
            "\(error)".contains("needed along \(start) → any Shop.Prices → any Shop.Clock.")
        }
        #expect(stage.shown?.count == 1)
    }

    @Test func dismiss_ofTheFirstScreen_throwsAndKeepsIt() async throws {
        let stage = try await Stage.started()
        #expect(
            await failure { try await stage.top(Shop.Catalogue.self)?.context.dismiss() }
                == .cannotDismissRoot)
        #expect(await failure { try stage.top(Shop.Catalogue.self)?.context.finish() } == .cannotDismissRoot)
        await stage.presenter.goBack()
        #expect(stage.presenter.stack.count == 1)
    }

    @Test func dismiss_removesTheScreenWithAllAboveIt() async throws {
        let stage = try await Stage.started()
        try await stage.router.open(Shop.Catalogue(page: 2))
        let middle = try #require(stage.top(Shop.Catalogue.self))
        try await stage.router.open(Shop.Checkout(items: []))
        let top = try #require(stage.top(Shop.Checkout.self))
        try await middle.context.dismiss()
        #expect(stage.presenter.stack.count == 1)
        #expect(await failure { try await middle.context.dismiss() } == .screenDismissed)
        #expect(await failure { try await top.context.dismiss() } == .screenDismissed)
    }

    @Test func context_ofAScreenThatIsGone_throws() async throws {
        let stage = try await Stage.started()
        try await stage.router.open(Shop.Checkout(items: []))
        let gone = try #require(stage.top(Shop.Checkout.self))
        await stage.presenter.goBack()
        #expect(await failure { try await gone.context.dismiss() } == .screenDismissed)
        #expect(await failure { try await gone.context.dismiss(to: Shop.Catalogue.self) } == .screenDismissed)
        #expect(await failure { try await gone.context.open(Shop.Catalogue()) } == .screenDismissed)
        #expect(await failure { try await gone.context.result(of: Shop.Catalogue()) } == .screenDismissed)
        #expect(await failure { try gone.context.finish("late") } == .screenDismissed)
        #expect(stage.presenter.stack.count == 1)
    }

    @Test func style_ofEmbeddedScreens_isRejected() async throws {
        let stage = try await Stage.started()
        for call in [
            { try await stage.router.open(Shop.Catalogue(), as: .embedded) },
            { _ = try await stage.router.result(of: Shop.Checkout(items: []), as: .embedded) },
            { try await stage.router.open([Shop.Catalogue(), Shop.Catalogue()], as: .embedded) },
        ] {
            #expect(await failure { try await call() } == .embeddedStyle)
        }
        #expect(stage.presenter.stack.count == 1)
    }
}
