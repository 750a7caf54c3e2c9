import RouterServiceInterface
import Testing

@testable import App

@MainActor
struct TableTests {
    private enum Shop {
        struct Cart: Route { static let identifier = "shop.cart" }
        struct Basket: Route { static let identifier = "shop.basket" }
    }

    private struct ShopModule: Module {
        func register(in registrar: Registrar) {
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
            table(of: registrar.registrations.routes.map { ListedRoute($0, decidedBy: []) }) == """
                identifier   kind     route                   module
                shop.cart    action   TableTests.Shop.Cart    TableTests.ShopModule
                shop.basket  adapter  TableTests.Shop.Basket  TableTests.ShopModule
                """)
    }

    @Test func cells_arePaddedByTheirCharacters() {
        #expect(
            table(of: [listed("👩‍🔬🧪", "first"), listed("é", "second")]) == """
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
        #expect(table(of: []).isEmpty)
    }
}
