/// Builds the screen for one type of route.
///
/// A feature is registered with its memberwise initialiser, whose parameters are its needs. The router creates a
/// new feature each time its route is opened.
@MainActor
public protocol Feature<Destination> {
    /// The route that this feature builds the screen for.
    associatedtype Destination: Route

    /// Builds the screen.
    ///
    /// - Parameters:
    ///   - route: Where the person goes, with the values that the caller chose.
    ///   - context: What the screen may do later: finish, go back, open other routes.
    /// - Returns: The screen, not yet shown.
    /// - Throws: Any error; nothing is shown then, and whoever opened the route receives the error.
    func build(_ route: Destination, in context: RouteContext<Destination>) throws -> any Screen

    /// Whether the feature is available for a route; asked on every way in.
    ///
    /// Where it is not, the route's fallback is opened in its place (``RouteOption/fallback(_:)``), or the caller
    /// receives ``RouterError/disabled(route:)``. A feature without this method is always available.
    func isEnabled(for route: Destination) -> Bool
}

extension Feature {
    /// True: a feature is available unless it says otherwise.
    public func isEnabled(for route: Destination) -> Bool { true }
}
