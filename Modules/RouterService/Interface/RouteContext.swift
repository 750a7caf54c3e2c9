public import Foundation

/// What a screen may do after it was built: finish with its output, go back, and open other routes.
///
/// A context belongs to one showing of one screen. Its calls after that screen is gone throw
/// ``RouterError/screenDismissed(route:)`` and change nothing.
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
    ///   ``RouterError/screenDismissed(route:)`` when the person left the screen before.
    public func finish(_ output: Destination.Output) throws {
        try onFinish(output)
    }

    /// Removes the screen without an output, with all above it; a caller that waits receives a `CancellationError`.
    ///
    /// - Throws: ``RouterError/cannotDismissRoot(route:)`` for the first screen, which has nothing below it.
    public func dismiss() throws {
        try navigator.dismiss()
    }

    /// Removes this screen and others until a route that is below is the topmost.
    ///
    /// - Throws: ``RouterError/routeNotInStack(_:)`` when no equal route is below this screen.
    public func dismiss(to route: some Route) throws {
        try navigator.dismiss(to: AnyRoute(route))
    }

    /// Removes this screen and others until the nearest route of a type that is below is the topmost.
    ///
    /// - Throws: ``RouterError/routeNotInStack(_:)`` when no route of the type is below this screen.
    public func dismiss(to type: (some Route).Type) throws {
        try navigator.dismiss(to: type)
    }

    /// Opens a route above this screen and returns when it is shown; an action is performed.
    ///
    /// - Throws: What prevented it, usually a ``RouterError``.
    public func open(_ route: some Route, as style: PresentationStyle = .push) async throws {
        try await navigator.open(route, as: style)
    }

    /// Opens routes one above the other, the first above this screen; either all of them or none.
    ///
    /// - Throws: What prevented it, usually a ``RouterError``.
    public func open(_ routes: [any Route], as style: PresentationStyle = .push) async throws {
        try await navigator.open(routes, as: style)
    }

    /// Opens the route that a link stands for above this screen and returns when it is shown.
    ///
    /// - Throws: What prevented it, usually a ``RouterError``.
    public func open(_ link: AnyRoute, as style: PresentationStyle = .push) async throws {
        try await navigator.open(link, as: style)
    }

    /// Opens the route that a URL stands for above this screen and returns when it is shown.
    ///
    /// - Throws: ``RouterError/unknownURL(_:nearest:)``, `DecodingError` for values that the route cannot take, or
    ///   what prevented the opening.
    public func open(_ url: URL, as style: PresentationStyle = .push) async throws {
        try await navigator.open(url, as: style)
    }

    /// Opens a route above this screen and waits for what it finishes with; an action is performed.
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
    ///   ``RouterError/screenDismissed(route:)`` when the person left the screen before.
    public func finish() throws {
        try finish(())
    }
}
