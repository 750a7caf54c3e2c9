import Foundation
import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

/// The decisions of interceptors, and their effects.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct InterceptorTests {
    @Test func request_hasTheOriginOfItsRoute_alsoWhereAnotherOneReplacesThat() async throws {
        var origins: [RouteOrigin] = []
        let stage = Stage {
            $0.probe(Shop.Help.self, .url("app://help"))
            $0.adapt(Shop.Account.self, to: Shop.Help.self) { _ in
                Shop.Help()
            } output: {
                $0
            }
            $0.decide { request in
                origins.append(request.origin)
                return .proceed
            }
        }
        let help = try stage.router.catalog.route(for: #require(URL(string: "app://help")))
        try await stage.router.start(with: Shop.Catalogue())
        try await stage.router.open(AnyRoute(Shop.Account()))
        try await stage.router.open(help)
        try await stage.top(Shop.Help.self)?.context.open(AnyRoute(Shop.Help()))
        try await stage.top(Shop.Help.self)?.context.open(help)
        let services = try stage.router.resolve((any Router).self)
        try await services.open(AnyRoute(Shop.Help()))
        try await services.open(help)
        #expect(
            origins == [.code, .link, .link, .external, .link, .external, .link, .external])
        origins = []
        try await stage.router.open(help, as: .modal)
        #expect(origins == [.external])
        #expect(stage.presenter.styles.suffix(2) == [.push, .modal])
        origins = []
        try await stage.router.restore(
            RouterSnapshot(entries: [.init(route: AnyRoute(Shop.Catalogue()), style: .root)]))
        let caller = Caller { try await stage.router.result(of: Shop.Help()) }
        try await stage.arrival(at: Shop.Help.self).context.finish("helped")
        _ = try await caller.output
        #expect(origins == [.link, .code])
    }

    @Test(arguments: [false, true])
    func rejection_isTheCallersErrorAndEndsTheDeciding(throwing: Bool) async throws {
        let journal = Journal()
        let stage = try await Stage.started {
            $0.probe(Shop.Account.self)
            $0.decide { request in
                guard request.route is Shop.Account else { return .proceed }
                if throwing { throw Shop.Failure() }
                return .reject(Shop.Failure())
            }
            $0.decide { request in
                journal.note(type(of: request.route).identifier)
                return .proceed
            }
        }
        await #expect(throws: Shop.Failure.self) { try await stage.router.open(Shop.Account()) }
        await #expect(throws: Shop.Failure.self) { try await stage.router.result(of: Shop.Account()) }
        #expect(stage.shown?.count == 1)
        #expect(journal.lines == ["shop.catalogue"])
    }

    @Test func redirect_opensTheOtherRouteInTheSameStyle() async throws {
        let stage = try await redirecting(to: Shop.Help())
        try await stage.router.open(Shop.Account(), as: .modal)
        #expect(stage.shown == [AnyRoute(Shop.Catalogue()), AnyRoute(Shop.Help())])
        #expect(stage.presenter.styles == [.root, .modal])
    }

    @Test func redirect_toAnotherOutput_cancelsTheCallerWhenItEnds() async throws {
        let stage = try await redirecting(to: Shop.Catalogue(page: 9))
        let result = Caller { try await stage.router.result(of: Shop.Account()) }
        await eventually { stage.top(Shop.Catalogue.self)?.route.page == 9 }
        try stage.top(Shop.Catalogue.self)?.context.finish()
        await #expect(throws: UserDeclined.self) { try await result.output }
        #expect(stage.shown?.count == 1)
    }

    @Test func redirect_toARouteThatNobodyHandles_throws() async throws {
        let stage = try await Stage.started {
            $0.probe(Shop.Account.self)
            $0.decide { $0.route is Shop.Account ? .redirect(to: Shop.Help()) : .proceed }
        }
        #expect(await failure { try await stage.router.open(Shop.Account()) } == .missingHandler)
        #expect(stage.shown?.count == 1)
    }

    private func redirecting(to other: some Route) async throws -> Stage {
        try await Stage.started {
            $0.probe(Shop.Account.self)
            $0.probe(Shop.Help.self)
            $0.decide { $0.route is Shop.Account ? .redirect(to: other) : .proceed }
        }
    }
}
