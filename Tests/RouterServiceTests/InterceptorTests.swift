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
    private let journal = Journal()

    @Test func interceptors_decideInTheOrderOfRegistration() async throws {
        let journal = journal
        let router = RouterService(modules: [
            TestModule { registrar in
                registrar.register((any Presenter).self, lifetime: .singleton) { HeadlessPresenter() }
                registrar.probe(Shop.Catalogue.self)
                registrar.decide { _ in
                    journal.note("first"); return .proceed
                }
            },
            TestModule { registrar in
                registrar.decide { _ in
                    journal.note("second"); return .proceed
                }
                registrar.decide { _ in
                    journal.note("third"); return .proceed
                }
            },
        ])
        try await router.start(with: Shop.Catalogue())
        #expect(journal.lines == ["first", "second", "third"])
    }

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
        let url = try #require(URL(string: "app://help"))
        try await stage.router.start(with: Shop.Catalogue())
        try await stage.router.open(AnyRoute(Shop.Account()))
        try await stage.router.open(url)
        try await stage.top(Shop.Help.self)?.context.open(AnyRoute(Shop.Help()))
        try await stage.top(Shop.Help.self)?.context.open(url)
        let services = try stage.router.resolve((any Router).self)
        try await services.open(AnyRoute(Shop.Help()))
        try await services.open(url)
        #expect(
            origins == [.code, .link, .link, .external, .link, .external, .link, .external])
        origins = []
        // Also in another style, and for one that was read before.
        try await stage.router.open(url, as: .modal)
        try await stage.router.open(stage.router.catalog.route(for: url), as: .modal)
        try await stage.top(Shop.Help.self)?.context.open(stage.router.catalog.route(for: url))
        #expect(origins == [.external, .external, .external])
        #expect(stage.presenter.styles.suffix(3) == [.modal, .modal, .push])
        origins = []
        try await stage.router.restore(
            RouterSnapshot(entries: [.init(route: AnyRoute(Shop.Catalogue()), style: .root)]))
        let help = Caller { try await stage.router.result(of: Shop.Help()) }
        try await stage.arrival(at: Shop.Help.self).context.finish("helped")
        _ = try await help.output
        #expect(origins == [.link, .code])
    }

    @Test func interceptor_needsServices() async throws {
        struct Guard: Interceptor {
            let clock: any Shop.Clock
            func intercept(_ request: RouteRequest) async throws -> Interception {
                clock.name == "fake" ? .reject(Shop.Failure()) : .proceed
            }
        }
        let stage = Stage {
            $0.register((any Shop.Clock).self, by: Shop.FakeClock.init)
            $0.intercept(.all, by: Guard.init)
        }
        await #expect(throws: Shop.Failure.self) { try await stage.router.start(with: Shop.Catalogue()) }
    }

    @Test func interceptor_thatMissesAService_throwsAndShowsNothing() async throws {
        let stage = Stage {
            $0.intercept(.all) { (clock: any Shop.Clock) in ProbeInterceptor { _ in .proceed } }
        }
        #expect(await failure { try await stage.router.start(with: Shop.Catalogue()) } == .missingService)
        #expect(stage.presenter.stack.isEmpty)
    }

    @Test func rejection_isTheCallersErrorAndEndsTheDeciding() async throws {
        let journal = journal
        let stage = try await Stage.started {
            $0.probe(Shop.Account.self)
            $0.decide { $0.route is Shop.Account ? .reject(Shop.Failure()) : .proceed }
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

    @Test func interceptorThatThrows_rejects() async throws {
        let stage = try await Stage.started {
            $0.probe(Shop.Account.self)
            $0.decide { request in
                if request.route is Shop.Account { throw Shop.Failure() }
                return .proceed
            }
        }
        await #expect(throws: Shop.Failure.self) { try await stage.router.open(Shop.Account()) }
        #expect(stage.shown?.count == 1)
    }

    @Test func redirect_opensTheOtherRouteInTheSameStyle() async throws {
        let stage = try await redirecting(to: Shop.Help())
        try await stage.router.open(Shop.Account(), as: .modal)
        #expect(stage.shown == [AnyRoute(Shop.Catalogue()), AnyRoute(Shop.Help())])
        #expect(stage.presenter.styles == [.root, .modal])
    }

    @Test func redirect_toTheSameOutput_deliversIt() async throws {
        let stage = try await redirecting(to: Shop.Help())
        let result = Caller { try await stage.router.result(of: Shop.Account()) }
        try await stage.arrival(at: Shop.Help.self).context.finish("helped")
        #expect(try await result.output == "helped")
    }

    @Test func redirect_toAnotherOutput_cancelsTheCallerWhenItEnds() async throws {
        let stage = try await redirecting(to: Shop.Catalogue(page: 9))
        let result = Caller { try await stage.router.result(of: Shop.Account()) }
        await eventually { stage.top(Shop.Catalogue.self)?.route.page == 9 }
        try stage.top(Shop.Catalogue.self)?.context.finish()
        await #expect(throws: UserDeclined.self) { try await result.output }
        #expect(stage.shown?.count == 1)
    }

    @Test func redirect_isDecidedAboutFromTheFirstInterceptorOn() async throws {
        let journal = journal
        let stage = Stage {
            $0.decide { request in
                journal.note("first \(type(of: request.route).identifier)")
                return .proceed
            }
            $0.decide { request in
                journal.note("second \(type(of: request.route).identifier)")
                return request.route is Shop.Catalogue
                    ? .redirect(to: Shop.Checkout(items: [])) : .proceed
            }
        }
        try await stage.router.start(with: Shop.Catalogue())
        #expect(stage.shown == [AnyRoute(Shop.Checkout(items: []))])
        #expect(
            journal.lines == [
                "first shop.catalogue", "second shop.catalogue", "first shop.checkout",
                "second shop.checkout",
            ])
    }

    @Test func redirect_toARouteThatNobodyHandles_throws() async throws {
        let stage = try await Stage.started {
            $0.probe(Shop.Account.self)
            $0.decide { $0.route is Shop.Account ? .redirect(to: Shop.Help()) : .proceed }
        }
        #expect(await failure { try await stage.router.open(Shop.Account()) } == .missingHandler)
        #expect(stage.shown?.count == 1)
    }

    @Test func redirects_withoutEnd_throwThePath() async throws {
        let stage = try await Stage.started {
            $0.decide { request in
                guard let route = request.route as? Shop.Catalogue, route.page > 1 else { return .proceed }
                return .redirect(to: Shop.Catalogue(page: route.page + 1))
            }
        }
        await #expect {
            try await stage.router.open(Shop.Catalogue(page: 2))
        } throws: { error in
            guard case RouterError.redirectCycle(let path) = error else { return false }
            return path.first == AnyRoute(Shop.Catalogue(page: 2)) && path.count > 10
        }
    }

    @Test func redirects_toAnotherValueOfTheSameType_areNoCycle() async throws {
        let stage = try await Stage.started {
            $0.decide { request in
                guard let route = request.route as? Shop.Catalogue, route.page > 5 else { return .proceed }
                return .redirect(to: Shop.Catalogue(page: route.page - 1))
            }
        }
        try await stage.router.open(Shop.Catalogue(page: 8))
        #expect(stage.shown?.last == AnyRoute(Shop.Catalogue(page: 5)))
    }

    @Test func interceptorThatOpensThroughTheRouter_andLeadsToItself_throws() async throws {
        let journal = journal
        let stage = try await Stage.started {
            $0.probe(Shop.Account.self)
            $0.probe(Shop.SignIn.self)
            $0.intercept(.all) { (router: any Router) in
                ProbeInterceptor { request in
                    guard !(request.route is Shop.Catalogue) else { return .proceed }
                    journal.note(type(of: request.route).identifier)
                    _ = try await router.result(of: Shop.SignIn())
                    return .proceed
                }
            }
        }
        #expect(await failure { try await stage.router.open(Shop.Account()) } == .redirectCycle)
        #expect(journal.lines == ["shop.account", "shop.sign-in"])
        #expect(stage.shown?.count == 1)
        // Nothing is left behind: the next attempt ends in the same way.
        #expect(await failure { try await stage.router.open(Shop.Account()) } == .redirectCycle)
        #expect(journal.lines.count == 4)
    }

    private func redirecting(to other: some Route) async throws -> Stage {
        try await Stage.started {
            $0.probe(Shop.Account.self)
            $0.probe(Shop.Help.self)
            $0.decide { $0.route is Shop.Account ? .redirect(to: other) : .proceed }
        }
    }
}
