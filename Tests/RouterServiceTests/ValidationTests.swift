import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

@MainActor
struct ValidationTests {
    @Test func soundGraph_hasNoProblems() {
        let stage = Stage {
            $0.register((any Shop.Clock).self, by: Shop.FakeClock.init)
            $0.register((any Shop.Prices).self, by: Shop.FixedPrices.init)
            $0.route(Shop.Help.self) { (prices: any Shop.Prices, clock: Deferred<any Shop.Clock>) in
                ProbeFeature<Shop.Help>()
            }
        }
        #expect(stage.router.validate().isEmpty)
    }

    @Test(arguments: PlantedProblem.all)
    func problem_isFoundAndSaysWhatToDo(problem: PlantedProblem) {
        let problems = Stage(problem.plant).router.validate().filter { !$0.isWarning }
        let place = /RouterServiceTests\/\w+\.swift:\d+/
        #expect(problems.map { $0.description.replacing(place, with: "HERE") } == problem.messages)
    }

    @Test func missingService_isReportedOnce_whereItStandsTwiceAmongTheParameters() {
        let problems = Stage {
            $0.route(Shop.Help.self) { (_: any Shop.Clock, _: any Shop.Clock, _: [any Shop.Prices]) in
                ProbeFeature<Shop.Help>()
            }
        }.router.validate()
        #expect(problems.map { Failure($0) } == [.missingService])
    }

    @Test func overrideOfNothing_isReportedOnce_whoeverDependsOnIt() {
        struct Tick: Event {}
        let problems = Stage { registrar in
            registrar.override((any Shop.Clock).self, by: Shop.FakeClock.init)
            for _ in 0..<2 {
                registrar.listen(to: Tick.self) { (_, _: any Shop.Clock) in }
            }
        }.router.validate()
        #expect(problems.map { Failure($0) } == [.nothingToOverride])
    }

