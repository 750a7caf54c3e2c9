import FeatureFlagsInterface
import FeatureFlagsTesting
import Foundation
import HTTPClientInterface
import HTTPClientTesting
import Observation
import RouterServiceInterface
import RouterServiceTesting
import StorageInterface
import StorageTesting
import Testing

@testable import FeatureFlagsImplementation

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ServerConfigurationTests {
    private let client = FakeHTTPClient()
    private let stores = FakeStores()
    private let router = RecordingRouter()

    @Test func start_asksNothingOfTheServer_andHasTheDefaults() async {
        let configuration = await opened()
        #expect(!configuration[Shop.discount])
        #expect(configuration[Shop.notice] == "Welcome")
        #expect(client.requests.isEmpty)
    }

    @Test func fetch_changesValues_whichAreObservable() async throws {
        let configuration = await opened()
        try await confirmation { changed in
            _ = withObservationTracking {
                configuration[Shop.discount]
            } onChange: {
                changed()
            }
            try await fetch(#"{"flags": {"shop.discount": true, "shop.notice": false}}"#, by: configuration)
        }
        #expect(configuration[Shop.discount])
        #expect(configuration[Shop.notice] == "Welcome", "a value of another type")
        try await fetch("{}", by: configuration)
        #expect(!configuration[Shop.discount])
    }

    @Test func nextStart_hasTheLastConfiguration() async throws {
        let rule = #"{"route": "shop.basket", "reject": "No."}"#
        try await fetch(#"{"flags": {"shop.discount": true}, "rules": [\#(rule)]}"#, by: opened())
        let configuration = await opened()
        #expect(configuration[Shop.discount])
        #expect(configuration.current.rules["shop.basket"]?.text == "No.")
    }

    @Test func failure_leavesTheValues() async throws {
        let configuration = await opened()
        try await fetch(#"{"flags": {"shop.discount": true}}"#, by: configuration)
        client.fail(.get, "configuration", with: .unreachable(reason: "refused"))
        await #expect(throws: HTTP.Failure.self) { try await configuration.fetch() }
        await #expect(throws: HTTP.Failure.self) { try await fetch("[]", by: configuration) }
        #expect(configuration[Shop.discount])
        #expect(await opened()[Shop.discount])
    }

    @Test func ignoredParts_areReported_andTheRestHasEffect() async {
        let configuration = await opened()
        let error = await #expect(throws: IgnoredParts.self) {
            try await fetch(#"{"flags": {"shop.discount": true, "x": 1}, "rules": [7]}"#, by: configuration)
        }
        for place in ["'flags.x'", "'rules[0]'"] {
            #expect(error?.errorDescription?.contains("The server's response is not a ") == true)
            #expect(error?.errorDescription?.contains(": at \(place), ") == true)
        }
        #expect(configuration[Shop.discount])
    }

    @Test func storeThatFails_isReported_andTheValuesHaveEffect() async {
        stores[""].failure = .unusable(path: "user-", reason: "another program uses it")
        let configuration = await opened()
        let error = await #expect(throws: (any Error).self) {
            try await fetch(#"{"flags": {"shop.discount": true}}"#, by: configuration)
        }
        #expect(error?.localizedDescription.contains("another program uses it") == true)
        #expect(configuration[Shop.discount])
    }

    @Test(arguments: [(Duration.seconds(60), 0), (.zero, 1)])
    func navigation_hasAnOldConfigurationFetched(maximumAge: Duration, fetches: Int) async throws {
        // The last one, which is old, announces it after whatever the first does.
        let last = RecordingRouter()
        for (router, maximumAge) in [(router, maximumAge), (last, .zero)] {
            let configuration = await opened(router: router)
            let request = RouteRequest(Shop.Offers(), router: router)
            configuration.maximumAge = .zero
            _ = ServerRules(configuration: configuration).intercept(request)
            try await fetch("{}", by: configuration)
            configuration.maximumAge = maximumAge
            _ = ServerRules(configuration: configuration).intercept(request)
            configuration.maximumAge = .seconds(60)
            for _ in 1...3 { _ = ServerRules(configuration: configuration).intercept(request) }
        }
        while last.events.isEmpty, !Task.isCancelled { await Task.yield() }
        #expect(router.events.count == fetches)
        #expect(router.events.allSatisfy { $0 is FeatureFlags.Outdated })
    }

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
        let configuration = await opened()
        try await fetch(
            #"""
            {"rules": [
                {"route": "shop.offers", "redirect": "shop.product|{\"id\":1}"},
                {"route": "shop.basket", "reject": "Come back at 14:00."}
            ]}
            """#, by: configuration)
        let request = RouteRequest(route.route, as: style, router: router)
        #expect(ServerRules(configuration: configuration).intercept(request).text == decision)
    }

    @Test func module_asksTheRulesAboutEachRoute_andFetchesWhenValuesMayBeOutdated() {
        let module = RecordedModules(FeatureFlagsModule())
        #expect(module.interceptors.map(\.description) == ["ServerRules"])
        #expect(module.events == [TypeKey(FeatureFlags.Outdated.self)])
    }

    @Test func fakeFlag_hasItsDefault_untilATestSetsIt() throws {
        let values = try RecordedModules(FakeFeatureFlagsModule()).resolve((any FeatureFlags.Values).self)
        let flags = try #require(values as? FakeFlags)
        #expect(!flags[Shop.discount])
        flags[Shop.discount] = true
        #expect(flags[Shop.discount])
        #expect(flags[Shop.notice] == "Welcome")
    }

    private func fetch(_ json: String, by configuration: ServerConfiguration) async throws {
        client.respond(.get, "configuration", json: json)
        try await configuration.fetch()
    }

    private func opened(router: RecordingRouter? = nil) async -> ServerConfiguration {
        let configuration = ServerConfiguration(
            client: Deferred { client }, stores: stores, routes: Shop.routes, router: router ?? self.router)
        await configuration.readKept()
        return configuration
    }
}
