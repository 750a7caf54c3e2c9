public import Foundation

/// The calls that a router and the context of a screen have in common.
///
/// Each call throws what prevented it, usually a ``RouterError``, and ``UserDeclined`` where a screen that would have to go
/// is to stay (``RouteContext/confirmLeaving(_:)``).
@MainActor
public protocol Navigator {
    /// Opens routes one above the other, the lowest first, and returns when the last is shown; all or none.
    ///
    /// Actions are performed in their turn. With the style `root`, the first route becomes the first screen, and the others
    /// are pushed.
    func open(_ routes: [any Route], as style: PresentationStyle) async throws

    /// Opens the route of a URL.
    ///
    /// - Throws: ``RouterError/unknownURL(_:nearest:)``; `DecodingError` for values that the route cannot take.
    func open(_ url: URL, as style: PresentationStyle) async throws

    /// Opens the route of a link, from the link's origin.
    func open(_ link: AnyRoute, as style: PresentationStyle) async throws

    /// Opens a route and waits for its output, which is delivered exactly once; an action is performed.
    ///
    /// - Throws: ``UserDeclined`` when the screen is left or removed; `CancellationError` when the calling task is cancelled,
    ///   and the screen is removed then; ``RouterError/Rejection/cannotDismissRoot`` for the style `root`, whose screen
    ///   never finishes.
    func result<R: Route>(of route: R, as style: PresentationStyle) async throws -> R.Output

    /// Removes screens until the nearest one that shows a type of route is the topmost.
    ///
    /// A router searches from the topmost screen down, a ``RouteContext`` below its own screen.
    ///
    /// - Throws: ``RouterError/routeNotInStack(_:)``.
    func dismiss(to route: any Route.Type) async throws
}

extension Navigator {
    public func open(_ route: some Route, as style: PresentationStyle = .push) async throws {
        try await open([route], as: style)
    }

    public func open(_ routes: [any Route]) async throws { try await open(routes, as: .push) }

    public func open(_ url: URL) async throws { try await open(url, as: .push) }

    public func open(_ link: AnyRoute) async throws { try await open(link, as: .push) }

    /// Opens a route in the style `modal`, because the caller interrupts its own flow, and waits for its output.
    public func result<R: Route>(of route: R) async throws -> R.Output {
        try await result(of: route, as: .modal)
    }
}

/// Opens routes, broadcasts events, and begins and ends scopes.
///
/// Services, actions, interceptors and listeners depend on `any Router`, which does not keep the router alive. The openings
/// of an action, an interceptor or a listener count as a consequence of the routes that led to its call.
@MainActor
public protocol Router: Navigator, AnyObject, Sendable {
    /// Sends an event to each listener for its type, in the order of registration, also after a listener that throws.
    ///
    /// - Returns: ``RouterError/listenerFailed(event:module:underlying:)`` for each listener that threw.
    @discardableResult
    func broadcast<E: Event>(_ event: E) async -> [RouterError]

    /// Begins a scope, whose services can be resolved from then on.
    ///
    /// - Throws: ``RouterError/scopeAlreadyEntered(_:)``.
    func enter(_ scope: Scope) throws

    /// Ends a scope and releases its services.
    ///
    /// - Throws: ``RouterError/outsideScope(_:path:)``.
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

/// The navigation of one screen, which holds the context.
///
/// Calls after the screen is gone throw ``RouterError/Rejection/screenDismissed`` and change nothing.
@MainActor
public protocol RouteContext<Destination>: Navigator, AnyObject, Sendable {
    associatedtype Destination: Route

    /// The first of the routes that led to this one by interceptors, redirects, fallbacks or actions; nil where the route was
    /// opened for itself.
    var cause: AnyRoute? { get }

    /// Delivers the output to the caller, and removes the screen.
    ///
    /// - Throws: ``RouterError/Rejection/alreadyFinished`` the second time.
    func finish(_ output: Destination.Output) throws

    /// Removes the screen without an output, with all above it; a caller that waits receives ``UserDeclined``.
    ///
    /// - Throws: ``RouterError/Rejection/cannotDismissRoot`` for the first screen.
    func dismiss() async throws

    /// Shows the screen of a route in place of this screen, in the same style.
    ///
    /// This screen is left, with all above it, as by `dismiss`; after an error, all stay.
    ///
    /// - Throws: ``RouterError/Rejection/noScreen`` for a route that an action fulfils, ``RouterError/Rejection/embedded``
    ///   for an embedded screen.
    func replace(with route: some Route) async throws

    /// Asks before the screen is left; nil stops asking.
    ///
    /// While the answer is awaited, other attempts to leave the screen fail with ``UserDeclined``.
    func confirmLeaving(_ confirmation: LeaveConfirmation?) throws

    /// Lets the state of the screen's model outlive the model, and restores the state of an earlier model. The model is not
    /// held.
    func keepState(of model: some Restorable) throws

    /// Builds the screen of a route, for this screen to show within its own content.
    ///
    /// `finish` receives the output, after which the embedded screen is gone.
    ///
    /// - Returns: The screen, which exists for as long as this screen's model holds it.
    /// - Throws: ``RouterError/Rejection/noScreen`` for a route that an action fulfils,
    ///   ``RouterError/redirectCycle(path:)`` for the route of a screen around it.
    func embed<R: Route>(
        _ route: R, finish: @escaping @MainActor (R.Output) -> Void
    ) async throws -> EmbeddedScreen
}

extension RouteContext where Destination.Output == Void {
    /// Reports to the caller that the destination is done, and removes the screen.
    public func finish() throws { try finish(()) }
}
