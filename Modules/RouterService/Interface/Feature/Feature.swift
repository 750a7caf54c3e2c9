/// Builds the screen for one type of route; created each time the route is opened.
@MainActor
public protocol Feature<Destination> {
    associatedtype Destination: Route

    /// Builds the screen of a route, which navigates through the context.
    ///
    /// - Throws: Any error, which the caller that opened the route receives; nothing is shown then.
    func build(_ route: Destination, in context: any RouteContext<Destination>) throws -> any Screen

    /// Whether the feature is available for a route. Where it is not, the route's fallback is opened
    /// (``RouteOption/fallback(_:)``), or the caller receives ``RouterError/Rejection/disabled``.
    func isEnabled(for route: Destination) -> Bool
}

extension Feature {
    public func isEnabled(for route: Destination) -> Bool { true }
}

/// Fulfils one type of route without a screen, such as signing out; created each time the route is opened.
@MainActor
public protocol Action<Destination> {
    associatedtype Destination: Route

    /// Fulfils a route; the caller receives the output or the error.
    func perform(_ route: Destination) async throws -> Destination.Output
}
