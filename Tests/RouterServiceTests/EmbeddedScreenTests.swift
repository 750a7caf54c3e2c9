import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

/// Screens that are embedded in another, and not on the stack.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct EmbeddedScreenTests {
    private let journal = Journal()

    /// A stage with an account above the catalogue.
    private func accounts(
        _ registration: @escaping @MainActor (Registrar) -> Void = { _ in }
    ) async throws -> (stage: Stage, account: any RouteContext<Shop.Account>) {
        let stage = try await Stage.started {
            $0.probe(Shop.Account.self)
            $0.probe(Shop.Help.self)
            registration($0)
        }
        try await stage.router.open(Shop.Account())
        return (stage, try #require(stage.top(Shop.Account.self)).context)
    }

    private func help(
        in context: some RouteContext
    ) async throws -> (embedded: EmbeddedScreen, context: any RouteContext<Shop.Help>) {
        let embedded = try await context.embed(Shop.Help())
        return (embedded, try #require(embedded.screen as? ProbeScreen<Shop.Help>).context)
    }

    @Test func embeddedScreen_isNotOnTheStack_andEndsWhenItFinishes() async throws {
        let (stage, account) = try await accounts()
        let before = stage.shown
        let (embedded, help) = try await help(in: account)
        #expect(embedded.presentation.style == .embedded)
        #expect(!embedded.presentation.isRoot)
        #expect(stage.shown == before)
        try help.finish("done")
        #expect(embedded.presentation.isEnded)
        #expect(stage.shown == before, "its parent stays")
        #expect(await failure { try help.finish("again") } == .alreadyFinished)
        #expect(await failure { try await help.open(Shop.Account()) } == .screenDismissed)
    }

    /// A way in which an embedded screen ends without an output.
    enum End: CaseIterable {
        case parentIsLeft, parentFinishes, stackBeginsAnew, dismissal, closing, release
    }

    @Test(arguments: End.allCases)
    func embeddedScreen_goesWithItsParent_andWhenNobodyHoldsIt(end: End) async throws {
        let (stage, account) = try await accounts()
        var held: EmbeddedScreen?
        let child: any RouteContext<Shop.Help>
        do {
            let embedded = try await help(in: account)
            (held, child) = (embedded.embedded, embedded.context)
        }
        let inner = try await child.embed(Shop.Checkout(items: []))
        let grandchild = try #require(inner.screen as? ProbeScreen<Shop.Checkout>).context
        switch end {
        case .parentIsLeft: await stage.presenter.goBack()
        case .parentFinishes: try account.finish("")
        case .stackBeginsAnew: try await stage.router.open(Shop.Catalogue(page: 2), as: .root)
        case .dismissal: try await child.dismiss()
        case .closing: await held?.presentation.close()
        case .release:
            held = nil
            await eventually { inner.presentation.isEnded }
        }
        #expect(inner.presentation.isEnded, "one that stands in it goes too")
        #expect(held?.presentation.isEnded != false)
        #expect(await failure { try child.finish("late") } == .screenDismissed)
        #expect(await failure { try grandchild.finish("late") } == .screenDismissed)
        #expect(stage.shown != nil)
    }

    @Test func leavingTheParent_asksTheEmbeddedScreenToo() async throws {
        let (stage, account) = try await accounts()
        let (embedded, help) = try await help(in: account)
        try account.confirmLeaving { [journal] in
            journal.note("parent"); return true
        }
        try help.confirmLeaving { [journal] in
            // Only when it is asked for the third time.
            journal.note("child"); return journal.lines.count == 3
        }
        await stage.presenter.goBack()
        #expect(journal.lines == ["child"])
        #expect(!embedded.presentation.isEnded)
        #expect(stage.shown?.count == 2)
        #expect(await failure { try await stage.router.open(Shop.Help(), as: .root) } == .declined)
        await stage.presenter.goBack()
        #expect(journal.lines == ["child", "child", "child", "parent"])
        #expect(embedded.presentation.isEnded)
    }

    @Test func embeddedScreen_opensAboveItsParent_andGoesBackToIt() async throws {
        let (stage, account) = try await accounts()
        let (embedded, help) = try await help(in: account)
        try await help.open([Shop.Account(owner: "bob"), Shop.Help()])
        #expect(stage.shown?.count == 4)
        try await help.dismiss(to: Shop.Account.self)
        #expect(stage.shown == [AnyRoute(Shop.Catalogue()), AnyRoute(Shop.Account())])
        #expect(!embedded.presentation.isEnded)
        try await help.dismiss(to: Shop.Catalogue.self)
        #expect(stage.shown?.count == 1)
        #expect(embedded.presentation.isEnded)
    }

    @Test func embedding_passesInterceptorsFallbacksAndAdapters_asAnyOpening() async throws {
        var isSignInThere = true
        let (stage, account) = try await accounts { [journal] registrar in
            registrar.route(Shop.SignIn.self, .fallback { _ in Shop.Help() }) {
                ConditionalFeature<Shop.SignIn> { _ in isSignInThere }
            }
            registrar.decide { request in
                if request.route is Shop.SignIn { journal.note(request.style.rawValue) }
                return request.route is Shop.Checkout ? .reject(Shop.Failure()) : .proceed
            }
        }
        let there = try await account.embed(Shop.SignIn())
        #expect(there.screen is ProbeScreen<Shop.SignIn>)
        isSignInThere = false
        let fallback = try await account.embed(Shop.SignIn())
        #expect(journal.lines == ["embedded", "embedded"])
        try #require(fallback.screen as? ProbeScreen<Shop.Help>).context.finish("ann")
        #expect(fallback.presentation.isEnded)
        #expect(await failure { try await account.embed(Shop.Checkout(items: [])) } == .shop)
        #expect(stage.shown?.count == 2)
    }

    @Test func action_cannotBeEmbedded() async throws {
        let (stage, account) = try await accounts { [journal] in
            $0.action(Shop.Count.self) {
                ProbeAction<Shop.Count> { route in
                    journal.note("performed"); return route.limit
                }
            }
        }
        #expect(await failure { try await account.embed(Shop.Count()) } == .noScreen)
        #expect(journal.lines.isEmpty)
        #expect(stage.shown?.count == 2)
    }

    @Test func parentThatGoesMeanwhile_embedsNothing() async throws {
        let gate = Gate()
        let (stage, account) = try await accounts { registrar in
            registrar.decide { request in
                if request.style == .embedded { await gate.pass() }
                return .proceed
            }
        }
        let embedding = Caller { try await account.embed(Shop.Help()).presentation.isEnded }
        await gate.arrival()
        await stage.presenter.goBack()
        gate.open()
        #expect(await failure { try await embedding.output } == .screenDismissed)
        #expect(await failure { try await account.embed(Shop.Help()) } == .screenDismissed)
    }

    @Test func parent_isBuiltAnewWhenTheModuleOfItsChildIsReplaced() async throws {
        struct Help: Module {
            func register(in registrar: Registrar) { registrar.probe(Shop.Help.self) }
        }
        let presenter = HeadlessPresenter()
        let router = RouterService(modules: [
            TestModule {
                $0.register((any Presenter).self, lifetime: .singleton) { presenter }
                $0.probe(Shop.Account.self)
            }, Help(),
        ])
        try await router.start(with: Shop.Account())
        let former = try #require(presenter.top as? ProbeScreen<Shop.Account>)
        let (embedded, help) = try await help(in: former.context)
        try await router.replace([Help()])
        #expect(presenter.top as? ProbeScreen<Shop.Account> !== former)
        #expect(embedded.presentation.isEnded)
        #expect(await failure { try help.finish("late") } == .screenDismissed)
    }

    @Test func recordingContext_standsInForARouter() async throws {
        struct Preview: Screen {}
        let recorder = RecordingContext<Shop.Account>()
        recorder.child = Preview()
        let embedded = try await recorder.context.embed(Shop.Help())
        #expect(embedded.screen is Preview)
        #expect(recorder.embedded == [AnyRoute(Shop.Help())])
    }
}
