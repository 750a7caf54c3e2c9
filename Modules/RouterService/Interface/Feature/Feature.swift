/// Builds the screen for one type of route.
///
/// A feature is registered with its memberwise initialiser, whose parameters are its dependencies. The router creates
/// a new feature each time its route is opened.
@MainActor
public protocol Feature<Destination> {
    /// The type of route.
    associatedtype Destination: Route

    /// Builds the screen of a route, not yet shown; its later actions go through the context.
    ///
    /// - Throws: Any error; nothing is shown then, and the caller that opened the route receives the error.
    func build(_ route: Destination, in context: any RouteContext<Destination>) throws -> any Screen

    /// Whether the feature is available for a route; asked on every way in.
    ///
    /// Where it is not, the route's fallback is opened in its place (``RouteOption/fallback(_:)``), or the caller
    /// receives ``RouterError/disabled(route:)``. A feature without this method is always available.
    func isEnabled(for route: Destination) -> Bool
}

extension Feature {
    /// True: a feature is available unless it declares otherwise.
    public func isEnabled(for route: Destination) -> Bool { true }
}

/// Fulfils one type of route without a screen: signing out, refreshing, answering a question.
///
/// An action is registered and opened like a feature, and passes the same interceptors; callers need not know which
/// of the two fulfils a route. The router creates a new one each time.
@MainActor
public protocol Action<Destination> {
    /// The type of route.
    associatedtype Destination: Route

    /// Fulfils the route, and returns the output for the caller, which receives an error too.
    func perform(_ route: Destination) async throws -> Destination.Output
}
