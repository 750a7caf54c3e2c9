import RouterServiceInterface
import RouterServiceTesting
import Testing

/// A registration with one mistake, and what validation says of it.
struct PlantedProblem: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let plant: @MainActor @Sendable (any Registrar) -> Void
    let messages: [String]

    init(
        _ name: String, _ plant: @escaping @MainActor @Sendable (any Registrar) -> Void, _ messages: String...
    ) {
        (testDescription, self.plant, self.messages) = (name, plant, messages)
    }
}

/// One of each kind, beside a sound registration of the shop.
extension PlantedProblem {
    static let session = Scope("shop.session")

    static let all = services + lifetimes + handlers + links

    private static let services = [
        PlantedProblem(
            "need of a feature",
            { $0.route(Shop.Help.self) { (clock: any Shop.Clock) in ProbeFeature<Shop.Help>() } },
            "Nobody registered any Shop.Clock, needed along Shop.Help → ProbeFeature<Shop.Help> → any Shop.Clock. "
                + "Register it in a module entry that the App lists."),
        PlantedProblem(
            "need of a need of an action",
            {
                $0.register((any Shop.Prices).self, by: Shop.FixedPrices.init)
                $0.action(Shop.Count.self) { (prices: any Shop.Prices) in ProbeAction<Shop.Count> { _ in 1 } }
            },
            "Nobody registered any Shop.Clock, needed along Shop.Count → ProbeAction<Shop.Count> → any Shop.Prices "
                + "→ any Shop.Clock. Register it in a module entry that the App lists."),
        PlantedProblem(
            "need of a fallback",
            {
                $0.probe(Shop.Account.self, .fallback { _ in Shop.Help() })
                $0.route(Shop.Help.self) { (number: Int) in ProbeFeature<Shop.Help>() }
            },
            "Nobody registered Int, needed along Shop.Help → ProbeFeature<Shop.Help> → Int. "
                + "Register it in a module entry that the App lists."),
        PlantedProblem(
            "need of an adapter between services",
            {
                $0.register(String.self, lifetime: .singleton) { (clock: any Shop.Clock) in clock.name }
                $0.listen(to: Closed.self) { (_, name: String) in }
            },
            "Nobody registered any Shop.Clock, needed along TestModule → Closed → String → any Shop.Clock. "
                + "Register it in a module entry that the App lists."),
        PlantedProblem(
            "need of an interceptor",
            { $0.intercept { (clock: any Shop.Clock) in ProbeInterceptor { _ in .proceed } } },
            "Nobody registered any Shop.Clock, needed along TestModule → ProbeInterceptor → any Shop.Clock. "
                + "Register it in a module entry that the App lists."),
        PlantedProblem(
            "need of a service that is prepared, deferred",
            { $0.prepare(Int.self) { (clock: Deferred<any Shop.Clock>) async in 1 } },
            "Nobody registered any Shop.Clock, needed along Int → any Shop.Clock. "
                + "Register it in a module entry that the App lists."),
        PlantedProblem(
            "service twice",
            { registrar in
                for line in 1...2 {
                    registrar.register(Int.self, lifetime: .singleton, fileID: "A/A.swift", line: line) { 1 }
                }
            },
            "Int is registered twice, at A/A.swift:1 and at A/A.swift:2. Remove one of the two, or say "
                + "'replace(Int.self, by:)' in the second."),
        PlantedProblem(
            "replacement of nothing",
            { $0.replace(Int.self, fileID: "A/A.swift", line: 3) { 1 } },
            "Int is replaced at A/A.swift:3, but nobody registered it before. Register it, or list the module that "
                + "does so earlier."),
        PlantedProblem(
            "cycle",
            {
                $0.register(Int.self, lifetime: .singleton) { (text: String) in text.count }
                $0.register(String.self, lifetime: .singleton) { (number: Int?) in "\(number ?? 0)" }
            },
            "Services need one another in a cycle: Int → String → Int. Let one of them take a 'Deferred' of the "
                + "other."),
    ]

