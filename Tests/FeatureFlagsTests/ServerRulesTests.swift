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

    @Test func redirect_leadsToTheOtherRoute() async throws {
        guard case .redirect(let route) = try await decision(about: Shop.Offers()) else {
            Issue.record("The route was not redirected.")
            return
        }
        #expect(AnyRoute(route) == AnyRoute(Shop.Product(id: 1)))
    }

    @Test func reject_reportsTheServersWords() async throws {
        guard case .reject(let error) = try await decision(about: Shop.Basket()) else {
            Issue.record("The route was not rejected.")
            return
        }
        #expect(error.localizedDescription == "Come back at 14:00.")
    }

    @Test func routeWithoutARule_proceeds() async throws {
        guard case .proceed = try await decision(about: Shop.Product(id: 2)) else {
            Issue.record("There is no rule for this route.")
            return
        }
    }

    @Test func firstScreen_isUnderNoRule() async throws {
        guard case .proceed = try await decision(about: Shop.Basket(), as: .root) else {
            Issue.record("The App could not start.")
            return
        }
    }

    private func decision(
        about route: some Route, as style: PresentationStyle = .push
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
