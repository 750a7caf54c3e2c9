import RouterServiceInterface

/// What the router knows of one registered route.
public struct RegisteredRoute: Hashable, Sendable, Encodable {
    /// How a route is fulfilled.
    public enum Kind: String, Hashable, Sendable, Encodable {
        /// A feature builds a screen.
        case screen
        /// An action does it without a screen.
        case action
        /// Another module's route does.
        case adapter
    }

    /// The name under which the route travels in links.
    public let identifier: String
    /// The route's type, without its Swift module.
    public let route: String
    /// The type of the module entry that registered the handler.
    public let module: String
    /// How the route is fulfilled.
    public let kind: Kind
    /// The patterns of URLs that open the route.
    public let urls: [String]
    /// The identifiers of older versions.
    public let aliases: [String]
    /// What to use instead; nil unless the route is deprecated.
    public let deprecation: String?

    /// Creates an entry; routers do, and tests of what shows entries.
    public init(
        identifier: String, route: String, module: String, kind: Kind, urls: [String], aliases: [String],
        deprecation: String?
    ) {
        self.identifier = identifier
        self.route = route
        self.module = module
        self.kind = kind
        self.urls = urls
        self.aliases = aliases
        self.deprecation = deprecation
    }
}

extension RouterService {
    /// The registered routes, by identifier.
    public var routes: [RegisteredRoute] {
        registry.handlers
            .map {
                RegisteredRoute(
                    identifier: $0.routeType.identifier, route: "\(TypeName($0.routeType))",
                    module: "\($0.registration.module)", kind: $0.kind, urls: $0.urls.map(\.description),
                    aliases: $0.aliases, deprecation: $0.deprecation)
            }
            .sorted { $0.identifier < $1.identifier }
    }

    /// How many services are registered, the router's own among them.
    public var serviceCount: Int { registry.services.all.count }
}
