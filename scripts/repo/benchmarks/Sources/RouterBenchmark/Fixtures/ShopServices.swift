import RouterServiceInterface

// Services as a program has them, but that do nothing, so that only the router's work is timed.

protocol Sessions: AnyObject {}
final class StoredSessions: Sessions {}

protocol Prices: AnyObject {}
final class ServerPrices: Prices {}

protocol Analytics: AnyObject {}
final class QuietAnalytics: Analytics {}

protocol Downloads: AnyObject {}
final class SharedDownloads: Downloads {}

protocol Checkout: AnyObject {}
final class TwoStepCheckout: Checkout {
    let sessions: any Sessions
    let prices: any Prices

    init(sessions: any Sessions, prices: any Prices) {
        self.sessions = sessions
        self.prices = prices
    }
}

/// Registers a service of each lifetime.
struct ShopServices: Module {
    func register(in registrar: Registrar) {
        registrar.register((any Sessions).self, lifetime: .singleton, by: StoredSessions.init)
        registrar.register((any Prices).self, lifetime: .singleton, by: ServerPrices.init)
        registrar.register((any Analytics).self, lifetime: .singleton, by: QuietAnalytics.init)
        registrar.register((any Downloads).self, lifetime: .weak, by: SharedDownloads.init)
        registrar.register((any Checkout).self, lifetime: .transient, by: TwoStepCheckout.init)
    }
}