    private static let lifetimes = [
        PlantedProblem(
            "value type that is to live while it is used",
            { $0.register(Int.self, fileID: "A/A.swift", line: 4) { 1 } },
            "Int is registered at A/A.swift:4 to live while it is used, but its factory made a value type, which "
                + "nobody can hold. Make it a class, or register it with the lifetime 'singleton' or 'transient'."),
        PlantedProblem(
            "lifetime that outlives what it needs",
            {
                $0.register((any Shop.Clock).self, lifetime: .scope(session), by: Shop.FakeClock.init)
                $0.register((any Shop.Prices).self, lifetime: .singleton, by: Shop.FixedPrices.init)
            },
            "any Shop.Prices may live longer than the scope 'shop.session' of what it needs along any Shop.Prices → "
                + "any Shop.Clock. Register it in the same scope, or let it take a 'Deferred'."),
        PlantedProblem(
            "lifetime that outlives what it needs through another need",
            {
                $0.register((any Shop.Clock).self, lifetime: .scope(session), by: Shop.FakeClock.init)
                $0.register((any Shop.Prices).self, lifetime: .transient, by: Shop.FixedPrices.init)
                $0.register(Int.self, lifetime: .scope(Scope("shop.visit"))) { (prices: any Shop.Prices) in 1
                }
            },
            "Int may live longer than the scope 'shop.session' of what it needs along Int → any Shop.Prices → "
                + "any Shop.Clock. Register it in the same scope, or let it take a 'Deferred'."),
    ]

    private static let handlers = [
        PlantedProblem(
            "route twice",
            { registrar in
                for line in 1...2 {
                    registrar.route(Shop.Help.self, fileID: "A/A.swift", line: line) {
                        ProbeFeature<Shop.Help>()
                    }
                }
            },
            "Shop.Help has two handlers, registered at A/A.swift:1 and at A/A.swift:2. Remove one of the two, or mark "
                + "the one that wins as '.overriding'."),
        PlantedProblem(
            "identifier twice",
            { $0.probe(TwinCatalogue.self) },
            "Shop.Catalogue and TwinCatalogue have the same identifier 'shop.catalogue'. Change one of the two, or "
                + "mark the one that wins as '.overriding'."),
        PlantedProblem(
            "identifier that cannot stand in a link",
            { $0.probe(OddlyNamed.self) },
            "The identifier 'odd|name' of OddlyNamed cannot stand in a link. Use at least one character and no '|'."
        ),
        PlantedProblem(
            "fallback that nobody handles",
            { $0.probe(Shop.Account.self, .fallback { _ in Shop.Help() }) },
            "The fallback Shop.Account → Shop.Help leads nowhere. Let it end at a route that somebody handles and "
                + "that does not lead back."),
        PlantedProblem(
            "fallback that leads back through an adapter",
            {
                $0.probe(Shop.Account.self, .fallback { _ in Shop.Help() })
                $0.adapt(Shop.Help.self, to: Shop.Account.self) { _ in Shop.Account() }
            },
            "The fallback Shop.Account → Shop.Help → Shop.Account leads nowhere. Let it end at a route that somebody "
                + "handles and that does not lead back."),
    ]

    private static let links = [
        PlantedProblem(
            "URL twice",
            {
                $0.probe(Shop.Help.self, .url("app://shop/help"))
                $0.probe(Shop.Account.self, .url("APP://shop/help?owner"))
            },
            "The URL pattern 'APP://shop/help?owner' of Shop.Account matches the same URLs as an earlier one of "
                + "Shop.Help. Change or remove one of the two."),
        PlantedProblem(
            "alias that is another route's identifier",
            { $0.probe(Shop.Help.self, .alias("shop.catalogue")) },
            "The alias 'shop.catalogue' of Shop.Help already stands for Shop.Catalogue. Remove it from one of the two."
        ),
        PlantedProblem(
            "alias that cannot stand in a link",
            { $0.probe(Shop.Help.self, .alias("")) },
            "The alias '' of Shop.Help cannot stand in a link. Use at least one character and no '|'."),
    ]
}

private struct TwinCatalogue: Route { static let identifier = "shop.catalogue" }
private struct OddlyNamed: Route { static let identifier = "odd|name" }
private struct Closed: Event {}
