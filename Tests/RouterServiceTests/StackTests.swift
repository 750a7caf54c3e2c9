import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

/// Several routes at once, styles, and the ways back.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct StackTests {
    private struct Broken: Route { static let identifier = "broken" }
    private struct BrokenFeature: Feature {
        func build(_ route: Broken, in context: any RouteContext<Broken>) throws -> any Screen {
            throw Shop.Failure()
        }
    }

    /// A route whose screen finishes while it is built.
    private struct Instant: Route { static let identifier = "instant" }
    private struct InstantFeature: Feature {
        func build(_ route: Instant, in context: any RouteContext<Instant>) throws -> any Screen {
            try context.finish()
            return ProbeScreen(route: route, context: context)
        }
    }

    @Test func stack_opensInOneCall() async throws {
        let stage = try await started()
        try await stage.router.open([page(2), Shop.Checkout(items: ["tea"]), page(3)], as: .modal)
        #expect(
            stage.shown == [
                AnyRoute(page(1)), AnyRoute(page(2)), AnyRoute(Shop.Checkout(items: ["tea"])),
                AnyRoute(page(3)),
            ])
        #expect(stage.presenter.styles == [.root, .modal, .modal, .modal])
    }

    @Test func emptyStack_throws() async throws {
        let stage = try await started()
        #expect(await failure { try await stage.router.open([]) } == .emptyStack)
        #expect(stage.shown?.count == 1)
    }

    @Test(arguments: [PresentationStyle.push, .root])
    func stack_whoseMiddleCannotBeBuilt_changesNothing(style: PresentationStyle) async throws {
        let stage = try await started()
        try await stage.router.open(page(2))
        await #expect(throws: Shop.Failure.self) {
            try await stage.router.open([page(3), page(4), Broken(), page(5)], as: style)
        }
        #expect(stage.shown == routes(1, 2))
    }

    @Test func stack_thatFailsAfterAScreenFinishedAtOnce_changesNothing() async throws {
        let stage = try await started()
        await #expect(throws: Shop.Failure.self) {
            try await stage.router.open([Instant(), page(2), Broken()])
        }
        #expect(stage.shown == routes(1))
    }

    @Test func stack_thatThePresenterRefuses_changesNothing() async throws {
        let stage = try await started()
        stage.presenter.refusal = Shop.Failure()
        await #expect(throws: Shop.Failure.self) { try await stage.router.open([page(2)], as: .root) }
        #expect(stage.shown == routes(1))
    }

    @Test func stack_whoseMiddleNobodyHandles_buildsNothing() async throws {
        let journal = Journal()
        let stage = try await Stage.started {
            $0.count { _ in journal.note("performed") }
        }
        #expect(
            await failure { try await stage.router.open([Shop.Count(), page(2), Shop.Help()]) }
                == .missingHandler)
        #expect(stage.shown == routes(1))
        #expect(journal.lines.isEmpty)
    }

    @Test func rootStyle_beginsAnew() async throws {
        let stage = try await started()
        try await stage.router.open([page(2), page(3)])
        try await stage.router.open(page(4), as: .root)
        #expect(stage.shown == routes(4))
        #expect(stage.presenter.stack.map(\.presentation.isRoot) == [true])
        await stage.presenter.goBack()
        await settled()
        #expect(stage.shown == routes(4))
        #expect(
            await failure { try await stage.top(Shop.Catalogue.self)?.context.dismiss() }
                == .cannotDismissRoot)
    }

    @Test func dismissToAType_goesDownToTheNearestOfIt() async throws {
        let stage = try await started()
        let checkout = Shop.Checkout(items: [])
        try await stage.router.open([checkout, page(2), checkout, page(3), page(4)])
        try await stage.top(Shop.Catalogue.self)?.context.dismiss(to: Shop.Checkout.self)
        #expect(stage.shown?.count == 4)
        #expect(stage.shown?.last == AnyRoute(checkout))
    }

    @Test func dismissTo_whatIsNotBelow_throwsAndChangesNothing() async throws {
        let stage = try await started()
        try await stage.router.open([page(2), Shop.Checkout(items: [])])
        let top = try #require(stage.top(Shop.Checkout.self)).context
        #expect(
            await failure { try await top.dismiss(to: Shop.Checkout.self) } == .routeNotInStack,
            "the screen itself is not below")
        #expect(await failure { try await top.dismiss(to: Shop.Help.self) } == .routeNotInStack)
        #expect(stage.shown == routes(1, 2) + [AnyRoute(Shop.Checkout(items: []))])
    }

    @Test func dismissTo_fromTheMiddle_removesWhatIsAboveToo() async throws {
        let stage = try await started()
        try await stage.router.open([page(2), page(3)])
        let middle = try #require(stage.top(Shop.Catalogue.self)).context
        try await stage.router.open([page(4), page(5)])
        try await middle.dismiss(to: Shop.Catalogue.self)
        #expect(stage.shown == routes(1, 2))
        #expect(await failure { try await middle.dismiss(to: Shop.Catalogue.self) } == .screenDismissed)
    }

    @Test func routerDismissTo_looksFromTheTopmostDown() async throws {
        let stage = try await started()
        let checkout = Shop.Checkout(items: [])
        try await stage.router.open([checkout, page(3), checkout, page(4), page(5)])
        let service = try stage.router.resolve((any Router).self)
        let expected = routes(1) + [AnyRoute(checkout)] + routes(3) + [AnyRoute(checkout)]
        try await service.dismiss(to: Shop.Checkout.self)
        #expect(stage.shown == expected)
        try await service.dismiss(to: Shop.Checkout.self)
        #expect(stage.shown == expected, "it is the topmost already")
        try await stage.router.dismiss(to: Shop.Catalogue.self)
        #expect(stage.shown == Array(expected.dropLast()))
        #expect(await failure { try await service.dismiss(to: Shop.Help.self) } == .routeNotInStack)
    }

    @Test func stackOfWhichScreensInTheMiddleAreLeftMeanwhile_isNotShown() async throws {
        let gates = [Gate(), Gate(), Gate()]
        let stage = try await started { registrar in
            registrar.count { route in await gates[route.limit].pass() }
        }
        let opening = Caller {
            try await stage.router.open([
                page(2), page(3), Shop.Count(limit: 0), page(4), Shop.Count(limit: 1), page(5),
            ])
        }
        await gates[0].arrival()
        try stage.top(Shop.Catalogue.self)?.context.confirmLeaving {
            await gates[2].pass()
            return true
        }
        // The screen is asked while another is shown above it, which stays.
        let leaving = Caller { await stage.presenter.stack[2].presentation.close() }
        await gates[2].arrival()
        gates[0].open()
        await gates[1].arrival()
        gates[2].open()
        try await leaving.output
        #expect(stage.shown == routes(1, 2, 4))
        gates[1].open()
        #expect(await failure { try await opening.output } == .declined)
        #expect(stage.shown == routes(1))
    }

    /// Ways in which a stack of three is removed while an action above it is being performed.
    @Test(arguments: ["dismiss", "cancel", "leave", "throw", "root"])
    func screens_areRemovedTheTopmostFirst(way: String) async throws {
        let gate = Gate()
        let stage = try await started { registrar in
            registrar.count { _ in
                await gate.pass()
                if way == "throw" { throw Shop.Failure() }
            }
        }
        let events = stage.router.events()
        let opening = Caller {
            try await stage.router.open([page(2), page(3), page(4), Shop.Count(), page(5)])
        }
        await gate.arrival()
        switch way {
        case "dismiss":
            let lowest = stage.presenter.stack[1].screen as? ProbeScreen<Shop.Catalogue>
            try await lowest?.context.dismiss()
        case "cancel": opening.task.cancel()
        case "leave": await stage.presenter.stack[1].presentation.close()
        case "root": try await stage.router.open(page(9), as: .root)
        default: break
        }
        gate.open()
        _ = await failure { try await opening.output }
        await stage.router.broadcast(Done())
        var removed: [AnyRoute] = []
        for await event in events {
            if case .removed(let route) = event { removed.append(route) }
            if case .broadcast = event { break }
        }
        #expect(removed == routes(4, 3, 2) + (way == "root" ? routes(1) : []))
    }

    private struct Done: Event {}

    private func page(_ number: Int) -> Shop.Catalogue { Shop.Catalogue(page: number) }

    private func routes(_ pages: Int...) -> [AnyRoute] { pages.map { AnyRoute(page($0)) } }

    private func started(_ more: @escaping @MainActor (Registrar) -> Void = { _ in }) async throws -> Stage {
        try await Stage.started {
            $0.route(Broken.self, by: BrokenFeature.init)
            $0.route(Instant.self, by: InstantFeature.init)
            more($0)
        }
    }

    @Test(.timeLimit(.minutes(5))) func fiveThousandScreens_takeThePerScreenTimeOfAHundred() async throws {
        func time(
            of stacks: Int, _ count: Int, _ work: (Stage, [any Route]) async throws -> Void
        ) async throws
            -> Duration
        {
            let pages: [any Route] = (1...count).map { page($0) }
            var elapsed = Duration.zero
            for _ in 1...stacks {
                let stage = try await Stage.started()
                let start = ContinuousClock.now
                try await work(stage, pages)
                elapsed += ContinuousClock.now - start
                #expect(stage.presenter.stack.count >= count)
            }
            return elapsed
        }
        func restore(_ stage: Stage, _ pages: [any Route]) async throws {
            let entries = pages.enumerated().map {
                RouterSnapshot.Entry(route: AnyRoute($1), style: $0 == 0 ? .root : .push)
            }
            try await stage.router.restore(RouterSnapshot(entries: entries))
        }
        func open(_ stage: Stage, _ pages: [any Route]) async throws { try await stage.router.open(pages) }
        for work in [open, restore] {
            // Twice the time when it runs alone. Other tests use the main actor too, and what grows faster than the
            // stack takes fifty times as long.
            var (few, many): (Duration, Duration) = (.seconds(60), .seconds(60))
            for _ in 1...3 {
                few = min(few, try await time(of: 50, 100, work))
                many = min(many, try await time(of: 1, 5_000, work))
            }
            #expect(many < few * 10, "\(few) and \(many)")
        }
    }
}
