import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

@testable import RouterServiceImplementation

/// Several modules contribute values of one type to those who depend on the array of them.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ContributionTests {
    private protocol Check: Sendable { var name: String { get } }
    private struct Named: Check { let name: String }

    /// A service that takes all checks.
    private final class Checks {
        let all: [any Check]
        init(all: [any Check]) { self.all = all }
        var names: [String] { all.map(\.name) }
    }

    private static func checks(_ names: String...) -> Versioned {
        Versioned { registrar in
            for name in names { registrar.contribute((any Check).self) { Named(name: name) } }
        }
    }

    private static let holder = TestModule {
        $0.register(Checks.self, lifetime: .singleton, by: Checks.init)
        $0.listen(to: Asked.self) { (_, _: Checks) in }
    }

    private struct Asked: Event {}

    @Test func values_ofAllModules_areInTheOrderOfTheModules() throws {
        let router = RouterService(modules: [
            Self.holder, Self.checks("one", "two"),
            TestModule {
                $0.contribute(String.self) { "a" }
                $0.contribute((any Check).self) { Named(name: "three") }
            },
        ])
        #expect(try router.resolve(Checks.self).names == ["one", "two", "three"])
        #expect(try router.resolve([String].self) == ["a"])
        #expect(try router.resolve([any Check].self).count == 3)
    }

    private struct CheckedFeature: Feature {
        let checks: [any Check]
        func build(_ route: Shop.Help, in context: any RouteContext<Shop.Help>) -> any Screen {
            CheckedScreen(names: checks.map(\.name))
        }
    }

    private final class CheckedScreen: Screen {
        let names: [String]
        init(names: [String]) { self.names = names }
    }

    @Test func whereNobodyContributes_theArrayIsEmpty_andThereIsNoProblem() throws {
        let stage = Stage {
            $0.register(Checks.self, lifetime: .singleton, by: Checks.init)
            $0.listen(to: Asked.self) { (_, _: Checks, _: [any Check]?, _: Deferred<[any Check]>) in }
        }
        #expect(stage.router.validate().isEmpty)
        #expect(try stage.router.resolve(Checks.self).all.isEmpty)
        #expect(try stage.router.resolve([any Check]?.self) == nil)
        #expect(try stage.router.resolve(Deferred<[any Check]>.self).value.isEmpty)
    }

    @Test func contribution_takesServices_andIsCreatedForEachDependency() throws {
        let journal = Journal()
        let router = RouterService {
            $0.register((any Shop.Clock).self, lifetime: .singleton, by: Shop.FakeClock.init)
            $0.contribute((any Shop.Prices).self) { (clock: any Shop.Clock) in
                journal.note("created")
                return Shop.FixedPrices(clock: clock)
            }
        }
        let (first, second) = (
            try router.resolve([any Shop.Prices].self), try router.resolve([any Shop.Prices].self)
        )
        #expect(try first[0].clock === router.resolve((any Shop.Clock).self))
        #expect(first[0] !== second[0])
        #expect(journal.lines.count == 2)
    }

    @Test func contributionThatThrows_isNamedWithThePath() {
        let router = RouterService(modules: [
            Self.holder,
            TestModule { $0.contribute((any Check).self) { () throws -> any Check in throw Shop.Failure() } },
        ])
        #expect { try router.resolve(Checks.self) } throws: { error in
            guard case RouterError.creationFailed(let type, let path, let reason) = error else {
                return false
            }
            return type == TypeKey([any Check].self) && path == [TypeKey(Checks.self), type]
                && reason is Shop.Failure
        }
    }

    @Test func preparedService_takesValuesThatNeedAnother() async throws {
        let router = RouterService {
            $0.prepare(Int.self) { (names: [String]) async in names.count }
            $0.contribute(String.self) { (number: Double) in "\(number)" }
            $0.prepare(Double.self) { () async in 1 }
        }
        try await router.prepare()
        #expect(try router.resolve(Int.self) == 1)
    }

    @Test func override_standsForAllContributions_whereverItsModuleIs() throws {
        let router = RouterService(modules: [
            TestModule { $0.override([any Check].self) { [Named(name: "other")] } },
            Self.checks("one", "two"), Self.holder,
        ])
        #expect(try router.resolve(Checks.self).names == ["other"])
        #expect(router.validate().map { Failure($0) } == [.missingService])
    }

    @Test func unusedContributions_areAWarningThatNamesTheirLines() {
        let problems = Stage { registrar in
            for line in 3...4 {
                registrar.contribute(Int.self, fileID: "A/A.swift", line: line) { line }
            }
        }.router.validate()
        #expect(
            problems.map(\.description) == [
                "Array<Int>, registered at A/A.swift:3 and at A/A.swift:4, is used by nothing that is registered. "
                    + "Remove it, or register what uses it, unless the App resolves it directly."
            ])
        #expect(problems.map(\.isWarning) == [true])
    }

    @Test func recordedModules_haveTheValuesOfAll() throws {
        let recorded = RecordedModules(Self.checks("one"), Self.checks("two"), Self.holder)
        #expect(try recorded.resolve([any Check].self).map(\.name) == ["one", "two"])
        #expect(try recorded.resolve(Checks.self).names == ["one", "two"])
        #expect(try RecordedModules(Self.holder).resolve(Checks.self).all.isEmpty)
    }

    @Test func recordedModules_reportServicesThatNeedEachOther() {
        let recorded = RecordedModules(
            TestModule {
                $0.register(Int.self, lifetime: .singleton) { (text: String) in text.count }
                $0.register(String.self, lifetime: .singleton) { (number: Int) in "\(number)" }
            })
        #expect { try recorded.resolve(Int.self) } throws: { error in
            guard case .cycle(let path) = error as? RouterError else { return false }
            return path.map(\.description) == ["Int", "String", "Int"]
        }
        #expect(throws: RouterError.self, "a failed attempt leaves nothing behind") {
            try recorded.resolve(String.self)
        }
    }

    @Test func router_isReleasedAfterTheyWereUsed() throws {
        var router: RouterService? = RouterService(modules: [
            Self.holder,
            Versioned { $0.contribute((any Check).self) { (_: any Router) in Named(name: "one") } },
        ])
        weak let container = router?.container
        #expect(try router?.resolve(Checks.self).names == ["one"])
        router = nil
        #expect(container == nil)
    }

    /// The names before a replacement and after it: other values, none, the first ones.
    @Test(arguments: [(["old"], ["new", "more"]), (["old"], []), ([], ["new"])])
    func replacement_ofAModuleThatContributes_rebuildsWhatHoldsTheArray(
        old: [String], new: [String]
    )
        async throws
    {
        func version(_ names: [String]) -> Versioned {
            Versioned { registrar in
                for name in names { registrar.contribute((any Check).self) { Named(name: name) } }
            }
        }
        let presenter = HeadlessPresenter()
        let base = TestModule {
            $0.register((any Presenter).self, lifetime: .singleton) { presenter }
            $0.route(Shop.Help.self, by: CheckedFeature.init)
            $0.probe(Shop.Catalogue.self)
        }
        let router = RouterService(modules: [version(old), base, Self.holder])
        try await router.start(with: Shop.Catalogue())
        try await router.open(Shop.Help())
        let holder = try router.resolve(Checks.self)
        let catalogue = try #require(presenter.stack[0].screen as? ProbeScreen<Shop.Catalogue>)
        try await router.replace([version(new)])
        #expect(try router.resolve(Checks.self).names == new)
        #expect(holder.names == old)
        #expect((presenter.top as? CheckedScreen)?.names == new)
        #expect(presenter.stack[0].screen as? ProbeScreen<Shop.Catalogue> === catalogue)
        let stage = Versioned { $0.contribute((any Check).self) { (_: Double) in Named(name: "") } }
        #expect(await failure { try await router.replace([stage]) } == .replacementRejected)
    }
}
