import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

/// Interceptors take their time: they await other screens, and things happen meanwhile.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct InterceptorTimingTests {
    private let gate = Gate()

    @Test func guardedRoute_isShownAfterSigningIn() async throws {
        let stage = try await signInStage()
        let opening = Caller { try await stage.router.open(Shop.Account()) }
        let signIn = try await stage.arrival(at: Shop.SignIn.self)
        #expect(stage.shown == [AnyRoute(Shop.Catalogue()), AnyRoute(Shop.SignIn())])
        #expect(stage.presenter.styles == [.root, .modal])
        try signIn.context.finish("ann")
        try await opening.output
        #expect(stage.shown == [AnyRoute(Shop.Catalogue()), AnyRoute(Shop.Account())])
    }

    @Test func guardedRoute_isNotShownWhenTheUserGoesBackFromSigningIn() async throws {
        let stage = try await signInStage()
        let opening = Caller { try await stage.router.open(Shop.Account()) }
        _ = try await stage.arrival(at: Shop.SignIn.self)
        await stage.presenter.goBack()
        await #expect(throws: UserDeclined.self) { try await opening.output }
        #expect(stage.shown == [AnyRoute(Shop.Catalogue())])
    }

    @Test func guardedFirstScreen_takesThePlaceOfSigningIn_whichCannotBeLeft() async throws {
        let stage = try unstartedSignInStage()
        let start = Caller { try await stage.router.start(with: Shop.Account()) }
        let signIn = try await stage.arrival(at: Shop.SignIn.self)
        #expect(stage.presenter.stack.map(\.presentation.isRoot) == [true])
        await stage.presenter.goBack()
        await settled()
        #expect(stage.presenter.stack.count == 1)
        try signIn.context.finish("ann")
        try await start.output
        #expect(stage.shown == [AnyRoute(Shop.Account())])
        #expect(await failure { try signIn.context.finish("again") } == .alreadyFinished)
    }

    @Test func guardedFirstScreen_ofADeepStack_comesBelowTheOthers() async throws {
        let stage = try unstartedSignInStage()
        let entries = [
            AnyRoute(Shop.Catalogue()), AnyRoute(Shop.Account()), AnyRoute(Shop.Catalogue(page: 2)),
        ]
        let restoring = Caller {
            try await stage.router.restore(
                RouterSnapshot(
                    entries: entries.map { RouterSnapshot.Entry(route: $0, style: .push) }))
        }
        try await stage.arrival(at: Shop.SignIn.self).context.finish("ann")
        try await restoring.output
        #expect(stage.shown == entries)
    }

    @Test func signingInBeforeTheFirstScreen_mayGiveUp() async throws {
        let stage = try unstartedSignInStage()
        let start = Caller { try await stage.router.start(with: Shop.Account()) }
        try await stage.arrival(at: Shop.SignIn.self).context.dismiss()
        await #expect(throws: UserDeclined.self) { try await start.output }
        #expect(stage.shown == [])
        try await stage.router.start(with: Shop.Catalogue())
        #expect(stage.shown == [AnyRoute(Shop.Catalogue())])
    }

    @Test func signInScreen_mayOpenOthersBeforeTheFirstScreen() async throws {
        let stage = try unstartedSignInStage()
        let start = Caller { try await stage.router.start(with: Shop.Account()) }
        let signIn = try await stage.arrival(at: Shop.SignIn.self)
        try await signIn.context.open(Shop.Help())
        #expect(stage.presenter.stack.count == 2)
        #expect(stage.presenter.top is ProbeScreen<Shop.Help>)
        try signIn.context.finish("ann")
        try await start.output
        #expect(stage.shown == [AnyRoute(Shop.Account())])
    }

    @Test func cancellingTheCaller_duringSigningIn_removesThatScreen() async throws {
        let stage = try await signInStage()
        let result = Caller { try await stage.router.result(of: Shop.Account()) }
        _ = try await stage.arrival(at: Shop.SignIn.self)
        result.task.cancel()
        await #expect(throws: CancellationError.self) { try await result.output }
        #expect(stage.shown == [AnyRoute(Shop.Catalogue())])
    }

    @Test func openingScreenThatIsRemoved_whileAnInterceptorDecides_showsNothing() async throws {
        let stage = try await gatedStage()
        try await stage.router.open(Shop.Catalogue(page: 2))
        let opener = try #require(stage.top(Shop.Catalogue.self)).context
        let opening = Caller { try await opener.open(Shop.Account()) }
        let result = Caller { try await opener.result(of: Shop.Account()) }
        await gate.arrival()
        await stage.presenter.goBack()
        gate.open()
        #expect(await failure { try await opening.output } == .screenDismissed)
        #expect(await failure { try await result.output } == .screenDismissed)
        #expect(stage.shown == [AnyRoute(Shop.Catalogue())])
    }

    @Test func openingScreenThatIsRemoved_beforeAnInterceptorAsks_isNotAskedAbout() async throws {
        let gate = gate
        let stage = try await Stage.started {
            $0.probe(Shop.Account.self)
            $0.probe(Shop.SignIn.self)
            $0.decide { request in
                guard request.route is Shop.Account else { return .proceed }
                await gate.pass()
                _ = try await request.result(of: Shop.SignIn())
                return .proceed
            }
        }
        try await stage.router.open(Shop.Catalogue(page: 2))
        let opener = try #require(stage.top(Shop.Catalogue.self)).context
        let opening = Caller { try await opener.open(Shop.Account()) }
        await gate.arrival()
        await stage.presenter.goBack()
        gate.open()
        await settled()
        #expect(stage.shown == [AnyRoute(Shop.Catalogue())], "nobody is asked to sign in for nothing")
        #expect(await failure { try await opening.output } == .screenDismissed)
    }

    @Test func routerAsAService_opensNothingBeforeTheFirstScreen() async throws {
        let stage = Stage {
            $0.probe(Shop.Help.self)
            $0.intercept(.all) { (router: any Router) in
                ProbeInterceptor { request in
                    if request.route is Shop.Catalogue { try await router.open(Shop.Help()) }
                    return .proceed
                }
            }
        }
        #expect(await failure { try await stage.router.start(with: Shop.Catalogue()) } == .notStarted)
        #expect(stage.shown == [])
    }

    /// A stage where accounts are shown only when the gate is open.
    private func gatedStage() async throws -> Stage {
        let gate = gate
        return try await Stage.started {
            $0.probe(Shop.Account.self)
            $0.decide { request in
                if request.route is Shop.Account { await gate.pass() }
                return .proceed
            }
        }
    }

    private func signInStage() async throws -> Stage {
        let stage = try unstartedSignInStage()
        try await stage.router.start(with: Shop.Catalogue())
        return stage
    }

    /// A stage where accounts are shown only after a sign-in.
    private func unstartedSignInStage() throws -> Stage {
        Stage {
            $0.probe(Shop.Account.self)
            $0.probe(Shop.SignIn.self)
            $0.probe(Shop.Help.self)
            $0.decide { request in
                guard request.route is Shop.Account else { return .proceed }
                _ = try await request.result(of: Shop.SignIn())
                return .proceed
            }
        }
    }

    /// Work that does not notice that its caller is cancelled: an interceptor, an action, a screen that is asked.
    @Test(arguments: ["interceptor", "action", "question"])
    func cancelledCaller_isResumedAtOnce_whateverItWaitsFor(work: String) async throws {
        let gate = Gate()
        let stage = try await Stage.started {
            $0.probe(Shop.Account.self)
            $0.count { _ in await gate.pass() }
            $0.decide { request in
                if work == "interceptor", request.route is Shop.Account { await gate.pass() }
                return .proceed
            }
        }
        try stage.top(Shop.Catalogue.self)?.context.confirmLeaving {
            await gate.pass()
            return true
        }
        let call = Caller {
            switch work {
            case "interceptor": try await stage.router.open(Shop.Account())
            case "action": try await stage.router.open(Shop.Count())
            default: try await stage.router.open(Shop.Catalogue(page: 2), as: .root)
            }
        }
        await gate.arrival()
        call.task.cancel()
        await #expect(throws: CancellationError.self) { try await call.output }
        gate.open()
        await settled()
        #expect(stage.shown == [AnyRoute(Shop.Catalogue())])
    }
}
