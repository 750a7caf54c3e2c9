/// Fulfils one type of route without a screen: signing out, refreshing, answering a question.
///
/// An action is registered and opened like a feature, and passes the same interceptors; callers need not know which
/// of the two fulfils a route. The router creates a new one each time.
@MainActor
public protocol Action<Destination> {
    /// The route that this action fulfils.
    associatedtype Destination: Route

    /// Does what the route asks for.
    ///
    /// - Parameter route: The route, with the values that the caller chose.
    /// - Returns: The output for the caller.
    /// - Throws: Any error, which the caller receives.
    func perform(_ route: Destination) async throws -> Destination.Output

    /// Whether the action is available for a route, as for a ``Feature``.
    func isEnabled(for route: Destination) -> Bool
}

extension Action {
    /// True: an action is available unless it says otherwise.
    public func isEnabled(for route: Destination) -> Bool { true }
}
