import RouterServiceInterface

extension RouterService {
    /// What the router knows of one registered route.
    public struct RouteEntry: Hashable, Sendable, Encodable {
        /// The name under which the route travels in links.
        public let identifier: String
        /// The route's type, without its Swift module.
        public let route: String
        /// The type of the module entry that registered the feature.
        public let module: String
    }

    /// The registered routes, by identifier.
    public var routes: [RouteEntry] {
        registry.handlers
            .map {
                RouteEntry(
                    identifier: $0.routeType.identifier,
                    route: "\(TypeName($0.routeType))",
                    module: "\($0.registration.module)")
            }
            .sorted { $0.identifier < $1.identifier }
    }

    /// How many services are registered, the router's own among them.
    public var serviceCount: Int { registry.services.all.count }
}
