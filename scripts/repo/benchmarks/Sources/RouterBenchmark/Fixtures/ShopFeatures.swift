import RouterServiceInterface
import RouterServiceProgram

/// A route whose feature has three dependencies.
struct Basket: Route {
    static let identifier = "shop.basket"
    let customer: String
}

struct BasketFeature: Feature {
    let sessions: any Sessions
    let prices: any Prices
    let analytics: any Analytics

    func build(_ route: Basket, in context: any RouteContext<Basket>) throws -> any Screen {
        EmptyScreen()
    }
}

/// A route whose feature has no dependencies.
struct Imprint: Route {
    static let identifier = "shop.imprint"
}

struct ImprintFeature: Feature {
    func build(_ route: Imprint, in context: any RouteContext<Imprint>) throws -> any Screen {
        EmptyScreen()
    }
}

struct EmptyScreen: Screen {}

/// Registers both features and the presenter.
struct ShopFeatures: Module {
    let presenter: TopmostPresenter

    func register(in registrar: Registrar) {
        registrar.register((any Presenter).self, lifetime: .singleton) { presenter }
        registrar.route(Basket.self, by: BasketFeature.init)
        registrar.route(Imprint.self, by: ImprintFeature.init)
    }
}
