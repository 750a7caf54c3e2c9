import FeatureFlagsInterface
import Foundation
import HTTPClientInterface
import Observation
import RouterServiceInterface
import StorageInterface

/// Fetches the configuration with `GET /configuration`, and keeps the last one for the next start.
@Observable
@MainActor
final class ServerConfiguration: FeatureFlags.Values {
    /// The server's text with its version, from which another version of the program may take more.
    private struct Kept: Codable, Hashable, Sendable {
        let version: Identifier?
        let json: Data

        static let key = Storage.Key<Kept>("feature-flags/configuration")
    }

    private(set) var current = Configuration()
    @ObservationIgnored private var kept: Kept?
    @ObservationIgnored private var isFetching = false
    @ObservationIgnored private var lastFetch: ContinuousClock.Instant?
    /// The age after which a navigation has the configuration fetched again.
    @ObservationIgnored var longestAge = Duration.seconds(10)
    private let client: Deferred<any HTTP.Client>
    private let stores: any Storage.Stores
    private let declarations: FeatureFlags.Declarations
    private let routes: any RouteCatalog
    private let router: any Router

    /// The name of the store of the whole program, which no user can have.
    private static let storeName: Identifier = ""

    init(
        client: Deferred<any HTTP.Client>, stores: any Storage.Stores,
        declarations: FeatureFlags.Declarations, routes: any RouteCatalog, router: any Router
    ) {
        (self.client, self.stores, self.declarations) = (client, stores, declarations)
        (self.routes, self.router) = (routes, router)
    }

    /// Takes over the configuration that was kept; nothing is asked of the server.
    func readKept() async {
        // What cannot be read is fetched again.
        guard let values = try? await stores.store(of: Self.storeName).values,
            let kept = try? values.value(for: Kept.key), let read = try? read(kept)
        else { return }
        (self.kept, current) = (kept, read)
    }

    subscript<Value>(flag: FeatureFlags.Flag<Value>) -> Value {
        current.flags[flag.name]?.content as? Value ?? flag.defaultValue
    }

    /// Has the configuration fetched in the background, if the last fetch was long ago.
    func refresh() {
        guard let lastFetch, lastFetch.duration(to: .now) > longestAge else { return }
        Task { await router.broadcast(FeatureFlags.Outdated()) }
    }

    /// Fetches the configuration where it has changed, and keeps it.
    ///
    /// - Throws: The error of the server or the connection, after which the present configuration stays, or the parts of
    ///   the new one that are ignored.
    func fetch() async throws {
        guard !isFetching else { return }
        (isFetching, lastFetch) = (true, .now)
        defer { isFetching = false }
        let condition = kept?.version.map { HTTP.Condition.changed(since: $0) }
        let fetched: Kept
        do {
            let response = try await client.value.send(
                HTTP.Request(.get, "configuration", condition: condition))
            fetched = Kept(version: response.version, json: response.body)
        } catch HTTP.Failure.status(304, _) {
            return
        }
        let former = current
        (current, kept) = (try read(fetched), fetched)
        var problems = current.problems
        do { try await keep(fetched) } catch { problems.append(error.localizedDescription) }
        let changes = current.changes(from: former)
        if !changes.isEmpty { await router.broadcast(FeatureFlags.Changed(names: changes)) }
        guard !problems.isEmpty else { return }
        let more = problems.count > 5 ? " And \(problems.count - 5) more." : ""
        throw Message(
            "Ignored in the server's configuration: \(problems.prefix(5).joined(separator: " "))\(more)")
    }

    private func read(_ kept: Kept) throws -> Configuration {
        try Configuration(kept.json, declarations: declarations, routes: routes)
    }

    private func keep(_ fetched: Kept) async throws {
        try await stores.store(of: Self.storeName).transaction { values in
            if (try? values.value(for: Kept.key)) != fetched { try values.set(fetched, for: Kept.key) }
        }
    }
}
