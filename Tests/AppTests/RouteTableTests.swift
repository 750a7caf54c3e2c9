import RouterServiceImplementation
import Testing

@testable import App

struct RouteTableTests {
    @Test func deprecatedRoute_saysWhatToUse_andEmptyColumnsAreLeftOut() {
        let old = RegisteredRoute(
            identifier: "shop.cart", route: "Shop.Cart", module: "ShopModule", kind: .screen, urls: [],
            aliases: [], deprecation: "Use Shop.Basket.")
        let new = RegisteredRoute(
            identifier: "shop.basket", route: "Shop.Basket", module: "ShopModule", kind: .adapter, urls: [],
            aliases: [], deprecation: nil)
        #expect(
            RouteTable([old, new]).text == """
                identifier   kind     route        module      deprecated
                shop.cart    screen   Shop.Cart    ShopModule  Use Shop.Basket.
                shop.basket  adapter  Shop.Basket  ShopModule
                """)
    }

    @Test func noRoutes_areAnEmptyTable() {
        #expect(RouteTable([]).text.isEmpty)
    }
}
