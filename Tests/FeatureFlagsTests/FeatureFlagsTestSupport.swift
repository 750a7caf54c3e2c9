import FeatureFlagsInterface
import RouterServiceInterface
import RouterServiceTesting

/// The routes and flags of a small program, about which the server decides.
enum Shop {
    struct Offers: Route { static let identifier = "shop.offers" }
    struct Basket: Route { static let identifier = "shop.basket" }
    struct Product: Route {
        static let identifier = "shop.product"
        let id: Int
    }

    static let discount = FeatureFlags.Flag("shop.discount", default: false)
    static let notice = FeatureFlags.Flag("shop.notice", default: "Welcome")

    static let routes = KnownRoutes([Offers.self, Basket.self, Product.self])
}
