import RouterServiceInterface
import RouterServiceTesting
import Testing

/// A registration with one mistake, and the problem that validation reports.
struct PlantedProblem: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let plant: @MainActor @Sendable (Registrar) -> Void
    let messages: [String]

    init(
        _ name: String, _ plant: @escaping @MainActor @Sendable (Registrar) -> Void, _ messages: String...
    ) {
        (testDescription, self.plant, self.messages) = (name, plant, messages)
    }
}

/// One of each kind, beside a sound registration of the shop.
extension PlantedProblem {
    static let session = Scope("shop.session")

    static let all = services + lifetimes + contributions + handlers + links

    private static let services = [
        PlantedProblem(
            "need of a feature",
            { $0.route(Shop.Help.self) { (clock: any Shop.Clock) in ProbeFeature<Shop.Help>() } },
            "any Shop.Clock is not registered, needed along Shop.Help → ProbeFeature<Shop.Help> → any Shop.Clock. "
                + "Register it in a module entry that the App lists. "
                + "ProbeFeature<Shop.Help> is registered at HERE."),
        PlantedProblem(
            "need of a need of an action",
            {
                $0.register((any Shop.Prices).self, by: Shop.FixedPrices.init)
                $0.action(Shop.Count.self) { (prices: any Shop.Prices) in ProbeAction<Shop.Count> { _ in 1 } }
            },
            "any Shop.Clock is not registered, needed along Shop.Count → ProbeAction<Shop.Count> → any Shop.Prices "
                + "→ any Shop.Clock. Register it in a module entry that the App lists. "
                + "any Shop.Prices is registered at HERE."),
        PlantedProblem(
            "need of a fallback",
            {
                $0.probe(Shop.Account.self, .fallback { _ in Shop.Help() })
                $0.route(Shop.Help.self) { (number: Int) in ProbeFeature<Shop.Help>() }
            },
            "Int is not registered, needed along Shop.Help → ProbeFeature<Shop.Help> → Int. "
                + "Register it in a module entry that the App lists. "
                + "ProbeFeature<Shop.Help> is registered at HERE."),
        PlantedProblem(
            "need of an adapter between services",
            {
                $0.register(String.self, lifetime: .singleton) { (clock: any Shop.Clock) in clock.name }
                $0.listen(to: Closed.self) { (_, name: String) in }
            },
            "any Shop.Clock is not registered, needed along TestModule → Closed → String → any Shop.Clock. "
                + "Register it in a module entry that the App lists. "
                + "String is registered at HERE."),
        PlantedProblem(
            "need of an interceptor",
            { $0.intercept(.all) { (clock: any Shop.Clock) in ProbeInterceptor { _ in .proceed } } },
            "any Shop.Clock is not registered, needed along TestModule → ProbeInterceptor → any Shop.Clock. "
                + "Register it in a module entry that the App lists. "
                + "ProbeInterceptor is registered at HERE."),
        PlantedProblem(
            "need of a service that is prepared, deferred",
            { $0.prepare(Int.self) { (clock: Deferred<any Shop.Clock>) async in 1 } },
            "any Shop.Clock is not registered, needed along Int → any Shop.Clock. "
                + "Register it in a module entry that the App lists. "
                + "Int is registered at HERE."),
        PlantedProblem(
            "service twice",
            { registrar in
                for line in 1...2 {
                    registrar.register(Int.self, lifetime: .singleton, fileID: "A/A.swift", line: line) { 1 }
                }
            },
            "Int is registered twice, at A/A.swift:1 and at A/A.swift:2. Remove one of the two, or write "
                + "'override(Int.self, by:)' in the second, if it is a service."),
        PlantedProblem(
            "override of nothing",
            { $0.override(Int.self, fileID: "A/A.swift", line: 3) { 1 } },
            "Int is overridden at A/A.swift:3, but was not registered before. Register it, or list the module that "
                + "does so earlier."),
        PlantedProblem(
            "cycle",
            {
                $0.register(Int.self, lifetime: .singleton) { (text: String) in text.count }
                $0.register(String.self, lifetime: .singleton) { (number: Int?) in "\(number ?? 0)" }
            },
            "Services depend on one another in a cycle: Int → String → Int. Let one of them take a 'Deferred' of the "
                + "other. Int is registered at HERE."),
    ]

    private static let lifetimes = [
        PlantedProblem(
            "value type that is to live while it is used",
            { $0.register(Int.self, fileID: "A/A.swift", line: 4) { 1 } },
            "Int is registered at A/A.swift:4 with the lifetime 'weak', but its factory made a value type, which "
                + "cannot be held. Make it a class, or register it with the lifetime 'singleton' or 'transient'."
        ),
        PlantedProblem(
            "lifetime that outlives what it needs",
            {
                $0.register((any Shop.Clock).self, lifetime: .scope(session), by: Shop.FakeClock.init)
                $0.register((any Shop.Prices).self, lifetime: .singleton, by: Shop.FixedPrices.init)
            },
            "any Shop.Prices, registered at HERE as 'singleton', may outlive the scope 'shop.session' of what it holds along "
                + "any Shop.Prices → any Shop.Clock. Register it in the same scope, or let it take a 'Deferred'."
        ),
        PlantedProblem(
            "lifetime that outlives what it needs through another need",
            {
                $0.register((any Shop.Clock).self, lifetime: .scope(session), by: Shop.FakeClock.init)
                $0.register((any Shop.Prices).self, lifetime: .transient, by: Shop.FixedPrices.init)
                $0.register(Int.self, lifetime: .scope(Scope("shop.visit"))) { (prices: any Shop.Prices) in 1
                }
            },
            "Int, registered at HERE as 'scope(shop.visit)', may outlive the scope 'shop.session' of what it holds along "
                + "Int → any Shop.Prices → any Shop.Clock. Register it in the same scope, or let it take a 'Deferred'."
        ),
    ]

