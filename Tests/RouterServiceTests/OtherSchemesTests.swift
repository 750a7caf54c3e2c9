import RouterServiceImplementation
import RouterServiceInterface
import Testing

/// The mistakes that other schemes find at run time only, as docs/Compare.md describes.
@MainActor
struct OtherSchemesTests {
    @Test func urlRoute_withAMisspeltNameOrAnotherType_leadsNowhere() {
        var table = URLTable()
        table.register("notes") { $0["id"].flatMap(Int.init).map { "note \($0)" } }
        #expect(table.open("app://notes?id=1") == "note 1")
        #expect(table.open("app://noets?id=1") == nil)
        #expect(table.open("app://notes?number=1") == nil)
        #expect(table.open("app://notes?id=one") == nil)
    }

    @Test func namedTarget_withAMisspeltNameOrAnotherType_answersNothing() {
        var targets = NamedTargets()
        targets.register("Notes", "edit") { ($0["id"] as? Int).map { "note \($0)" } }
        #expect(targets.perform("Notes", "edit", ["id": 1]) as? String == "note 1")
        #expect(targets.perform("Noets", "edit", ["id": 1]) == nil)
        #expect(targets.perform("Notes", "edit", ["id": "1"]) == nil)
        #expect(targets.perform("Notes", "edit", ["id": 1]) as? Int == nil)
    }

    @Test func namedRegistry_takesTwoProtocolsOfOneNameForOne() {
        enum Home {
            protocol Clock: AnyObject {}
            final class Wall: Clock {}
        }
        var registry = NamedRegistry()
        registry.register((any Shop.Clock).self) { Shop.FakeClock() }
        #expect(registry.resolve((any Shop.Clock).self) != nil)
        registry.register((any Home.Clock).self) { Home.Wall() }
        #expect(registry.resolve((any Shop.Clock).self) == nil)
    }

    @Test func reflectedDependency_thatNobodyRegistered_isMissedWhenTheFeatureIsMade() {
        struct Checkout {
            let clock = ReflectedDependency<any Shop.Clock>()
            let prices = ReflectedDependency<any Shop.Prices>()
        }
        var registry = NamedRegistry()
        registry.register((any Shop.Clock).self) { Shop.FakeClock() }
        let checkout = Checkout()
        #expect(registry.inject(into: checkout) == ["Prices"])
        #expect(checkout.clock.value != nil)
        #expect(checkout.prices.value == nil)
    }
}
