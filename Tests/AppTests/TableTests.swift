import RouterServiceInterface
import Testing

@testable import App

@MainActor
struct TableTests {
    private enum Shop {
        struct Cart: Route { static let identifier = "shop.cart" }
        struct Basket: Route { static let identifier = "shop.basket" }
        final class Prices {}
    }

    private struct ShopModule: Module {
        func register(in registrar: Registrar) {
            registrar.register(
                Shop.Prices.self, lifetime: .singleton, fileID: "S/S.swift", line: 7, by: Shop.Prices.init)
            registrar.action(Shop.Cart.self, by: EmptyCart.init)
            registrar.adapt(Shop.Basket.self, to: Shop.Cart.self) { _ in
                Shop.Cart()
            } output: {
                $0
            }
        }
    }

    private struct EmptyCart: Action {
        func perform(_ route: Shop.Cart) {}
    }

    private let registrar = Registrar(ShopModule())

    @Test func routes_haveAKindAndAModule_andEmptyColumnsAreLeftOut() {
        #expect(
            Table(registrar.registrations.routes.map { ListedRoute($0, decidedBy: []) }).text == """
                identifier   kind     route                   module
                shop.cart    action   TableTests.Shop.Cart    TableTests.ShopModule
                shop.basket  adapter  TableTests.Shop.Basket  TableTests.ShopModule
                """)
    }

    @Test func cells_arePaddedByTheirCharacters() {
        #expect(
            Table([listed("👩‍🔬🧪", "first"), listed("é", "second")]).text == """
                identifier  kind    route   module
                👩‍🔬🧪          screen  first   M
                é           screen  second  M
                """)
    }

    private func listed(_ identifier: String, _ route: String) -> ListedRoute {
        ListedRoute(
            identifier: identifier, kind: "screen", route: route, module: "M", interceptors: [], urls: [])
    }

    @Test func noRoutes_areAnEmptyTable() {
        #expect(Table([ListedRoute]()).text.isEmpty)
    }

    @Test func services_haveALifetimeAndAPlace_andArraysThoseOfAllContributions() {
        for line in 8...9 { registrar.contribute(Int.self, fileID: "S/S.swift", line: line) { line } }
        let array = ServiceRegistration.array(of: registrar.registrations.contributions)
        #expect(
            Table((registrar.registrations.services + [array].compactMap(\.self)).map { ListedService($0) })
                .text == """
                    service                 lifetime   module                                        registered at
                    TableTests.Shop.Prices  singleton  TableTests.ShopModule                         S/S.swift:7
                    Array<Int>              transient  TableTests.ShopModule, TableTests.ShopModule  S/S.swift:8, S/S.swift:9
                    """)
    }
}