    private static let contributions = [
        PlantedProblem(
            "need of a contribution",
            { registrar in
                registrar.contribute(String.self) { (number: Int) in "\(number)" }
                registrar.contribute(String.self, fileID: "B/B.swift", line: 2) { (clock: any Shop.Clock) in
                    clock.name
                }
                registrar.register(Int.self, lifetime: .singleton) { 1 }
                registrar.listen(to: Closed.self) { (_, names: [String]) in }
            },
            "any Shop.Clock is not registered, needed along TestModule → Closed → Array<String> → any Shop.Clock. "
                + "Register it in a module entry that the App lists. "
                + "Array<String> is registered at B/B.swift:2."),
        PlantedProblem(
            "array that is registered beside contributions",
            {
                $0.register([Int].self, lifetime: .singleton, fileID: "A/A.swift", line: 1) { [1] }
                $0.contribute(Int.self, fileID: "B/B.swift", line: 2) { 2 }
            },
            "Array<Int> is registered twice, at B/B.swift:2 and at A/A.swift:1. Remove one of the two, or write "
                + "'override(Array<Int>.self, by:)' in the second, if it is a service."),
        PlantedProblem(
            "cycle through a contribution",
            {
                $0.register(Int.self, lifetime: .singleton) { (names: [String]) in names.count }
                $0.contribute(String.self) { "" }
                $0.contribute(String.self) { (number: Int) in "\(number)" }
            },
            "Services depend on one another in a cycle: Array<String> → Int → Array<String>. Let one of them take a "
                + "'Deferred' of the other. Array<String> is registered at HERE and at HERE."),
        PlantedProblem(
            "lifetime that outlives what a contribution needs",
            {
                $0.register((any Shop.Clock).self, lifetime: .scope(session), by: Shop.FakeClock.init)
                $0.contribute(String.self) { (clock: any Shop.Clock) in clock.name }
                $0.register(Int.self, lifetime: .singleton) { (names: [String]) in names.count }
            },
            "Int, registered at HERE as 'singleton', may outlive the scope 'shop.session' of what it holds along Int → "
                + "Array<String> → any Shop.Clock. Register it in the same scope, or let it take a 'Deferred'."
        ),
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
            "Shop.Help is registered twice, at A/A.swift:1 and at A/A.swift:2. Remove one of the two, or write "
                + "'override(Shop.Help.self, by:)' in the second, if it is a service."),
        PlantedProblem(
            "identifier twice",
            { $0.probe(TwinCatalogue.self) },
            "Shop.Catalogue, registered at T/T.swift:1, and TwinCatalogue, at T/T.swift:1, have the same "
                + "identifier 'shop.catalogue'. Change one of the two."
        ),
        PlantedProblem(
            "identifier that cannot be used in a link",
            { $0.probe(OddlyNamed.self) },
            "'odd|name' of OddlyNamed, registered at T/T.swift:1, cannot be used in a link. Use at least one character "
                + "and no '|'."),
        PlantedProblem(
            "empty identifier",
            { $0.probe(Nameless.self) },
            "'' of Nameless, registered at T/T.swift:1, cannot be used in a link. Use at least one character and no "
                + "'|'."),
        PlantedProblem(
            "fallback that nobody handles",
            { $0.probe(Shop.Account.self, .fallback { _ in Shop.Help() }) },
            "Shop.Account → Shop.Help, registered at T/T.swift:1, leads nowhere. Let it end at a route that has a "
                + "handler and does not lead back."),
        PlantedProblem(
            "fallback that leads back through an adapter",
            {
                $0.probe(Shop.Account.self, .fallback { _ in Shop.Help() })
                $0.adapt(Shop.Help.self, to: Shop.Account.self, fileID: "A/A.swift", line: 6) { _ in
                    Shop.Account()
                } output: {
                    $0
                }
            },
            "Shop.Account → Shop.Help → Shop.Account, registered at A/A.swift:6, leads nowhere. Let it end at a route "
                + "that has a handler and does not lead back."),
        PlantedProblem(
            "adapter to a route without a handler",
            {
                $0.adapt(Shop.Help.self, to: Shop.Account.self, fileID: "A/A.swift", line: 7) { _ in
                    Shop.Account()
                } output: {
                    $0
                }
            },
            "Shop.Help → Shop.Account, registered at A/A.swift:7, leads nowhere. Let it end at a route that has a "
                + "handler and does not lead back."),
        PlantedProblem(
            "adapter to its own route",
            {
                $0.adapt(Shop.Help.self, to: Shop.Help.self, fileID: "A/A.swift", line: 8) {
                    $0
                } output: {
                    $0
                }
            },
            "Shop.Help → Shop.Help, registered at A/A.swift:8, leads nowhere. Let it end at a route that has a "
                + "handler and does not lead back."),
    ]

    private static let links = [
        PlantedProblem(
            "URL twice",
            {
                $0.probe(Shop.Help.self, .url("app://shop/help"))
                $0.probe(Shop.Account.self, .url("APP://shop/help?owner"))
            },
            "The URL pattern 'APP://shop/help?owner' of Shop.Account matches the same URLs as an earlier one of "
                + "Shop.Help. Change or remove one of the two.")
    ]
}

private struct TwinCatalogue: Route { static let identifier = "shop.catalogue" }
private struct OddlyNamed: Route { static let identifier = "odd|name" }
private struct Nameless: Route { static let identifier = "" }
private struct Closed: Event {}
