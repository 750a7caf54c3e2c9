import Foundation
import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

/// State that outlives the instance which holds it: where it goes, and where it never does.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct StateTests {
    /// A model or a service with a text that may be kept in a file.
    private class Draft: Restorable {
        struct SavedState: Codable, Sendable { let text: String }

        class var stateScope: StateScope { .file }
        var text: String?
        var savedState: SavedState? { text.map(SavedState.init) }
        func restore(_ state: SavedState?) { text = state?.text }
    }

    /// One whose text must not leave the process.
    private final class Secret: Draft {
        override class var stateScope: StateScope { .memory }
    }

    /// A later version of a draft, which cannot read the state of the earlier one.
    private final class Outline: Restorable {
        struct SavedState: Codable, Sendable { let lines: [AnyRoute] }

        static let stateScope = StateScope.file
        var lines: [AnyRoute] = []
        var savedState: SavedState? { SavedState(lines: lines) }
        func restore(_ state: SavedState?) { lines = state?.lines ?? [] }
    }

    private final class ModelScreen<R: Route>: Screen, RouteProbe {
        let route: R
        let model: any Restorable
        init(_ route: R, _ model: any Restorable) { (self.route, self.model) = (route, model) }
        var anyRoute: AnyRoute { AnyRoute(route) }
    }

    private struct ModelFeature<R: Route>: Feature {
        let make: @MainActor () -> any Restorable
        var question: (@MainActor () -> Bool)?

        func build(_ route: R, in context: any RouteContext<R>) throws -> any Screen {
            let model = make()
            try context.keepState(of: model)
            if let question { try context.confirmLeaving(question) }
            return ModelScreen(route, model)
        }
    }

    private let presenter = HeadlessPresenter()

    /// A module with a screen whose model a closure makes.
    private func screens(
        asking question: (@MainActor () -> Bool)? = nil, _ make: @escaping @MainActor () -> any Restorable
    ) -> Versioned {
        Versioned {
            $0.route(Shop.Account.self) { ModelFeature<Shop.Account>(make: make, question: question) }
        }
    }

    private func services(
        _ lifetime: Lifetime = .singleton, _ make: @escaping @MainActor () -> Draft = { Draft() }
    ) -> Versioned {
        Versioned { $0.register(Draft.self, lifetime: lifetime, by: make) }
    }

    private func model<Model>(as type: Model.Type = Model.self) throws -> Model {
        try #require((presenter.top as? ModelScreen<Shop.Account>)?.model as? Model)
    }

    /// The snapshot as a program stores it.
    private func stored(_ router: RouterService) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(router.snapshot(including: .file)), as: UTF8.self)
    }

    private func draftState(_ text: String) -> RouterSnapshot.State {
        RouterSnapshot.State(#"{"text":"\#(text)"}"#, of: .file)
    }

    private func read(_ stored: String, for router: RouterService) throws -> RouterSnapshot {
        let decoder = JSONDecoder()
        decoder.routeCatalog = router.catalog
        return try decoder.decode(RouterSnapshot.self, from: Data(stored.utf8))
    }

    // The module is replaced.

    @Test(arguments: [false, true])
    func modelOfARebuiltScreen_hasTheStateOfTheOldOne(isSecret: Bool) async throws {
        let version = screens { isSecret ? Secret() : Draft() }
        let router = presenter.router(version)
        try await router.start(with: Shop.Catalogue())
        try await router.open(Shop.Account())
        let old = try model(as: Draft.self)
        old.text = "half a sen"
        for _ in 1...2 { try await router.replace([version]) }
        let new = try model(as: Draft.self)
        #expect(new !== old)
        #expect(new.text == "half a sen")
        new.text = nil
        try await router.replace([version])
        #expect(try model(as: Draft.self).text == nil)
    }

    @Test(arguments: [Lifetime.singleton, .weak, .scope(Scope("shop.session"))])
    func serviceOfAReplacedModule_hasTheStateOfTheOldOne_whenItIsNeeded(lifetime: Lifetime) async throws {
        let router = presenter.router(services(lifetime) { Secret() })
        if case .scope(let scope) = lifetime { try router.enter(scope) }
        let old = try router.resolve(Draft.self)
        old.text = "ann"
        // Replaced twice before the first use: the state waits.
        for _ in 1...2 { try await router.replace([services(lifetime) { Secret() }]) }
        let new = try router.resolve(Draft.self)
        #expect(new !== old)
        #expect(new.text == "ann")
    }

    @Test func serviceThatHoldsAReplacedOne_keepsItsState_andOthersTheirInstance() async throws {
        final class Holder: Draft {
            init(clock: any Shop.Clock) {}
        }
        let clocks = Versioned {
            $0.register((any Shop.Clock).self, lifetime: .singleton) { Shop.FakeClock() }
        }
        let router = presenter.router(
            clocks,
            TestModule {
                $0.register(Holder.self, lifetime: .singleton, by: Holder.init)
                $0.register(Draft.self, lifetime: .singleton) { Draft() }
            })
        let (holder, other) = (try router.resolve(Holder.self), try router.resolve(Draft.self))
        (holder.text, other.text) = ("held", "other")
        try await router.replace([clocks])
        #expect(try router.resolve(Holder.self) !== holder)
        #expect(try router.resolve(Holder.self).text == "held")
        #expect(try router.resolve(Draft.self) === other)
    }

    @Test func preparedService_hasTheStateThatTheOldOneHadInTheEnd() async throws {
        let gate = Gate()
        final class Prepared: Sendable {}
        let version = Versioned { registrar in
            registrar.register(Draft.self, lifetime: .singleton) { Draft() }
            registrar.prepare(Prepared.self) { (draft: Draft) async in
                #expect(["early", nil].contains(draft.text))
                if draft.text != nil { await gate.pass() }
                return Prepared()
            }
        }
        let router = presenter.router(version)
        try await router.start(with: Shop.Catalogue())
        let old = try router.resolve(Draft.self)
        old.text = "early"
        let replacement = Caller { try await router.replace([version]) }
        await gate.arrival()
        old.text = "late"
        gate.open()
        try await replacement.output
        #expect(try router.resolve(Draft.self) !== old)
        #expect(try router.resolve(Draft.self).text == "late")
    }

    @Test func stateThatTheNewVersionCannotRead_isReportedAndLeftOut() async throws {
        let router = presenter.router(screens { Draft() })
        try await router.start(with: Shop.Catalogue())
        try await router.open(Shop.Account())
        try model(as: Draft.self).text = "tea"
        var events = router.events().makeAsyncIterator()
        try await router.replace([screens { Outline() }])
        #expect(try model(as: Outline.self).lines.isEmpty)
        while let event = await events.next() {
            guard case .startedFresh(let type, let error) = event else { continue }
            #expect(type == TypeKey(Outline.self))
            #expect(error is DecodingError)
            break
        }
        // A link in a state is read with the router's routes.
        try model(as: Outline.self).lines = [AnyRoute(Shop.Catalogue(page: 3))]
        try await router.replace([screens { Outline() }])
        #expect(try model(as: Outline.self).lines == [AnyRoute(Shop.Catalogue(page: 3))])
    }

    @Test func replacementThatFails_leavesStatesAndQuestionsAsTheyWere() async throws {
        var asked = 0
        let old = screens(asking: {
            asked += 1
            return false
        }) { Draft() }
        let router = presenter.router(old)
        try await router.start(with: Shop.Catalogue())
        try await router.open(Shop.Account())
        let draft = try model(as: Draft.self)
        draft.text = "tea"
        presenter.refusal = Shop.Failure()
        await #expect(throws: Shop.Failure.self) { try await router.replace([screens { Secret() }]) }
        presenter.refusal = nil
        #expect(try model(as: Draft.self) === draft)
        #expect(draft.text == "tea")
        await presenter.goBack()
        #expect(asked == 1)
        #expect(presenter.stack.count == 2)
    }

    @Test func questionOfARebuiltScreen_isAskedInPlaceOfTheOldOne() async throws {
        var asked: [String] = []
        func version(_ name: String) -> Versioned {
            screens(asking: {
                asked.append(name)
                return name == "new"
            }) { Draft() }
        }
        let router = presenter.router(version("old"))
        try await router.start(with: Shop.Catalogue())
        try await router.open(Shop.Account())
        await presenter.goBack()
        try await router.replace([version("new")])
        await presenter.goBack()
        #expect(asked == ["old", "new"])
        #expect(presenter.stack.count == 1)
    }

    // The stack is stored.

    @Test func snapshot_hasTheStatesOfTheScopeFile_andNoOthers() async throws {
        let router = presenter.router(
            Versioned {
                $0.register(Draft.self, lifetime: .singleton) { Draft() }
                $0.register(Secret.self, lifetime: .singleton) { Secret() }
                $0.route(Shop.Account.self) { ModelFeature<Shop.Account>(make: { Draft() }) }
                $0.route(Shop.Help.self) { ModelFeature<Shop.Help>(make: { Secret() }) }
            })
        try await router.start(with: Shop.Help())
        #expect(try !stored(router).contains("state"))
        #expect(try !stored(router).contains("services"))
        let hidden = try #require((presenter.top as? ModelScreen<Shop.Help>)?.model as? Secret)
        try await router.open(Shop.Account())
        let draft = try model(as: Draft.self)
        (hidden.text, draft.text) = ("hush 1", "draft 1")
        try router.resolve(Secret.self).text = "hush 2"
        try router.resolve(Draft.self).text = "draft 2"
        #expect(router.snapshot(including: .file).entries.map(\.state) == [nil, draftState("draft 1")])
        #expect(
            router.snapshot(including: .file).services.map { Array($0.values) } == [draftState("draft 2")])
        #expect(try !stored(router).contains("hush"))
        #expect(try read(stored(router), for: router) == router.snapshot(including: .file))
    }

    @Test func restoredStack_hasTheStatesOfItsScreensAndServices() async throws {
        let version = Versioned {
            $0.register(Draft.self, lifetime: .singleton) { Draft() }
            $0.route(Shop.Account.self) { ModelFeature<Shop.Account>(make: { Draft() }) }
        }
        let first = presenter.router(version)
        try await first.start(with: Shop.Catalogue())
        try await first.open(Shop.Account())
        try model(as: Draft.self).text = "screen"
        try first.resolve(Draft.self).text = "service"
        let stored = try stored(first)
        presenter.remove(presenter.stack.map(\.presentation.id))

        let second = presenter.router(version)
        try await second.restore(read(stored, for: second))
        #expect(try model(as: Draft.self).text == "screen")
        #expect(try self.stored(second) == stored, "a state that waits for its service is not lost")
        #expect(try second.resolve(Draft.self).text == "service")

        // Also over the current screens, and when the service exists already.
        try model(as: Draft.self).text = "other"
        try second.resolve(Draft.self).text = "other"
        try await second.restore(read(stored, for: second))
        #expect(try model(as: Draft.self).text == "screen")
        #expect(try second.resolve(Draft.self).text == "service")
    }

    @Test func snapshotIncludingMemory_hasEveryState_alsoBeforeInterceptorsAsk() async throws {
        let version = Versioned {
            $0.register(Secret.self, lifetime: .singleton) { Secret() }
            $0.route(Shop.Account.self) { ModelFeature<Shop.Account>(make: { Draft() }) }
            $0.route(Shop.Help.self) { ModelFeature<Shop.Help>(make: { Secret() }) }
        }
        let first = presenter.router(version)
        try await first.start(with: Shop.Help())
        try #require((presenter.top as? ModelScreen<Shop.Help>)?.model as? Secret).text = "hush 1"
        try await first.open(Shop.Account())
        try model(as: Draft.self).text = "draft"
        try first.resolve(Secret.self).text = "hush 2"
        let snapshot = first.snapshot(including: .memory)
        #expect(snapshot.entries.map(\.state?.scope) == [.memory, .file])
        #expect(first.snapshot(including: .file).entries.map(\.state) == [nil, snapshot.entries[1].state])
        #expect(first.snapshot(including: .file).services == nil)
        presenter.remove(presenter.stack.map(\.presentation.id))

        var asked: [String?] = []
        var second: RouterService?
        let deciding = TestModule {
            $0.decide { _ in
                asked.append(try second?.resolve(Secret.self).text)
                return .proceed
            }
        }
        second = presenter.router(version, deciding)
        try await second?.restore(snapshot)
        #expect(asked == ["hush 2", "hush 2"])
        #expect(second?.snapshot(including: .memory) == snapshot)
        #expect(try model(as: Draft.self).text == "draft")
    }

    @Test func stateOfAStoredRoute_isNotThatOfAnother_norOfOneThatKeepsItToItself() async throws {
        let stack = RouterSnapshot(entries: [
            .init(route: AnyRoute(Shop.Account()), style: .root, state: draftState("planted"))
        ])
        let secret = presenter.router(screens { Secret() })
        try await secret.restore(stack)
        #expect(try model(as: Secret.self).text == nil)
        presenter.remove(presenter.stack.map(\.presentation.id))

        let redirecting = presenter.router(
            screens { Draft() },
            TestModule {
                $0.decide {
                    ($0.route as? Shop.Account)?.owner == "ann"
                        ? .redirect(to: Shop.Account(owner: "bob")) : .proceed
                }
            })
        try await redirecting.restore(stack)
        #expect(try model(as: Draft.self).text == nil)
    }

    @Test func endOfAScope_dropsTheStateThatWaitsForItsServices() async throws {
        let scope = Scope("shop.session")
        let router = presenter.router(services(.scope(scope)) { Secret() })
        try router.enter(scope)
        try router.resolve(Draft.self).text = "ann"
        try await router.replace([services(.scope(scope)) { Secret() }])
        try router.leave(scope)
        try router.enter(scope)
        #expect(try router.resolve(Draft.self).text == nil)
    }

    @Test func model_isNotHeld_andCannotBeKeptAfterItsScreenIsGone() async throws {
        weak var held: Draft?
        let router = presenter.router(screens { Draft() })
        try await router.start(with: Shop.Catalogue())
        try await router.open(Shop.Account())
        held = try model(as: Draft.self)
        #expect(held != nil)
        await presenter.goBack()
        #expect(held == nil)
        let stage = try await Stage.started()
        try await stage.router.open(Shop.Catalogue(page: 2))
        let context = try #require(stage.top(Shop.Catalogue.self)).context
        await stage.presenter.goBack()
        #expect(await failure { try context.keepState(of: Draft()) } == .screenDismissed)
    }
}
