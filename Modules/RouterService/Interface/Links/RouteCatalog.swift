/// Which identifier and which URLs stand for which type of route; what reads links.
///
/// ```swift
/// let catalog = RouteCatalog([
///     .init(Profile.Overview.self, aliases: ["profile"], urls: ["app://profile/:user?tab"]),
///     .init(Login.SignIn.self),
/// ])
/// ```
///
/// The router registers its own catalog as a service of type `RouteCatalog`.
public struct RouteCatalog: Sendable {
    /// One type of route and the ways in which links name it.
    public struct Entry: Sendable {
        /// The type of route.
        public let type: any Route.Type
        /// Further identifiers, under which links of older versions still open; they are read, never written.
        public let aliases: [String]
        /// The URLs that open the route; the first one that can carry a route's values is the one it is written as.
        public let urls: [URLPattern]

        /// Describes a type of route by its own identifier and, where there are any, by aliases and URLs.
        public init(_ type: any Route.Type, aliases: [String] = [], urls: [URLPattern] = []) {
            self.type = type
            self.aliases = aliases
            self.urls = urls
        }
    }

    let index: CatalogIndex

    /// Creates a catalog.
    ///
    /// The first of two entries with one identifier counts. An identifier comes before an alias, an earlier alias and
    /// an earlier URL pattern before a later one; ``problems`` lists such conflicts.
    public init(_ entries: [Entry]) {
        index = CatalogIndex(entries)
    }

    /// Creates a catalog of routes without aliases and URLs, in which the first of two types with one identifier
    /// counts.
    public init(_ types: [any Route.Type]) {
        self.init(types.map { Entry($0) })
    }

    /// What is wrong with the aliases and URL patterns, in the order of the entries.
    ///
    /// These are invalid aliases, aliases that another route has as its identifier or alias, malformed patterns, and
    /// patterns that match the same URLs. The catalog works without them. Identifiers are the router's to check.
    public var problems: [RouterError] { index.problems }
}
