import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

/// Several versions of one route's screen, chosen when the route is opened.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct VersionTests {
    @Test func version_isChosenAtTheTimeOfOpening() async throws {
        let flags = Flags()
        let stage = try await stage(with: flags)
        try await stage.router.open(Shop.Help())
        flags.enabled = ["second"]
        try await stage.router.open(Shop.Help())
        flags.enabled = ["first", "second"]
        try await stage.router.open(Shop.Help())
        #expect(try versions(of: stage) == ["usual", "second", "first"])
        #expect(
            stage.router.snapshot(including: .file).entries.dropFirst().allSatisfy {
                $0.route == AnyRoute(Shop.Help())
            })
    }

    @Test func version_deliversTheOutputOfTheRoute() async throws {
        let stage = try await stage(with: Flags(["first"]))
        let result = Caller { try await stage.router.result(of: Shop.Help()) }
        await eventually { stage.presenter.stack.count == 2 }
        let screen = try #require(stage.presenter.stack.last?.screen as? VersionScreen)
        try screen.context.finish("helped")
        #expect(try await result.output == "helped")
    }

    @Test func fallback_isOpened_whereNoVersionIsAvailable() async throws {
        let flags = Flags(["first"])
        let stage = try await Stage.started {
            $0.register(Flags.self, lifetime: .singleton) { flags }
            $0.probe(Shop.SignIn.self)
            $0.route(Shop.Help.self, .version(by: FirstFeature.init), .fallback { _ in Shop.SignIn() }) {
                ConditionalFeature<Shop.Help> { _ in false }
            }
        }
        try await stage.router.open(Shop.Help())
        #expect(stage.presenter.stack.last?.screen is VersionScreen)
        flags.enabled = []
        try await stage.router.open(Shop.Help())
        #expect(stage.presenter.stack.last?.screen is ProbeScreen<Shop.SignIn>)
    }

    @Test func restoredStack_getsTheVersionOfNow() async throws {
        let stage = try await stage(with: Flags(["second"]))
        try await stage.router.restore(
            RouterSnapshot(entries: [.init(route: AnyRoute(Shop.Help()), style: .root)]))
        #expect(try versions(of: stage, dropping: 0) == ["second"])
    }

    @Test func validation_seesTheDependenciesOfAllVersions() {
        let router = RouterService {
            $0.register((any Presenter).self, lifetime: .singleton) { HeadlessPresenter() }
            $0.route(
                Shop.Help.self, .version(by: FirstFeature.init), fileID: "A/A.swift", line: 7,
                by: UsualFeature.init)
        }
        #expect(
            router.validate().map(\.description) == [
                "Flags is not registered, needed along Shop.Help → FirstFeature → Flags. "
                    + "Register it in a module entry that the App lists. FirstFeature is registered at A/A.swift:7."
            ])
    }

    @Test func service_thatAVersionHolds_isReplaced_andTheVersionIsChosenAgain() async throws {
        let presenter = HeadlessPresenter()
        let router = RouterService(modules: [Versions(flags: ["first"]), Shown(presenter: presenter)])
        try await router.start(with: Shop.Help())
        #expect((presenter.stack.last?.screen as? VersionScreen)?.name == "first")
        try await router.replace([Versions(flags: [])])
        #expect((presenter.stack.last?.screen as? VersionScreen)?.name == "usual")
        #expect(presenter.stack.count == 1)
    }

    private func stage(with flags: Flags) async throws -> Stage {
        try await Stage.started {
            $0.register(Flags.self, lifetime: .singleton) { flags }
            $0.route(
                Shop.Help.self, .version(by: FirstFeature.init), .version(by: SecondFeature.init),
                by: UsualFeature.init)
        }
    }

    private func versions(of stage: Stage, dropping count: Int = 1) throws -> [String] {
        try stage.presenter.stack.dropFirst(count).map { try #require($0.screen as? VersionScreen).name }
    }
}

@MainActor
private final class Flags {
    var enabled: Set<String>

    init(_ enabled: Set<String> = []) { self.enabled = enabled }
}

private struct VersionScreen: Screen {
    let name: String
    let context: any RouteContext<Shop.Help>
}

private struct FirstFeature: Feature {
    @Dependency var flags: Flags

    func build(_ route: Shop.Help, in context: any RouteContext<Shop.Help>) -> any Screen {
        VersionScreen(name: "first", context: context)
    }

    func isEnabled(for route: Shop.Help) -> Bool { flags.enabled.contains("first") }
}

private struct SecondFeature: Feature {
    @Dependency var flags: Flags

    func build(_ route: Shop.Help, in context: any RouteContext<Shop.Help>) -> any Screen {
        VersionScreen(name: "second", context: context)
    }

    func isEnabled(for route: Shop.Help) -> Bool { flags.enabled.contains("second") }
}

private struct UsualFeature: Feature {
    func build(_ route: Shop.Help, in context: any RouteContext<Shop.Help>) -> any Screen {
        VersionScreen(name: "usual", context: context)
    }
}

private struct Versions: Module {
    let flags: Set<String>

    func register(in registrar: Registrar) {
        registrar.register(Flags.self, lifetime: .singleton) { [flags] in Flags(flags) }
        registrar.route(Shop.Help.self, .version(by: FirstFeature.init), by: UsualFeature.init)
    }
}

private struct Shown: Module {
    let presenter: HeadlessPresenter

    func register(in registrar: Registrar) {
        registrar.register((any Presenter).self, lifetime: .singleton) { [presenter] in presenter }
    }
}
