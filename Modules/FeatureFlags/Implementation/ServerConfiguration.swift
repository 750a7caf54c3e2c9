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
    /// The server's text, and whether its rules are followed.
    private struct Kept: Codable, Hashable, Sendable {
        let json: Data
        /// Whether no rule is followed, because one led in a circle.
        var hasCycle = false

        static let key = Storage.Key<Kept>("feature-flags/configuration")
    }

    private(set) var current = Configuration()
    @ObservationIgnored private var kept: Kept?
    /// The last answer, also one that is ignored.
    @ObservationIgnored private var answer: Data?
    /// Why the last answer, or a part of it, is ignored, in words for the user.
    @ObservationIgnored private var refusal: String?
    @ObservationIgnored private var announcedRefusal: String?
    @ObservationIgnored private var isFetching = false
    /// Whether a fetch is about to begin in the background.
    @ObservationIgnored private var isRefreshing = false
    /// Whether a fetch was asked for while one was under way, whose answer may be from before.
    @ObservationIgnored private var isOutdated = false
    @ObservationIgnored private var lastFetch: ContinuousClock.Instant?
    /// The age after which a navigation has the configuration fetched again.
    @ObservationIgnored var maximumAge = Duration.seconds(10)
    private let client: Deferred<any HTTP.Client>
    private let stores: any Storage.Stores
    private let flags: [any FeatureFlags.AnyFlag]
    private let overrides: [FeatureFlags.Override]
    private let exemptRoutes: [FeatureFlags.ExemptRoute]
    private let routes: any RouteCatalog
    private let router: any Router

    /// The name of the store of the whole program, which no user can have.
    private static let storeName = ""

    init(
        client: Deferred<any HTTP.Client>, stores: any Storage.Stores, flags: [any FeatureFlags.AnyFlag],
        overrides: [FeatureFlags.Override], exemptRoutes: [FeatureFlags.ExemptRoute],
        routes: any RouteCatalog, router: any Router
    ) {
        self.client = client
        self.stores = stores
        self.flags = flags
        self.overrides = overrides
        self.exemptRoutes = exemptRoutes
        self.routes = routes
        self.router = router
    }

    /// Takes over the configuration that was kept; nothing is asked of the server.
    func readKept() async {
        // What cannot be read is fetched again.
        guard let store = try? await stores.store(of: Self.storeName),
            let kept = try? await store.value(for: Kept.key)
        else { return }
        do {
            current = try read(kept)
            self.kept = kept
            refusal = current.refusal
        } catch {
            refusal = errorMessage(of: error)
        }
    }

    subscript<Value>(flag: FeatureFlags.Flag<Value>) -> Value {
        overrides.last { $0.name == flag.name }?.values.lazy.compactMap { $0 as? Value }.first
            ?? current.flags[flag.name]?.content as? Value ?? flag.defaultValue
    }

    /// Has the configuration fetched in the background, if the last fetch was long ago.
    func refresh() {
        guard !isFetching, !isRefreshing, let lastFetch, lastFetch.duration(to: .now) > maximumAge else {
            return
        }
        // Several routes may be opened before the fetch begins.
        isRefreshing = true
        Task {
            await router.broadcast(FeatureFlags.Outdated())
            isRefreshing = false
        }
    }

    /// Fetches the configuration, and keeps it where it has changed; a fetch under way is repeated instead.
    ///
    /// - Throws: The error of the server or the connection, after which the present configuration stays, or the parts of
    ///   the new one that are ignored.
    func fetch() async throws {
        guard !isFetching else {
            isOutdated = true
            return
        }
        isFetching = true
        defer { isFetching = false }
        var result: Result<Void, any Error>
        repeat {
            isOutdated = false
            do { result = .success(try await fetchOnce()) } catch { result = .failure(error) }
        } while isOutdated && !Task.isCancelled
        try result.get()
    }

    private func fetchOnce() async throws {
        lastFetch = .now
        // The user does not see what is announced before the first screen, when the kept one is read.
        await announceRefusal()
        let former = current
        let fetched: Kept
        do {
            let json = try await response().body
            if json == answer { return }
            answer = json
            fetched = Kept(json: json, hasCycle: json == kept?.json && kept?.hasCycle == true)
            current = try read(fetched)
        } catch let error as Message {
            refusal = error.errorDescription
            await announceRefusal()
            throw error
        }
        (kept, refusal) = (fetched, current.refusal)
        var problems = current.problems
        do { try await keep() } catch { problems.append(errorMessage(of: error)) }
        let changes = current.changes(from: former).filter { name in !overrides.contains { $0.name == name } }
        if !changes.isEmpty { await router.broadcast(FeatureFlags.Changed(names: changes)) }
        await announceRefusal()
        guard !problems.isEmpty else { return }
        let more = problems.count > 5 ? " And \(problems.count - 5) more." : ""
        throw Message(
            "Ignored in the server's configuration: \(problems.prefix(5).joined(separator: " "))\(more)")
    }

    /// Follows no rule of the present configuration any more, if one of its redirects is a part of a cycle.
    func refuseRules(leadingTo cycle: RedirectCycle) async throws {
        let steps = zip(cycle.path, cycle.path.dropFirst())
        guard let (route, _) = steps.first(where: current.redirects) else { return }
        let reason =
            "The server's rules are ignored until it sends others: that for '\(route.identifier)' leads in a circle."
        kept?.hasCycle = true
        current.refuseRules(because: reason)
        refusal = reason
        await announceRefusal()
        try await keep()
    }

    private func response() async throws -> HTTP.Response {
        do {
            return try await client.value.send(HTTP.Request(.get, ["configuration"]))
        } catch HTTP.Failure.tooLarge(let limit) {
            throw Configuration.tooLarge(limit: limit)
        }
    }

    /// Announces why the server's decisions are ignored: once, and not again with each fetch of the same text.
    private func announceRefusal() async {
        guard refusal != announcedRefusal else { return }
        announcedRefusal = refusal
        if let refusal { await router.broadcast(FeatureFlags.Refused(reason: refusal)) }
    }

    private func read(_ kept: Kept) throws -> Configuration {
        var configuration = try Configuration(
            kept.json, flags: flags, exemptRoutes: exemptRoutes, routes: routes)
        if kept.hasCycle { configuration.refuseRules(because: nil) }
        return configuration
    }

    /// Keeps the last configuration; where it is kept already, the file is written again.
    private func keep() async throws {
        let store = try await stores.store(of: Self.storeName)
        // Of two calls at once, the last one keeps what is newest.
        if let kept { try await store.set(kept, for: Kept.key) }
    }
}
