import Foundation
import HTTPClientInterface
import HTTPClientTesting
import RouterServiceInterface
import RouterServiceTesting
import StorageTesting
import Testing

@testable import FeatureFlagsImplementation

@MainActor
struct ServerRulesTests {
    private let rules = #"""
        {"rules": [
            {"route": "shop.offers", "redirect": "shop.product|{\"id\":1}"},
            {"route": "shop.basket", "reject": "Come back at 14:00."}
        ]}
        """#

    @Test(
        arguments: [
            (AnyRoute(Shop.Offers()), .push, #"shop.product|{"id":1}"#),
            (AnyRoute(Shop.Basket()), .push, "Come back at 14:00."),
            (AnyRoute(Shop.Product(id: 2)), .push, nil),
            // The App has to start.
            (AnyRoute(Shop.Basket()), .root, nil),
        ] as [(AnyRoute, PresentationStyle, String?)])
    func rule_decidesAboutItsRoute_butForAFirstScreen(
        route: AnyRoute, style: PresentationStyle, decision: String?
    ) async throws {
        #expect(try await self.decision(about: route.route, as: style).text == decision)
    }

    private func decision(
        about route: any Route, as style: PresentationStyle
    ) async throws -> Interception {
        let client = FakeHTTPClient()
        client.answer(.get, "configuration", json: rules)
        let configuration = ServerConfiguration(
            client: Deferred { client }, stores: FakeStores(), flags: Shop.flags, overrides: [],
            exemptRoutes: Shop.exemptRoutes,
            routes: Shop.routes, router: RecordingRouter())
        try await configuration.fetch()
        return ServerRules(configuration: configuration)
            .intercept(RouteRequest(route, as: style, router: RecordingRouter()))
    }
}
