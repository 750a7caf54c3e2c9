import Foundation
import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct SnapshotTests {
    @Test func snapshot_isWhatIsShown() async throws {
        let stage = Stage()
        #expect(stage.router.snapshot(including: .file) == RouterSnapshot(entries: []))
        try await stage.router.start(with: Shop.Catalogue())
        try await stage.router.open(Shop.Checkout(items: ["tea"]), as: .modal)
        #expect(
            stage.router.snapshot(including: .file).entries == [
                .init(route: AnyRoute(Shop.Catalogue()), style: .root),
                .init(route: AnyRoute(Shop.Checkout(items: ["tea"])), style: .modal),
            ])
        await stage.presenter.goBack()
        #expect(stage.router.snapshot(including: .file).entries.count == 1)
    }

    @Test func snapshot_ofAnUnknownRoute_isADecodingError() async throws {
        let json = Data(#"{"entries":[{"route":"shop.gone|{}","style":"root"}]}"#.utf8)
        let router = Stage().router
        #expect(throws: DecodingError.self) { try decoded(json, for: router) }
    }

    @Test func restoring_startsAFreshRouter_whoseScreensWorkLikeOthers() async throws {
        let shown = try await deepStage()
        let stored = try JSONEncoder().encode(shown.router.snapshot(including: .file))
        let fresh = Stage()
        try await fresh.router.restore(decoded(stored, for: fresh.router))
        #expect(fresh.router.snapshot(including: .file) == shown.router.snapshot(including: .file))
        #expect(fresh.shown == shown.shown)
        #expect(fresh.presenter.stack.map(\.presentation.isRoot) == [true, false, false])
        #expect(await failure { try await fresh.router.start(with: Shop.Catalogue()) } == .alreadyStarted)
        try fresh.top(Shop.Checkout.self)?.context.finish("to nobody")
        #expect(fresh.shown?.count == 2)
        await fresh.presenter.goBack()
        #expect(fresh.shown?.count == 1)
    }

    @Test func restoring_takesThePlaceOfEverythingThatIsShown() async throws {
        let snapshot = try await deepStage().router.snapshot(including: .file)
        let stage = try await Stage.started()
        let result = Caller { try await stage.router.result(of: Shop.Checkout(items: ["other"])) }
        _ = try await stage.arrival(at: Shop.Checkout.self)
        try await stage.router.restore(snapshot)
        #expect(stage.router.snapshot(including: .file) == snapshot)
        #expect(stage.shown == snapshot.entries.map(\.route))
        await #expect(throws: UserDeclined.self) { try await result.output }
    }

    @Test func restoring_nothing_throws() async throws {
        let empty = RouterSnapshot(entries: [])
        let stage = Stage()
        #expect(await failure { try await stage.router.restore(empty) } == .emptyStack)
        try await stage.router.start(with: Shop.Catalogue())
        #expect(await failure { try await stage.router.restore(empty) } == .emptyStack)
        #expect(stage.shown?.count == 1)
    }

    @Test func restoring_thatFails_changesNothing() async throws {
        let snapshot = try await deepStage().router.snapshot(including: .file)
        let stage = Stage { $0.decide { $0.route is Shop.Checkout ? .reject(Shop.Failure()) : .proceed } }
        await #expect(throws: Shop.Failure.self) { try await stage.router.restore(snapshot) }
        #expect(stage.shown == [])
        try await stage.router.start(with: Shop.Catalogue(page: 8))
        await #expect(throws: Shop.Failure.self) { try await stage.router.restore(snapshot) }
        #expect(stage.shown == [AnyRoute(Shop.Catalogue(page: 8))])
    }

    /// The user who is signed in; its state is never stored.
    private final class Session: Restorable {
        struct SavedState: Codable, Sendable { let user: String }
        static let stateScope = StateScope.memory
        var user: String?
        var savedState: SavedState? { user.map(SavedState.init) }
        func restore(_ state: SavedState?) { user = state?.user }
    }

    private final class SessionHolder {
        let session: Session
        init(session: Session) { self.session = session }
    }

    @Test(arguments: ["ann", nil], ["rejected", "cancelled", "stays", "changed"])
    func restoring_thatFails_leavesStatesAsTheyWere_orAsTheyWereChanged(
        user: String?, failure: String
    ) async throws {
        let gate = Gate()
        let stage = try await Stage.started {
            $0.register(Session.self, lifetime: .singleton) { Session() }
            $0.register(SessionHolder.self, lifetime: .singleton, by: SessionHolder.init)
            $0.probe(Shop.Account.self)
            $0.intercept(Shop.Account.self) { (session: Session) in
                ProbeInterceptor { _ in
                    #expect(session.user == "bob", "interceptors know the user of the snapshot")
                    if failure == "rejected" { return .reject(Shop.Failure()) }
                    await gate.pass()
                    return failure == "changed" ? .reject(Shop.Failure()) : .proceed
                }
            }
        }
        let (router, screen) = (stage.router, try #require(stage.top(Shop.Catalogue.self)))
        try screen.context.confirmLeaving { false }
        try router.resolve(SessionHolder.self).session.user = user
        let state = RouterSnapshot.State(#"{"user":"bob"}"#, of: .memory)
        let snapshot = RouterSnapshot(
            entries: [.init(route: AnyRoute(Shop.Account()), style: .root)],
            services: [TypeKey(Session.self).fullName: state])
        let restoration = Caller { try await router.restore(snapshot) }
        if failure != "rejected" { await gate.arrival() }
        if failure == "cancelled" { restoration.task.cancel() }
        if failure == "changed" { try router.resolve(Session.self).user = "carol" }
        gate.open()
        await #expect(throws: (any Error).self) { try await restoration.output }
        #expect(try router.resolve(Session.self).user == (failure == "changed" ? "carol" : user))
        #expect(try router.resolve(SessionHolder.self).session === router.resolve(Session.self))
        #expect(stage.top(Shop.Catalogue.self) === screen)
        #expect(stage.shown?.count == 1)
    }

    @Test func restoring_inTheStyleOfEmbeddedScreens_changesNothing() async throws {
        let stage = try await Stage.started()
        let snapshot = RouterSnapshot(entries: [
            .init(route: AnyRoute(Shop.Catalogue(page: 2)), style: .root),
            .init(route: AnyRoute(Shop.Catalogue(page: 3)), style: .embedded),
        ])
        #expect(await failure { try await stage.router.restore(snapshot) } == .embeddedStyle)
        #expect(stage.shown == [AnyRoute(Shop.Catalogue())])
        let fresh = Stage()
        #expect(await failure { try await fresh.router.restore(snapshot) } == .embeddedStyle)
        #expect(fresh.shown == [])
    }

    @Test func snapshotWithAnotherRootInside_beginsAnewThere() async throws {
        let stage = Stage()
        try await stage.router.restore(
            RouterSnapshot(entries: [
                .init(route: AnyRoute(Shop.Catalogue()), style: .root),
                .init(route: AnyRoute(Shop.Catalogue(page: 2)), style: .root),
                .init(route: AnyRoute(Shop.Catalogue(page: 3)), style: .push),
            ]))
        #expect(stage.shown == [AnyRoute(Shop.Catalogue(page: 2)), AnyRoute(Shop.Catalogue(page: 3))])
    }

    @Test func snapshotDuringTheStart_isTheStackThatIsAboutToBeShown() async throws {
        let state = RouterSnapshot.State(#""typed""#, of: .file)
        let entries = [
            RouterSnapshot.Entry(route: AnyRoute(Shop.Catalogue(page: 3)), style: .root, state: state),
            .init(route: AnyRoute(Shop.Catalogue(page: 4)), style: .modal),
        ]
        let stage = Stage {
            $0.probe(Shop.SignIn.self)
            $0.decide(about: Shop.Catalogue.self) { request in
                _ = try await request.result(of: Shop.SignIn())
                return .proceed
            }
        }
        let restoration = Caller { try await stage.router.restore(RouterSnapshot(entries: entries)) }
        let signIn = try await stage.arrival(at: Shop.SignIn.self)
        #expect(stage.router.snapshot(including: .file).entries == entries)
        try signIn.context.finish("ann")
        await eventually { stage.top(Shop.SignIn.self).map { $0 !== signIn } ?? false }
        #expect(stage.router.snapshot(including: .memory).entries == entries)
        restoration.task.cancel()
        await #expect(throws: CancellationError.self) { try await restoration.output }
        #expect(stage.router.snapshot(including: .file).entries.isEmpty)
    }

    private func deepStage() async throws -> Stage {
        let stage = try await Stage.started()
        try await stage.router.open(Shop.Catalogue(page: 2))
        try await stage.router.open(Shop.Checkout(items: ["tea"]), as: .modal)
        return stage
    }

    private func decoded(_ stored: Data, for router: RouterService) throws -> RouterSnapshot {
        let decoder = JSONDecoder()
        decoder.routeCatalog = router.catalog
        return try decoder.decode(RouterSnapshot.self, from: stored)
    }
}
