import Foundation
import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ActionTests {
    private let journal = Journal()

    @Test func action_returnsItsOutputAndShowsNothing() async throws {
        let stage = try await counting()
        #expect(try await stage.router.result(of: Shop.Count(limit: 3)) == 6)
        #expect(stage.shown == [AnyRoute(Shop.Catalogue())])
        #expect(journal.lines == ["count 3"])
    }

    @Test func action_isOpenedLikeAScreen() async throws {
        let stage = try await counting()
        try await stage.router.open(Shop.Count(limit: 1))
        try await stage.top(Shop.Catalogue.self)?.context.open(Shop.Count(limit: 2))
        try await stage.router.open(AnyRoute(Shop.Count(limit: 3)))
        try await stage.router.open(stage.router.catalog.route(for: #require(URL(string: "app://count/4"))))
        #expect(journal.lines == ["count 1", "count 2", "count 3", "count 4"])
        #expect(stage.shown?.count == 1)
    }

    @Test func action_thatIsRegisteredTwice_throwsAndIsNotPerformed() async throws {
        let journal = journal
        let stage = try await Stage.started { registrar in
            for _ in 1...2 {
                registrar.count { _ in journal.note("count") }
            }
        }
        #expect(await failure { try await stage.router.open(Shop.Count()) } == .duplicate)
        #expect(journal.lines.isEmpty)
    }

    @Test func actionsInAStack_arePerformedInTheirTurn() async throws {
        let stage = try await counting()
        try await stage.router.open([Shop.Count(limit: 1), Shop.Catalogue(page: 2), Shop.Count(limit: 2)])
        #expect(journal.lines == ["count 1", "count 2"])
        #expect(stage.shown == [AnyRoute(Shop.Catalogue()), AnyRoute(Shop.Catalogue(page: 2))])
    }

    @Test func actionThatThrows_isTheCallersError_andTakesTheScreensBack() async throws {
        let stage = try await Stage.started {
            $0.count { _ in throw Shop.Failure() }
        }
        await #expect(throws: Shop.Failure.self) { try await stage.router.result(of: Shop.Count()) }
        await #expect(throws: Shop.Failure.self) {
            try await stage.router.open([Shop.Catalogue(page: 2), Shop.Count()])
        }
        #expect(stage.shown == [AnyRoute(Shop.Catalogue())])
    }

    @Test func openerThatIsRemoved_whileAnActionOfItsStackRuns_showsNothingMore() async throws {
        let gate = Gate()
        let stage = try await Stage.started {
            $0.count { _ in await gate.pass() }
        }
        try await stage.router.open(Shop.Catalogue(page: 2))
        let opener = try #require(stage.top(Shop.Catalogue.self)).context
        let opening = Caller { try await opener.open([Shop.Count(), Shop.Checkout(items: [])]) }
        await gate.arrival()
        await stage.presenter.goBack()
        gate.open()
        #expect(await failure { try await opening.output } == .screenDismissed)
        #expect(stage.shown == [AnyRoute(Shop.Catalogue())])
    }

    @Test func startWithAnAction_isAnErrorBecauseNothingIsShown() async throws {
        let journal = journal
        let stage = Stage {
            $0.count { _ in journal.note("count") }
        }
        await #expect {
            try await stage.router.start(with: Shop.Count())
        } throws: { error in
            if case RouterError.emptyStack = error { true } else { false }
        }
        #expect(stage.shown == [])
        #expect(await failure { try await stage.router.open(Shop.Catalogue()) } == .notStarted)
        try await stage.router.start(with: Shop.Catalogue())
        #expect(stage.shown == [AnyRoute(Shop.Catalogue())])
        #expect(journal.lines == ["count"])
    }

    private func counting(_ more: @escaping @MainActor (Registrar) -> Void = { _ in }) async throws -> Stage {
        let journal = journal
        return try await Stage.started {
            more($0)
            $0.action(Shop.Count.self, .url("app://count/:limit")) {
                ProbeAction<Shop.Count> { route in
                    journal.note("count \(route.limit)")
                    return route.limit * 2
                }
            }
        }
    }

    /// An action, or a route that an interceptor, a fallback or an adapter leads to one.
    @Test(arguments: [false, true])
    func stackThatBeginsAnew_replacesEverything_alsoWhereItsFirstRouteIsAnAction(restored: Bool) async throws
    {
        let stage = try await counting { registrar in
            registrar.probe(Shop.Help.self)
            registrar.adapt(Shop.Account.self, to: Shop.Count.self) { _ in
                Shop.Count(limit: 5)
            } output: {
                "\($0)"
            }
        }
        try await stage.router.open(Shop.Catalogue(page: 2))
        let routes: [any Route] = [Shop.Account(), Shop.Help(), Shop.Catalogue(page: 3)]
        if restored {
            let entries = routes.map { RouterSnapshot.Entry(route: AnyRoute($0), style: .push) }
            try await stage.router.restore(RouterSnapshot(entries: entries))
        } else {
            try await stage.router.open(routes, as: .root)
        }
        #expect(stage.shown == [AnyRoute(Shop.Help()), AnyRoute(Shop.Catalogue(page: 3))])
        #expect(stage.presenter.styles == [.root, .push])
        #expect(journal.lines == ["count 5"])
        // Nothing takes the place of what is shown.
        try await stage.router.open([Shop.Count(limit: 1)], as: .root)
        #expect(stage.shown?.count == 2)
    }
}
