import GreetingInterface
public import RouterServiceInterface
import UIKit
import UIKitDisplayInterface

/// Registers the screen of `Greeting.Card` for UIKit.
public struct GreetingUIKitModule: Module {
    public init() {}

    /// Registers the feature for `Greeting.Card`.
    public func register(in registrar: Registrar) {
        registrar.route(Greeting.Card.self, .url("app://greeting/:name"), by: CardFeature.init)
    }
}

/// Builds the screen for `Greeting.Card`.
struct CardFeature: Feature {
    let phrases: any Greeting.Phrases

    func build(_ route: Greeting.Card, in context: any RouteContext<Greeting.Card>) -> any Screen {
        let controller = CardController()
        controller.title = phrases.phrase(for: route.name)
        controller.greetAgain = { try await context.open(route, as: .modal) }
        return UIKitDisplay.ControllerScreen(controller)
    }
}