    @Test func allProblems_areFoundAtOnceAndNothingIsCreated() {
        let journal = Journal()
        let problems = flawedRouter(journal).validate()
        #expect(
            problems.map { Failure($0) } == [
                .duplicate, .nothingToOverride, .duplicate, .duplicateIdentifier, .invalidPattern,
                .missingService, .cycle,
                .unreachableRoute, .weakValueType, .outlivesDependency, .unused,
            ])
        #expect(journal.lines.isEmpty)
    }

    /// A router with a mistake of most kinds, which notes everything that is created.
    private func flawedRouter(_ journal: Journal) -> RouterService {
        func created<Value>(_ value: Value) -> Value {
            journal.note("\(value)")
            return value
        }
        let session = PlantedProblem.session
        return RouterService { registrar in
            registrar.register((any Presenter).self, lifetime: .singleton) { created(HeadlessPresenter()) }
            registrar.intercept(.all) { (_: Double, _: UInt, _: Character) in
                created(ProbeInterceptor { _ in .proceed })
            }
            registrar.register(Double.self, lifetime: .singleton) { created(1) }
            registrar.register(Double.self, lifetime: .singleton) { created(2) }
            registrar.override(Float.self) { created(1) }
            registrar.register(Int.self, lifetime: .singleton) { (text: String) in created(1) }
            registrar.register(String.self, lifetime: .singleton) { (number: Int) in created("") }
            registrar.register(UInt.self) { created(1) }
            registrar.register(UInt8.self, lifetime: .scope(session)) { created(1) }
            registrar.register(Character.self, lifetime: .singleton) { (byte: UInt8) in created("a") }
            registrar.prepare(UInt16.self) { () async in created(1) }
            registrar.action(Shop.Count.self) { created(ProbeAction<Shop.Count> { _ in 1 }) }
            registrar.action(Shop.Count.self) { created(ProbeAction<Shop.Count> { _ in 1 }) }
            registrar.route(Shop.Catalogue.self, .url("app:/broken")) {
                created(ProbeFeature<Shop.Catalogue>())
            }
            registrar.probe(Twin.self)
            registrar.route(Shop.Help.self) { (clock: any Shop.Clock) in
                created(ProbeFeature<Shop.Help>())
            }
            registrar.route(Shop.Account.self, .fallback { _ in created(Shop.SignIn()) }) {
                created(ProbeFeature<Shop.Account>())
            }
        }
    }

    @Test func missingPresenter_isFound() {
        #expect(
            RouterService { _ in }.validate().map(\.description) == [
                "any Presenter is not registered, needed along RouterService → any Presenter. Register it in a module "
                    + "entry that the App lists."
            ])
    }

    @Test func missingService_isReportedForEachThatNeedsIt() {
        let problems = Stage {
            $0.route(Shop.Help.self) { (clock: any Shop.Clock) in ProbeFeature<Shop.Help>() }
            $0.route(Shop.Account.self) { (clock: any Shop.Clock) in ProbeFeature<Shop.Account>() }
        }.router.validate()
        #expect(problems.map { Failure($0) } == [.missingService, .missingService])
    }

    @Test func unusedService_isAWarningAndTheOnlyOne() {
        let problems = Stage {
            $0.register((any Shop.Clock).self, fileID: "A/A.swift", line: 5, by: Shop.FakeClock.init)
        }.router.validate()
        #expect(
            problems.map(\.description) == [
                "any Shop.Clock, registered at A/A.swift:5, is used by nothing that is registered. Remove it, or "
                    + "register what uses it, unless the App resolves it directly."
            ])
        #expect(problems.map(\.isWarning) == [true])
    }

    @Test func lifetimes_thatSuitEachOther_areNoProblem() {
        let session = PlantedProblem.session
        let problems = Stage {
            $0.register((any Shop.Clock).self, lifetime: .scope(session), by: Shop.FakeClock.init)
            $0.register((any Shop.Prices).self, lifetime: .scope(session), by: Shop.FixedPrices.init)
            $0.register(String.self, lifetime: .transient) { (prices: any Shop.Prices) in prices.clock.name }
            $0.register(Int.self, lifetime: .singleton) { (text: Deferred<String>) in 1 }
            $0.listen(to: Opened.self) { (_, number: Int) in }
        }.router.validate()
        #expect(problems.isEmpty)
    }

    @Test func weakServiceThatHoldsAScopedOne_isNoProblem_unlessSomethingKeepsIt() {
        let session = PlantedProblem.session
        func problems(_ lifetime: Lifetime) -> [String] {
            Stage {
                $0.register((any Shop.Clock).self, lifetime: .scope(session), by: Shop.FakeClock.init)
                $0.register((any Shop.Prices).self, by: Shop.FixedPrices.init)
                $0.register(Int.self, lifetime: lifetime, fileID: "A/A.swift", line: 6) {
                    (prices: any Shop.Prices) in 1
                }
                $0.listen(to: Opened.self) { (_, number: Int) in }
            }.router.validate().map(\.description)
        }
        #expect(problems(.transient).isEmpty)
        #expect(problems(.scope(session)).isEmpty)
        #expect(
            problems(.singleton) == [
                "Int, registered at A/A.swift:6 as 'singleton', may outlive the scope 'shop.session' of what it holds "
                    + "along Int → any Shop.Prices → any Shop.Clock. Register it in the same scope, or let it take a 'Deferred'."
            ])
    }

    @Test func services_areListedInTheOrderOfRegistration() throws {
        let journal = Journal()
        let router = RouterService {
            $0.register((any Shop.Clock).self, lifetime: .transient, fileID: "A/A.swift", line: 5) {
                journal.note("created")
                return Shop.FakeClock()
            }
        }
        #expect(
            router.services.map(\.type.description) == [
                "any Shop.Clock", "any RouteCatalog", "any Router",
            ])
        let clock = try #require(router.services.first)
        #expect(clock.lifetime == .transient)
        #expect(clock.sources.map(\.module) == [TypeKey(TestModule.self)])
        #expect(clock.sources.map(\.place) == ["A/A.swift:5"])
        #expect(journal.lines.isEmpty)
    }

    @Test func routes_areListedByIdentifier() throws {
        let router = Stage {
            $0.route(
                Shop.Account.self, .url("app://account/:owner"), .url("app://me?owner"),
                by: ProbeFeature<Shop.Account>.init)
            $0.count()
            $0.adapt(Shop.Help.self, to: Shop.Account.self, route: { _ in Shop.Account() }, output: { $0 })
        }.router
        #expect(
            router.routes.map { "\($0.identifier) \($0.kind)" } == [
                "shop.account screen", "shop.catalogue screen", "shop.checkout screen", "shop.count action",
                "shop.help adapter",
            ])
        let entry = try #require(router.routes.first)
        #expect(entry.name == TypeKey(Shop.Account.self))
        #expect(entry.source.module == TypeKey(TestModule.self))
        #expect(entry.urls == ["app://account/:owner", "app://me?owner"])
    }
}

private struct Opened: Event {}
private struct Twin: Route { static let identifier = "shop.catalogue" }
