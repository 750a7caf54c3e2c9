import FeatureFlagsInterface
import RouterServiceInterface
import RouterServiceTesting

/// The routes of a small program, which the rules of the tests are about.
enum Shop {
    struct Offers: Route { static let identifier = "shop.offers" }
    struct Basket: Route { static let identifier = "shop.basket" }
    struct Product: Route {
        static let identifier = "shop.product"
        let id: Int
    }
    struct SignIn: Route { static let identifier = "shop.sign-in" }

    static let discount = FeatureFlags.Flag("shop.discount", default: false)
    static let notice = FeatureFlags.Flag("shop.notice", default: "Welcome")

    static let flags: [any FeatureFlags.AnyFlag] = [discount, notice]
    static let exemptRoutes = [FeatureFlags.ExemptRoute(SignIn.self)]
    static let routes = KnownRoutes([Offers.self, Basket.self, Product.self, SignIn.self])
}
