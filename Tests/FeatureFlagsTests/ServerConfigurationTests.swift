import FeatureFlagsInterface
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
struct ServerConfigurationTests {
    private let client = FakeHTTPClient()
    private let stores = FakeStores()
    private let router = RecordingRouter()

    @Test func start_asksNothingOfTheServer_andHasTheDefaults() async {
        let configuration = await opened()
        #expect(!configuration[Shop.discount] && configuration[Shop.notice] == "Welcome")
        #expect(client.requests.isEmpty)
    }

    @Test func fetch_changesValues_andAnnouncesThem() async throws {
        let configuration = await opened()
        client.answer(.get, "configuration", json: #"{"flags": {"shop.discount": true}}"#)
        try await configuration.fetch()
        #expect(configuration[Shop.discount])
        #expect(router.events.compactMap { $0 as? FeatureFlags.Changed }.map(\.names) == [["shop.discount"]])
        client.answer(.get, "configuration", json: "{}")
        try await configuration.fetch()
        #expect(!configuration[Shop.discount] && router.events.count == 2)
        client.answer(.get, "configuration", json: #"{"flags": {}}"#)
        try await configuration.fetch()
        #expect(router.events.count == 2)
    }

    @Test func values_areObservable() async throws {
        let configuration = await opened()
        client.answer(.get, "configuration", json: #"{"flags": {"shop.notice": "Sale"}}"#)
        try await confirmation { changed in
            _ = withObservationTracking {
                configuration[Shop.notice]
            } onChange: {
                changed()
            }
            try await configuration.fetch()
        }
    }

    @Test func nextStart_hasTheLastValues_andFetchesOnlyWhatChanged() async throws {
        client.answer(.get, "configuration", json: #"{"flags": {"shop.discount": true}}"#, version: "7")
        try await opened().fetch()
        let configuration = await opened()
        #expect(configuration[Shop.discount])
        client.answer(.get, "configuration", status: 304)
        try await configuration.fetch()
        #expect(client.requests.last?.condition == .changed(since: "7"))
        #expect(configuration[Shop.discount] && router.events.count == 1)
    }

    @Test func failure_leavesTheValues() async throws {
        let configuration = await opened()
        client.answer(.get, "configuration", json: #"{"flags": {"shop.discount": true}}"#)
        try await configuration.fetch()
        client.fail(.get, "configuration", with: .unreachable(reason: "refused"))
        await #expect(throws: HTTP.Failure.self) { try await configuration.fetch() }
        client.answer(.get, "configuration", json: "[]")
        await #expect(throws: DecodingError.self) { try await configuration.fetch() }
        #expect(configuration[Shop.discount])
        #expect(await opened()[Shop.discount])
    }

    @Test func ignoredParts_areReported_andTheRestHasEffect() async {
        let configuration = await opened()
        client.answer(
            .get, "configuration", json: #"{"flags": {"shop.discount": true, "x": 1}, "rules": [7]}"#)
        let error = await #expect(throws: (any Error).self) { try await configuration.fetch() }
        #expect(
            error?.localizedDescription.hasPrefix(
                "Ignored in the server's configuration: The flag 'x' is unknown. Rule 1: ") == true)
        #expect(configuration[Shop.discount])
    }

    @Test func storeThatFails_isReported_andTheValuesHaveEffect() async {
        stores.failure = .inUse(path: "log")
        let configuration = await opened()
        client.answer(.get, "configuration", json: #"{"flags": {"shop.discount": true}}"#)
        let error = await #expect(throws: (any Error).self) { try await configuration.fetch() }
        #expect(error?.localizedDescription.contains("is used by another program") == true)
        #expect(configuration[Shop.discount])
    }

    @Test(arguments: [(Duration.seconds(60), 0), (.zero, 1)])
    func navigation_hasAnOldConfigurationFetched(longestAge: Duration, fetches: Int) async throws {
        let configuration = await opened()
        configuration.longestAge = longestAge
        let request = RouteRequest(Shop.Offers(), router: router)
        _ = ServerRules(configuration: configuration).intercept(request)
        client.answer(.get, "configuration", json: "{}")
        try await configuration.fetch()
        _ = ServerRules(configuration: configuration).intercept(request)
        for _ in 1...10 { await Task.yield() }
        #expect(router.events.count == fetches && router.events.allSatisfy { $0 is FeatureFlags.Outdated })
    }

    @Test func secondFetch_whileOneIsUnderWay_isLeftOut() async throws {
        let configuration = await opened()
        client.hang(.get, "configuration")
        let first = Task { try await configuration.fetch() }
        while client.requests.isEmpty { await Task.yield() }
        try await configuration.fetch()
        #expect(client.requests.count == 1)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
    }

    private func opened() async -> ServerConfiguration {
        let configuration = ServerConfiguration(
            client: Deferred { client }, stores: stores, declarations: Shop.declarations, routes: Shop.routes,
            router: router)
        await configuration.readKept()
        return configuration
    }
}
