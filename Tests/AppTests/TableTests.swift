import RouterServiceInterface
import Testing

@testable import App

struct TableTests {
    @Test func deprecatedRoute_saysWhatToUse_andEmptyColumnsAreLeftOut() {
        let old = RegisteredRoute(
            identifier: "shop.cart", route: "Shop.Cart", module: "ShopModule", kind: .screen, urls: [],
            aliases: [], deprecation: "Use Shop.Basket.")
        let new = RegisteredRoute(
            identifier: "shop.basket", route: "Shop.Basket", module: "ShopModule", kind: .adapter, urls: [],
            aliases: [], deprecation: nil)
        #expect(
            Table([old, new]).text == """
                identifier   kind     route        module      deprecated
                shop.cart    screen   Shop.Cart    ShopModule  Use Shop.Basket.
                shop.basket  adapter  Shop.Basket  ShopModule
                """)
    }

    @Test func noRoutes_areAnEmptyTable() {
        #expect(Table([RegisteredRoute]()).text.isEmpty)
    }

    @Test func services_haveALifetimeAndAPlace() {
        let sessions = RegisteredService(
            service: "any Login.Sessions", lifetime: "singleton", module: "LoginModule", place: "L/L.swift:7")
        #expect(
            Table([sessions]).text == """
                service             lifetime   module       registered at
                any Login.Sessions  singleton  LoginModule  L/L.swift:7
                """)
    }
}
