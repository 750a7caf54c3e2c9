import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceTesting
import Testing

@MainActor
struct ValidationTests {
    @Test func soundGraph_hasNoProblems() {
        let stage = Stage {
            $0.register((any Shop.Clock).self, by: Shop.FakeClock.init)
            $0.register((any Shop.Prices).self, by: Shop.FixedPrices.init)
        }
        #expect(stage.router.validate().isEmpty)
        #expect(stage.router.routes.map(\.identifier) == ["shop.catalogue", "shop.checkout"])
        #expect(stage.router.routes.map(\.route) == ["Shop.Catalogue", "Shop.Checkout"])
        #expect(stage.router.routes.map(\.module) == ["TestModule", "TestModule"])
    }

    @Test func allProblems_areFoundAtOnceAndNothingIsCreated() {
        final class Hen { init(egg: Egg) {} }
        final class Egg { init(hen: Hen) {} }
        struct Twin: Route { static let identifier = "shop.catalogue" }
        struct Odd: Route { static let identifier = "a|b" }
        var created = 0
        let router = RouterService(modules: [
            TestModule { registrar in
                registrar.register(Hen.self) { (egg: Egg) in
                    created += 1; return Hen(egg: egg)
                }
                registrar.register(Egg.self, by: Egg.init)
                registrar.register((any Shop.Prices).self, by: Shop.FixedPrices.init)
                registrar.register((any Shop.Prices).self, by: Shop.FixedPrices.init)
                registrar.route(Shop.Catalogue.self) { ProbeFeature<Shop.Catalogue>() }
                registrar.route(Shop.Catalogue.self) { ProbeFeature<Shop.Catalogue>() }
                registrar.route(Twin.self) { ProbeFeature<Twin>() }
                registrar.route(Odd.self) { (hen: Hen) in ProbeFeature<Odd>() }
            }
        ])
        let beginnings = router.validate().map { String($0.description.prefix { $0 != "," }) }
        #expect(
            beginnings == [
                "any Shop.Prices is registered twice",
                "Shop.Catalogue has two features",
                "Shop.Catalogue and ValidationTests.Twin have the same identifier 'shop.catalogue'. "
                    + "Change one of the two.",
                "The identifier 'a|b' of ValidationTests.Odd cannot stand in a link. "
                    + "Use at least one character and no '|'.",
                "Nobody registered any Presenter",
                "Services need one another in a cycle: ValidationTests.Odd → ProbeFeature<ValidationTests.Odd> "
                    + "→ ValidationTests.Hen → ValidationTests.Egg → ValidationTests.Hen. "
                    + "Let one of them receive the other later.",
                "Nobody registered any Shop.Clock",
            ])
        #expect(created == 0)
    }

    @Test func missingService_isReportedOnceForEachThatNeedsIt() {
        let stage = Stage {
            $0.register((any Shop.Prices).self, by: Shop.FixedPrices.init)
            $0.register(Int.self, lifetime: .each) { (clock: any Shop.Clock) in clock.name.count }
        }
        #expect(
            stage.router.validate().map { "\($0)".split(separator: ".")[0] }.count == 2)
    }
}
