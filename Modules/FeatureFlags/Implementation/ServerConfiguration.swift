import FeatureFlagsInterface
import Foundation
import HTTPClientInterface
import Observation
import RouterServiceInterface
import StorageInterface

/// Fetches the configuration with `GET /configuration`, and keeps it for the next start.
@Observable
@MainActor
final class ServerConfiguration: FeatureFlags.Values {
    private(set) var current = Configuration()
    /// The server's text of the current configuration.
    @ObservationIgnored private var text: Data?
    @ObservationIgnored private var lastFetch: ContinuousClock.Instant?
    /// The age after which opening a route has the configuration fetched again.
    @ObservationIgnored var maximumAge = Duration.seconds(10)
    private let client: Deferred<any HTTP.Client>
    private let stores: any Storage.Stores
    private let routes: any RouteCatalog
    private let router: any Router

    /// The name of the store of the whole program, which no user can have.
    private static let storeName = ""
    private static let key = Storage.Key<Data>("feature-flags/configuration")

    init(
        client: Deferred<any HTTP.Client>, stores: any Storage.Stores, routes: any RouteCatalog,
        router: any Router
    ) {
        self.client = client
        self.stores = stores
        self.routes = routes
        self.router = router
    }

    /// Reads the configuration that was kept, without asking the server.
    func readKept() async {
        // A configuration that cannot be read is fetched again.
        guard let store = try? await stores.store(of: Self.storeName),
            let kept = try? await store.value(for: Self.key),
            let configuration = try? Configuration(kept, routes: routes)
        else { return }
        current = configuration
        text = kept
    }

    subscript<Value>(flag: FeatureFlags.Flag<Value>) -> Value {
        current.flags[flag.name]?.content as? Value ?? flag.defaultValue
    }

    /// Has the configuration fetched in the background, if the last fetch was long ago.
    func refresh() {
        guard let lastFetch, lastFetch.duration(to: .now) > maximumAge else { return }
        // Several routes may be opened before the fetch begins.
        self.lastFetch = .now
        Task { await router.broadcast(FeatureFlags.Outdated()) }
    }

    /// Fetches the configuration, and keeps it where it has changed.
    ///
    /// - Throws: The error of the server, the connection or the store, or the parts of the configuration that are ignored.
    func fetch() async throws {
        lastFetch = .now
        let fetched = try await client.value.send(HTTP.Request(.get, ["configuration"])).body
        guard fetched != text else { return }
        current = try Configuration(fetched, routes: routes)
        try await stores.store(of: Self.storeName).set(fetched, for: Self.key)
        text = fetched
        if !current.problems.isEmpty { throw IgnoredParts(problems: current.problems) }
    }
}

/// The reasons why parts of a configuration are ignored.
struct IgnoredParts: LocalizedError {
    let problems: [String]

    var errorDescription: String? { problems.joined(separator: " ") }
}
