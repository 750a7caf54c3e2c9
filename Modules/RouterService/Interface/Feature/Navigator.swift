public import Foundation

/// Opens routes, waits for their results and goes back: the common calls of a router and the context of a screen.
///
/// Each call throws what prevented it, usually a ``RouterError``, and ``UserDeclined`` where a screen that would have to go
/// is to stay (``RouteContext/confirmLeaving(_:)``).
@MainActor
public protocol Navigator {
    /// Opens routes one above the other, the lowest first, and returns when the last is shown; all of them or none.
    ///
    /// Actions among them are performed in their turn. With the style `root`, the first becomes the first screen and the
    /// others are pushed.
    func open(_ routes: [any Route], as style: PresentationStyle) async throws

    /// Opens the route that a URL stands for, as one that came from outside.
    ///
    /// - Throws: ``RouterError/unknownURL(_:nearest:)``; `DecodingError` for values that the route cannot take.
    func open(_ url: URL, as style: PresentationStyle) async throws

    /// Opens the route that a link stands for, as one that came in on the link's way (``AnyRoute/origin``).
    func open(_ link: AnyRoute, as style: PresentationStyle) async throws

    /// Opens a route and waits for its output, which is delivered exactly once; an action is performed.
    ///
    /// - Throws: ``UserDeclined`` when the screen is left or removed; `CancellationError` when the calling task is cancelled,
    ///   and the screen is removed then; ``RouterError/Rejection/cannotDismissRoot`` for the style `root`, whose screen
    ///   never finishes.
    func result<R: Route>(of route: R, as style: PresentationStyle) async throws -> R.Output

    /// Removes screens until the nearest one that shows a route of a type is the topmost.
    ///
    /// A router looks from the topmost screen down, a ``RouteContext`` below its own screen.
    ///
    /// - Throws: ``RouterError/routeNotInStack(_:)`` when no screen shows it.
    func dismiss(to route: any Route.Type) async throws
}

// The shorter forms, which push what is opened.
extension Navigator {
    /// Opens a route above the topmost screen.
    public func open(_ route: some Route, as style: PresentationStyle = .push) async throws {
        try await open([route], as: style)
    }

    /// Opens routes one above the other, above the topmost screen.
    public func open(_ routes: [any Route]) async throws { try await open(routes, as: .push) }

    /// Opens the route that a URL stands for, above the topmost screen.
    public func open(_ url: URL) async throws { try await open(url, as: .push) }

    /// Opens the route that a link stands for, above the topmost screen.
    public func open(_ link: AnyRoute) async throws { try await open(link, as: .push) }

    /// Opens a route in the style `modal`, because a caller that waits interrupts its own flow, and waits for its output.
    public func result<R: Route>(of route: R) async throws -> R.Output {
        try await result(of: route, as: .modal)
    }
}

/// Opens routes, announces events, and begins and ends scopes.
///
/// The router registers itself as a service of the type `any Router`, for services and actions that have no
/// ``RouteContext``. Their reference does not keep the router alive. It knows the routes that led to the call of an
/// action, an interceptor or a listener that depends on it.
@MainActor
public protocol Router: Navigator, AnyObject, Sendable {
    /// Sends an event to each listener for its type, in the order of registration, also after one that throws.
    ///
    /// - Returns: ``RouterError/listenerFailed(event:module:underlying:)`` for each listener that threw.
    @discardableResult
    func broadcast<E: Event>(_ event: E) async -> [RouterError]

    /// Begins a scope, whose services can be resolved from then on.
    ///
    /// - Throws: ``RouterError/scopeAlreadyEntered(_:)`` when it has begun before and not ended.
    func enter(_ scope: Scope) throws

    /// Ends a scope and releases its services.
    ///
    /// - Throws: ``RouterError/outsideScope(_:path:)`` when it has not begun.
    func leave(_ scope: Scope) throws
}

/// The "no" of the user: a screen is to stay, was left without an output, or a question was denied.
///
/// It is not a failure, so Display shows nothing. A `CancellationError` says that the calling task was cancelled.
public struct UserDeclined: Error {
    public init() {}
}

/// Asks whether a screen may be left; false or an error keeps it.
public typealias LeaveConfirmation = @MainActor () async throws -> Bool

/// The navigation of a screen: finishing with its output, going back, opening other routes above it or in its place, and
/// embedding them.
///
/// A context belongs to one screen, which holds it. Its calls after that screen is gone throw
/// ``RouterError/Rejection/screenDismissed`` and change nothing.
@MainActor
public protocol RouteContext<Destination>: Navigator, AnyObject, Sendable {
    /// The route of the screen.
    associatedtype Destination: Route

    /// The first of the routes that led to this one by interceptors, redirects, fallbacks or actions; nil for one that was
    /// opened for itself.
    var cause: AnyRoute? { get }

    /// Delivers the output to the caller that waits for it, if one does, and removes the screen.
    ///
    /// - Throws: ``RouterError/Rejection/alreadyFinished`` the second time.
    func finish(_ output: Destination.Output) throws

    /// Removes the screen without an output, with all above it; a caller that waits receives ``UserDeclined``.
    ///
    /// - Throws: ``RouterError/Rejection/cannotDismissRoot`` for the first screen.
    func dismiss() async throws

    /// Shows the screen of a route in place of this one, in its style, without showing the one below in between.
    ///
    /// The route passes interceptors, availability and fallbacks as any other. This screen is left, with all above it, as
    /// by `dismiss`; after an error, all stay. The first screen can be replaced too.
    ///
    /// - Throws: ``RouterError/Rejection/noScreen`` for a route that an action fulfils, ``RouterError/Rejection/embedded``
    ///   for an embedded screen.
    func replace(with route: some Route) async throws

    /// Asks before the screen is left: by going back, `dismiss`, `replace`, a new first screen or a restored stack. Nil stops
    /// asking.
    ///
    /// While the answer is awaited, other attempts to leave the screen fail with ``UserDeclined``.
    func confirmLeaving(_ confirmation: LeaveConfirmation?) throws

    /// Lets the state of the screen's model outlive it, and restores that of an earlier model, if there is one.
    ///
    /// The model is not held.
    func keepState(of model: some Restorable) throws

    /// Builds the screen of a route, for this screen to show within its own content.
    ///
    /// The route passes interceptors, availability and fallbacks as any other. `finish` receives the output, after which
    /// the embedded screen is gone.
    ///
    /// - Returns: The screen, which this screen's model holds for as long as it is to exist.
    /// - Throws: ``RouterError/Rejection/noScreen`` for a route that an action fulfils,
    ///   ``RouterError/redirectLoop(path:)`` for one of a screen around it.
    func embed<R: Route>(
        _ route: R, finish: @escaping @MainActor (R.Output) -> Void
    ) async throws -> EmbeddedScreen
}

extension RouteContext where Destination.Output == Void {
    /// Reports to the caller that waits, if one does, that the destination is done, and removes the screen.
    public func finish() throws { try finish(()) }
}
