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

    @Test func fetch_changesValues_andAnnouncesThem() async throws {
        let configuration = await opened()
        client.answer(.get, "configuration", json: #"{"flags": {"shop.discount": true}}"#)
        try await configuration.fetch()
        #expect(configuration[Shop.discount])
        #expect(router.events.compactMap { $0 as? FeatureFlags.Changed }.map(\.names) == [["shop.discount"]])
        client.answer(.get, "configuration", json: "{}")
        try await configuration.fetch()
        #expect(!configuration[Shop.discount])
        #expect(router.events.count == 2)
        client.answer(.get, "configuration", json: #"{"flags": {}}"#)
        try await configuration.fetch()
        #expect(router.events.count == 2)
    }

    @Test func override_standsForTheFlag_whateverTheServerDecides() async throws {
        let configuration = await opened(overrides: [
            .init(name: "shop.discount", text: "true"), .init(name: "shop.notice", text: "First"),
            .init(name: "shop.notice", text: "true"),
        ])
        #expect(configuration[Shop.discount])
        #expect(configuration[Shop.notice] == "true")
        client.answer(
            .get, "configuration", json: #"{"flags": {"shop.discount": false, "shop.notice": "Sale"}}"#)
        try await configuration.fetch()
        #expect(configuration[Shop.discount])
        #expect(configuration[Shop.notice] == "true")
        #expect(!router.events.contains { $0 is FeatureFlags.Changed })
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

    @Test func nextStart_hasTheLastValues_andAnnouncesOnlyWhatChanged() async throws {
        client.answer(.get, "configuration", json: #"{"flags": {"shop.discount": true}}"#)
        try await opened().fetch()
        let configuration = await opened()
        #expect(configuration[Shop.discount])
        client.answer(.get, "configuration", json: #"{"flags": {"shop.discount": true}}"#)
        try await configuration.fetch()
        #expect(configuration[Shop.discount])
        #expect(router.events.count == 1)
    }

    @Test func failure_leavesTheValues() async throws {
        let configuration = await opened()
        client.answer(.get, "configuration", json: #"{"flags": {"shop.discount": true}}"#)
        try await configuration.fetch()
        client.fail(.get, "configuration", with: .unreachable(reason: "refused"))
        await #expect(throws: HTTP.Failure.self) { try await configuration.fetch() }
        client.answer(.get, "configuration", json: "[]")
        await #expect(throws: Message.self) { try await configuration.fetch() }
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
        stores.failure = .inUse(path: "user-")
        let configuration = await opened()
        client.answer(.get, "configuration", json: #"{"flags": {"shop.discount": true}}"#)
        let error = await #expect(throws: (any Error).self) { try await configuration.fetch() }
        #expect(error?.localizedDescription.contains("is used by another program") == true)
        #expect(configuration[Shop.discount])
    }

    @Test(arguments: [(Duration.seconds(60), 0), (.zero, 1)])
    func navigation_hasAnOldConfigurationFetched(maximumAge: Duration, fetches: Int) async throws {
        // The last one, which is old, announces it after whatever the first does.
        let last = RecordingRouter()
        for (router, maximumAge) in [(router, maximumAge), (last, .zero)] {
            let configuration = await opened(router: router)
            configuration.maximumAge = maximumAge
            let request = RouteRequest(Shop.Offers(), router: router)
            _ = ServerRules(configuration: configuration).intercept(request)
            client.answer(.get, "configuration", json: "{}")
            try await configuration.fetch()
            for _ in 1...3 { _ = ServerRules(configuration: configuration).intercept(request) }
        }
        while last.events.isEmpty, !Task.isCancelled { await Task.yield() }
        #expect(router.events.count == fetches)
        #expect(router.events.allSatisfy { $0 is FeatureFlags.Outdated })
    }

    /// The answer to the first may be from before whatever the second was asked for.
    @Test func secondFetch_whileOneIsUnderWay_repeatsIt() async throws {
        let configuration = await opened()
        client.hang(.get, "configuration", seconds: 0.05)
        client.answer(.get, "configuration", json: #"{"flags": {"shop.discount": true}}"#)
        let first = Task { try await configuration.fetch() }
        while client.requests.isEmpty { await Task.yield() }
        for _ in 1...3 { try await configuration.fetch() }
        #expect(client.requests.count == 1)
        try await first.value
        #expect(client.requests.count == 2)
        #expect(configuration.current.flags["shop.discount"] == .bool(true))
    }

    /// What is between the two routes is unknown here: the rule itself leads in no circle.
    @Test func rules_areNoLongerFollowed_whenOneIsAPartOfALoop() async throws {
        client.answer(.get, "configuration", json: Self.redirect)
        let configuration = await opened()
        try await configuration.fetch()
        let elsewhere = RedirectCycle(path: [
            AnyRoute(Shop.Offers()), AnyRoute(Shop.Product(id: 1)), AnyRoute(Shop.Offers()),
        ])
        try await configuration.refuseRules(leadingTo: elsewhere)
        #expect(configuration.current.rules.count == 1)
        #expect(refusals.isEmpty)
        try await configuration.refuseRules(leadingTo: Self.cycle)
        try await configuration.refuseRules(leadingTo: Self.cycle)
        #expect(configuration.current.rules.isEmpty)
        #expect(configuration[Shop.discount])
        #expect(
            refusals == [
                "The server's rules are ignored until it sends others: that for 'shop.offers' leads in a circle."
            ])
    }

    @Test func rulesOfALoop_comeBackWithOthersOnly() async throws {
        client.answer(.get, "configuration", json: Self.redirect)
        let configuration = await opened()
        try await configuration.fetch()
        try await configuration.refuseRules(leadingTo: Self.cycle)
        let next = await opened()
        #expect(next.current.rules.isEmpty)
        #expect(next[Shop.discount])
        client.answer(.get, "configuration", json: Self.redirect)
        try await next.fetch()
        #expect(next.current.rules.isEmpty)
        #expect(await opened().current.rules.isEmpty)
        #expect(refusals.count == 1)
        client.answer(.get, "configuration", json: Self.redirect + " ")
        try await next.fetch()
        #expect(next.current.rules.count == 1)
        #expect(await opened().current.rules.count == 1)
    }

    @Test func configurationThatIsRefused_isAnnouncedOnce_andTheNextOneAgain() async throws {
        let configuration = await opened()
        for _ in 1...3 {
            client.fail(.get, "configuration", with: .tooLarge(limit: 1 << 20))
            await #expect(throws: Message.self) { try await configuration.fetch() }
        }
        #expect(refusals == ["The server's configuration is ignored: it has more than 1048576 bytes."])
        for _ in 1...3 {
            client.answer(.get, "configuration", json: "[]")
            try? await configuration.fetch()
        }
        #expect(refusals.count == 2)
        client.fail(.get, "configuration", with: .unreachable(reason: "refused"))
        await #expect(throws: HTTP.Failure.self) { try await configuration.fetch() }
        #expect(refusals.count == 2)
        client.answer(.get, "configuration", json: "{}")
        try await configuration.fetch()
        client.answer(.get, "configuration", json: "[]")
        await #expect(throws: Message.self) { try await configuration.fetch() }
        #expect(refusals.count == 3)
    }

    @Test(arguments: [
        String(repeating: " ", count: 64 << 10) + "{}", #"{"rules": [\#(rules(count: 101))]}"#,
        #"{"rules": [{"route": "shop.offers", "redirect": "shop.offers|{}"}]}"#, "[",
    ])
    func keptConfigurationThatIsRefused_isAnnouncedWithTheFirstFetch_once(json: String) async throws {
        try await keep(json)
        let configuration = await opened()
        #expect(configuration.current.rules.isEmpty)
        #expect(refusals.isEmpty)
        client.hang(.get, "configuration")
        let fetch = Task { try await configuration.fetch() }
        while client.requests.isEmpty { await Task.yield() }
        #expect(refusals.count == 1)
        fetch.cancel()
        await #expect(throws: CancellationError.self) { try await fetch.value }
        client.answer(.get, "configuration", json: json)
        await #expect(throws: Message.self) { try await configuration.fetch() }
        #expect(refusals.count == 1)
    }

    /// A rule of which nothing shows that it leads back, and a flag.
    private static let redirect = #"""
        {"flags": {"shop.discount": true}, "rules": [{"route": "shop.offers", "redirect": "shop.basket|{}"}]}
        """#
    private static let cycle = RedirectCycle(path: [
        AnyRoute(Shop.Offers()), AnyRoute(Shop.Basket()), AnyRoute(Shop.Offers()),
    ])

    private var refusals: [String] { router.events.compactMap { ($0 as? FeatureFlags.Refused)?.reason } }

    /// Keeps a configuration as the program does.
    private func keep(_ json: String) async throws {
        struct Kept: Codable {
            let json: Data
            var hasCycle = false
        }
        let key = Storage.Key<Kept>("feature-flags/configuration")
        try await stores[""].set(Kept(json: Data(json.utf8)), for: key)
    }

    private func opened(
        overrides: [FeatureFlags.Override] = [], router: RecordingRouter? = nil
    ) async -> ServerConfiguration {
        let configuration = ServerConfiguration(
            client: Deferred { client }, stores: stores, flags: Shop.flags, overrides: overrides,
            exemptRoutes: Shop.exemptRoutes,
            routes: Shop.routes,
            router: router ?? self.router)
        await configuration.readKept()
        return configuration
    }
}
