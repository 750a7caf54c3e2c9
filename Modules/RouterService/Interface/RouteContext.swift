/// What a screen may do after it was built: finish with its output, go back, and open other routes.
///
/// A context belongs to one showing of one screen. Its calls after that screen is gone throw
/// ``RouterError/screenIsGone(route:)`` and change nothing.
@MainActor
public struct RouteContext<Destination: Route> {
    private let navigator: any Navigator
    private let onFinish: @MainActor (Destination.Output) throws -> Void

    /// Creates a context; routers do, and tests of features.
    ///
    /// - Parameters:
    ///   - navigator: Where navigation goes.
    ///   - onFinish: Delivers the output and removes the screen.
    public init(
        navigator: any Navigator, onFinish: @escaping @MainActor (Destination.Output) throws -> Void
    ) {
        self.navigator = navigator
        self.onFinish = onFinish
    }

    /// Delivers the output to the caller that waits for it, if one does, and removes the screen.
    ///
    /// - Throws: ``RouterError/alreadyFinished(route:)`` the second time, and
    ///   ``RouterError/screenIsGone(route:)`` when the person left the screen before.
    public func finish(_ output: Destination.Output) throws {
        try onFinish(output)
    }

    /// Removes the screen without an output; a caller that waits receives a `CancellationError`.
    ///
    /// - Throws: ``RouterError/rootStays(route:)`` for the first screen, which has nothing below it.
    public func dismiss() throws {
        try navigator.dismiss()
    }

    /// Opens a route above this screen and returns when it is shown.
    ///
    /// - Throws: What prevented it, usually a ``RouterError``.
    public func open(_ route: some Route, as style: PresentationStyle = .push) async throws {
        try await navigator.open(route, as: style)
    }

    /// Opens the route that a link stands for above this screen and returns when it is shown.
    ///
    /// - Throws: What prevented it, usually a ``RouterError``.
    public func open(_ link: AnyRoute, as style: PresentationStyle = .push) async throws {
        try await navigator.open(link.route, as: style)
    }

    /// Opens a route above this screen and waits for what it finishes with.
    ///
    /// - Returns: The output, delivered exactly once.
    /// - Throws: `CancellationError` when the screen is left or removed, or when the calling task is cancelled
    ///   (the screen is removed then); otherwise what prevented the opening.
    public func result<R: Route>(of route: R, as style: PresentationStyle = .modal) async throws -> R.Output {
        try await navigator.result(of: route, as: style)
    }
}

extension RouteContext where Destination.Output == Void {
    /// Tells the caller that waits, if one does, that the destination is done, and removes the screen.
    ///
    /// - Throws: ``RouterError/alreadyFinished(route:)`` the second time, and
    ///   ``RouterError/screenIsGone(route:)`` when the person left the screen before.
    public func finish() throws {
        try finish(())
    }
}

/// Opens and removes screens on behalf of one screen; what a ``RouteContext`` is made of.
@MainActor
public protocol Navigator: AnyObject {
    /// Opens a route and returns when it is shown.
    func open<R: Route>(_ route: R, as style: PresentationStyle) async throws

    /// Opens a route and waits for its output, or throws `CancellationError` when it ends without one.
    func result<R: Route>(of route: R, as style: PresentationStyle) async throws -> R.Output

    /// Removes the screen that this navigator belongs to, with all above it.
    func dismiss() throws
}
