public import Foundation

/// Opens routes, announces events, and begins and ends scopes.
///
/// The router registers itself as a service of the type `any Router`, for services and actions that have no
/// ``RouteContext``. What they hold does not keep the router alive.
@MainActor
public protocol Router: AnyObject {
    /// Opens routes one above the other, and returns when the last is shown.
    ///
    /// Either all of them are shown, or none.
    ///
    /// - Parameters:
    ///   - routes: The routes, the lowest first. Actions among them are performed in their turn.
    ///   - style: How each is shown.
    ///   - origin: Where the routes came from.
    /// - Throws: What prevented it, usually a ``RouterError``.
    func open(_ routes: [any Route], as style: PresentationStyle, from origin: RouteOrigin) async throws

    /// Opens the route that a URL stands for.
    ///
    /// - Throws: ``RouterError/unknownURL(_:nearest:)``, `DecodingError` for values that the route cannot take, or
    ///   what prevented the opening.
    func open(_ url: URL, as style: PresentationStyle) async throws

    /// Opens a route and waits for what it finishes with; an action is performed.
    ///
    /// - Returns: The output, delivered exactly once.
    /// - Throws: `CancellationError` when the screen is left or removed, or when the calling task is cancelled
    ///   (the screen is removed then); otherwise what prevented the opening.
    func result<R: Route>(of route: R, as style: PresentationStyle) async throws -> R.Output

    /// Tells an event to each listener for its type, in the order of registration.
    ///
    /// A listener that throws does not keep the others from hearing of it.
    ///
    /// - Returns: ``RouterError/listenerFailed(event:module:underlying:)`` for each listener that threw.
    @discardableResult
    func broadcast<E: Event>(_ event: E) async -> [RouterError]

    /// Begins a scope; its services can be resolved from then on.
    ///
    /// - Throws: ``RouterError/scopeAlreadyEntered(_:)`` when it has begun before and not ended.
    func enter(_ scope: Scope) throws

    /// Ends a scope and releases its services.
    ///
    /// - Throws: ``RouterError/scopeNotEntered(_:)`` when it has not begun.
    func leave(_ scope: Scope) throws
}

extension Router {
    /// Opens a route above what is shown and returns when it is shown; an action is performed.
    ///
    /// - Throws: What prevented it, usually a ``RouterError``.
    public func open(_ route: some Route, as style: PresentationStyle = .push) async throws {
        try await open([route], as: style, from: .code)
    }

    /// Opens routes one above the other, or none of them.
    ///
    /// - Throws: What prevented it, usually a ``RouterError``.
    public func open(_ routes: [any Route], as style: PresentationStyle = .push) async throws {
        try await open(routes, as: style, from: .code)
    }

    /// Opens the route of a link above what is shown and returns when it is shown.
    ///
    /// - Throws: What prevented it, usually a ``RouterError``.
    public func open(_ link: AnyRoute, as style: PresentationStyle = .push) async throws {
        try await open([link.route], as: style, from: .link)
    }

    /// Opens the route that a URL stands for above what is shown.
    ///
    /// - Throws: ``RouterError/unknownURL(_:nearest:)``, `DecodingError` for values that the route cannot take, or
    ///   what prevented the opening.
    public func open(_ url: URL) async throws {
        try await open(url, as: .push)
    }

    /// Opens a route as a modal screen and waits for what it finishes with; an action is performed.
    ///
    /// - Returns: The output, delivered exactly once.
    /// - Throws: `CancellationError` when the screen is left or removed, or when the calling task is cancelled;
    ///   otherwise what prevented the opening.
    public func result<R: Route>(of route: R) async throws -> R.Output {
        try await result(of: route, as: .modal)
    }
}

/// A router as one screen sees it: what it opens comes above that screen, and the screen can be removed.
///
/// It is what a ``RouteContext`` is made of.
@MainActor
public protocol Navigator: Router {
    /// Removes the screen that this navigator belongs to, with all above it.
    func dismiss() throws

    /// Removes screens until the nearest equal route below this navigator's screen is the topmost.
    ///
    /// - Throws: ``RouterError/routeNotInStack(_:)`` when there is none.
    func dismiss(to route: AnyRoute) throws

    /// Removes screens until the nearest route of a type below this navigator's screen is the topmost.
    ///
    /// - Throws: ``RouterError/routeNotInStack(_:)`` when there is none.
    func dismiss(to type: any Route.Type) throws
}
