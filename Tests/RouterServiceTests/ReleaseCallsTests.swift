import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

/// Objects that call the router when they are released, in each place that may hold one.
///
/// A router that released one while it writes would end the program ("Simultaneous accesses").
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ReleaseCallsTests {
    /// Performs something when it is released.
    @MainActor
    private final class Farewell {
        var perform: @MainActor () -> Void = {}

        isolated deinit { perform() }
    }

    /// A call that an object makes when it is released.
    enum Call: CaseIterable {
        case finish, finishOther, confirmLeaving, leaveScope, resolve, dismiss, open, broadcast, replace
    }

    /// A call by which a screen, or its question, is released.
    enum Release: CaseIterable {
        case confirmNoMore, confirmByAnother, finish, dismiss, dismissTo, back, drop, cancel, root, restore,
            replaceScreen, replace, replaceInVain
    }

    /// The holder of the object.
    enum Place: CaseIterable {
        case question, screen, embeddedScreen
    }

    private struct Tick: Event {}

    private static let scope = Scope("shop.session")

    /// A screen that holds an object.
    private final class HoldingScreen: Screen, RouteProbe {
        let context: any RouteContext<Shop.Account>
        var farewell: Farewell?
        var embedded: EmbeddedScreen?

        init(context: any RouteContext<Shop.Account>) { self.context = context }
        var anyRoute: AnyRoute { AnyRoute(Shop.Account()) }
    }

    private struct HoldingFeature: Feature {
        let isBroken: Bool
        func build(_ route: Shop.Account, in context: any RouteContext<Shop.Account>) throws -> any Screen {
            if isBroken { throw Shop.Failure() }
            return HoldingScreen(context: context)
        }
    }

    private struct Holding: Module {
        var isBroken = false

        func register(in registrar: Registrar) {
            let isBroken = isBroken
            registrar.register((any Shop.Clock).self, lifetime: .scope(ReleaseCallsTests.scope)) {
                Shop.FakeClock()
            }
            registrar.route(Shop.Account.self) { HoldingFeature(isBroken: isBroken) }
        }
    }

    /// A catalogue, a second page, and above them the screen that holds objects.
    @MainActor
    private struct Setting {
        let presenter = HeadlessPresenter()
        let router: RouterService
        let journal = Journal()
        let caller: Caller<String>
        private(set) var other: any RouteContext<Shop.Catalogue>

        init() async throws {
            let presenter = presenter
            let router = RouterService(modules: [
                TestModule {
                    $0.register((any Presenter).self, lifetime: .singleton) { presenter }
                    $0.probe(Shop.Catalogue.self)
                    $0.probe(Shop.Help.self)
                }, Holding(),
            ])
            self.router = router
            try router.enter(ReleaseCallsTests.scope)
            try await router.start(with: Shop.Catalogue())
            try await router.open(Shop.Catalogue(page: 2))
            other = try #require(presenter.top as? ProbeScreen<Shop.Catalogue>).context
            caller = Caller { try await router.result(of: Shop.Account()) }
            await eventually { presenter.top is HoldingScreen }
        }

        var top: HoldingScreen? { presenter.top as? HoldingScreen }

        /// Puts an object, and no other reference to it, in a place.
        func place(_ place: Place, performing call: Call) async throws {
            guard let screen = top else { return }
            let context = screen.context
            let farewell = Farewell()
            switch place {
            case .question: try context.confirmLeaving { farewell === farewell }
            case .screen: screen.farewell = farewell
            case .embeddedScreen:
                let embedded = try await context.embed(Shop.Account(owner: "bob"))
                (embedded.screen as? HoldingScreen)?.farewell = farewell
                screen.embedded = embedded
            }
            farewell.perform = { [router, journal, other] in
                journal.note("released")
                ReleaseCallsTests.perform(call, router, context, replacing: Holding()) {
                    if call == .finish {
                        try? context.finish("by the released object")
                    } else {
                        try? other.finish()
                    }
                }
            }
        }

        func release(_ release: Release) async throws {
            // Not held here: the release has to be within the call.
            func context() throws -> any RouteContext<Shop.Account> { try #require(top).context }
            switch release {
            case .confirmNoMore: try context().confirmLeaving(nil)
            case .confirmByAnother: try context().confirmLeaving { true }
            case .finish: try context().finish("done")
            case .dismiss: try await context().dismiss()
            case .dismissTo: try await router.dismiss(to: Shop.Catalogue.self)
            case .back: await presenter.goBack()
            case .drop: presenter.lose()
            case .cancel: caller.task.cancel()
            case .root: try await router.open(Shop.Help(), as: .root)
            case .restore:
                let entry = RouterSnapshot.Entry(route: AnyRoute(Shop.Help()), style: .root)
                try await router.restore(RouterSnapshot(entries: [entry]))
            case .replaceScreen: try await context().replace(with: Shop.Help())
            case .replace: try await router.replace([Holding()])
            case .replaceInVain:
                await #expect(throws: Shop.Failure.self) {
                    try await router.replace([Holding(isBroken: true)])
                }
            }
        }
    }

    private static func perform<R>(
        _ call: Call, _ router: RouterService?, _ context: any RouteContext<R>,
        replacing module: any Module, finish: () -> Void
    ) {
        switch call {
        case .finish, .finishOther: finish()
        case .confirmLeaving: try? context.confirmLeaving { true }
        case .leaveScope: try? router?.leave(scope)
        case .resolve: _ = try? router?.resolve((any Shop.Clock).self)
        case .dismiss: Task { try? await context.dismiss() }
        case .open: Task { try? await context.open(Shop.Catalogue(page: 3)) }
        case .broadcast: Task { await router?.broadcast(Tick()) }
        case .replace: Task { try? await router?.replace([module]) }
        }
    }

    @Test(arguments: Place.allCases, Release.allCases)
    func releasedObject_mayCallTheRouter(from place: Place, by release: Release) async throws {
        let keepsPlace = release == .replaceInVain
        let isQuestionOnly = [.confirmNoMore, .confirmByAnother].contains(release)
        if isQuestionOnly, place != .question { return }
        for call in Call.allCases {
            let setting = try await Setting()
            try await setting.place(place, performing: call)
            try await setting.release(release)
            await settled(rounds: 20)
            #expect(setting.journal.lines == (keepsPlace ? [] : ["released"]), "\(call)")
            #expect(setting.presenter.shown(by: setting.router) != nil, "\(call)")
        }
    }

    // Services, and the closures of registrations.

    private final class Service {
        let farewell: Farewell
        init(_ farewell: Farewell) { self.farewell = farewell }
    }

    enum Held: CaseIterable {
        case singleton, scoped, listener, interceptor, feature
    }

    private static func register(_ held: Held, _ farewell: Farewell, in registrar: Registrar) {
        switch held {
        case .singleton: registrar.register(Service.self, lifetime: .singleton) { Service(farewell) }
        case .scoped: registrar.register(Service.self, lifetime: .scope(scope)) { Service(farewell) }
        case .listener: registrar.listen(to: Tick.self) { _ in _ = farewell }
        case .interceptor:
            registrar.decide { _ in
                _ = farewell
                return .proceed
            }
        case .feature:
            registrar.route(Shop.Help.self) {
                _ = farewell
                return ProbeFeature<Shop.Help>()
            }
        }
    }

    @Test(arguments: Held.allCases)
    func objectOfAReplacedModule_mayCallTheRouter(held: Held) async throws {
        for call in Call.allCases {
            let journal = Journal()
            var farewell: Farewell? = Farewell()
            let stage = Stage()
            let presenter = stage.presenter
            func base(_ registrar: Registrar) {
                registrar.register((any Presenter).self, lifetime: .singleton) { presenter }
                registrar.probe(Shop.Catalogue.self)
                registrar.register(
                    (any Shop.Clock).self, lifetime: .scope(Self.scope), by: Shop.FakeClock.init)
            }
            let router = RouterService(modules: [
                TestModule(base),
                Versioned { [farewell] registrar in
                    if let farewell { Self.register(held, farewell, in: registrar) }
                },
            ])
            try router.enter(Self.scope)
            try await router.start(with: Shop.Catalogue())
            if [.singleton, .scoped].contains(held) { _ = try router.resolve(Service.self) }
            let context = try #require(presenter.top as? ProbeScreen<Shop.Catalogue>).context
            farewell?.perform = { [weak router] in
                journal.note("released")
                Self.perform(call, router, context, replacing: Versioned { _ in }) { try? context.finish() }
            }
            farewell = nil
            try await router.replace([Versioned { _ in }])
            await settled(rounds: 20)
            #expect(journal.lines == ["released"], "\(call)")
        }
    }

    @Test func objectOfAnEndedScope_mayCallTheRouter() async throws {
        for call in [Call.leaveScope, .resolve, .replace] {
            let journal = Journal()
            let router = RouterService {
                $0.register(Service.self, lifetime: .scope(Self.scope)) { Service(Farewell()) }
            }
            try router.enter(Self.scope)
            try router.resolve(Service.self).farewell.perform = { [weak router] in
                journal.note("released")
                switch call {
                case .leaveScope: try? router?.leave(Self.scope)
                case .resolve: _ = try? router?.resolve(Service.self)
                default: Task { try? await router?.replace([TestModule { _ in }]) }
                }
            }
            try router.leave(Self.scope)
            await settled()
            #expect(journal.lines == ["released"])
        }
    }

    // The testing kit.

    @Test func objectsOfTheTestingKit_mayCallIt() throws {
        let journal = Journal()
        let recorder = RecordingContext<Shop.Account>()
        func farewell(_ perform: @escaping @MainActor () -> Void) -> Farewell {
            let farewell = Farewell()
            farewell.perform = {
                journal.note("released")
                perform()
            }
            return farewell
        }
        func holding(_ farewell: Farewell) -> HoldingScreen {
            let screen = HoldingScreen(context: recorder.context)
            screen.farewell = farewell
            return screen
        }
        do {
            let context = recorder.context
            let question = farewell { try? context.confirmLeaving(nil) }
            try context.confirmLeaving { question === question }
        }
        try recorder.context.confirmLeaving { true }
        recorder.child = holding(farewell { _ = recorder.child })
        recorder.child = HoldingScreen(context: recorder.context)
        let router = RecordingRouter()
        do {
            let user = farewell { router.finish(Shop.Account.self) { "again" } }
            router.finish(Shop.Account.self) {
                _ = user
                return "first"
            }
        }
        router.finish(Shop.Account.self) { "second" }
        #expect(journal.lines.count == 3)
    }
}
