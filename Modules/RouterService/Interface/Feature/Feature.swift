/// Builds the screen for one type of route; created each time the route is opened.
@MainActor
public protocol Feature<Destination> {
    associatedtype Destination: Route

    /// Builds the screen of a route, which navigates through the context; an error reaches the caller that opened the route.
    func build(_ route: Destination, in context: any RouteContext<Destination>) throws -> any Screen

    /// Whether the feature is available for a route; otherwise, the route's fallback is opened (``RouteOption/fallback(_:)``),
    /// or the caller receives ``RouterError/Rejection/disabled``.
    func isEnabled(for route: Destination) -> Bool
}

extension Feature {
    public func isEnabled(for route: Destination) -> Bool { true }
}

/// Fulfils one type of route without a screen, such as signing out; created each time the route is opened.
@MainActor
public protocol Action<Destination> {
    associatedtype Destination: Route

    func perform(_ route: Destination) async throws -> Destination.Output
}
