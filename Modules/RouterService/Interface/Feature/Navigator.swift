/// The calls that a router and the context of a screen have in common.
///
/// Each call throws the error that prevented it, usually a ``RouterError``, and ``UserDeclined`` where a screen that has to
/// go is to stay (``RouteContext/confirmLeaving(_:)``).
@MainActor
public protocol Navigator {
    /// Opens routes one above the other, the lowest first: all or none.
    ///
    /// With the style `root`, the first route becomes the first screen, and the others are pushed.
    func open(_ routes: [any Route], as style: PresentationStyle) async throws

    func open(_ link: AnyRoute, as style: PresentationStyle) async throws

    /// Opens a route and waits for its output, which is delivered exactly once; an action is performed.
    ///
    /// - Throws: ``UserDeclined`` when the screen is left or removed; `CancellationError` when the calling task is cancelled,
    ///   and the screen is removed then; ``RouterError/Rejection/cannotDismissRoot`` for the style `root`, whose screen
    ///   never finishes.
    func result<R: Route>(of route: R, as style: PresentationStyle) async throws -> R.Output

    /// Removes screens until the nearest screen of a type of route is the topmost; a ``RouteContext`` searches below its own
    /// screen.
    ///
    /// - Throws: ``RouterError/routeNotInStack(_:)``.
    func dismiss(to route: any Route.Type) async throws
}

extension Navigator {
    public func open(_ route: some Route, as style: PresentationStyle = .push) async throws {
        try await open([route], as: style)
    }

    public func open(_ routes: [any Route]) async throws { try await open(routes, as: .push) }

    public func open(_ link: AnyRoute) async throws { try await open(link, as: .push) }

    public func result<R: Route>(of route: R) async throws -> R.Output {
        try await result(of: route, as: .modal)
    }
}

/// Opens routes, broadcasts events, and begins and ends scopes: a dependency of services, actions, interceptors and listeners,
/// which does not keep the router alive.
@MainActor
public protocol Router: Navigator, AnyObject, Sendable {
    /// Calls each listener for the type of an event, in the order of registration.
    ///
    /// - Returns: ``RouterError/listenerFailed(event:module:underlying:)`` for each listener that threw.
    @discardableResult
    func broadcast<E: Event>(_ event: E) async -> [RouterError]

    /// - Throws: ``RouterError/scopeAlreadyEntered(_:)``.
    func enter(_ scope: Scope) throws

    /// Ends a scope, and releases its services.
    ///
    /// - Throws: ``RouterError/outsideScope(_:path:)``.
    func leave(_ scope: Scope) throws
}

/// An occurrence that several modules may need to know, such as the end of a session: sent by ``Router/broadcast(_:)``,
/// received by ``Registrar/listen(to:fileID:line:by:)``.
public protocol Event: Sendable {}

/// The "no" of the user: a screen is to stay, was left without an output, or a question was denied.
///
/// The error is not a failure, so Display shows nothing.
public struct UserDeclined: Error {
    public init() {}
}

/// Asks whether a screen may be left; false or an error keeps the screen.
public typealias LeaveConfirmation = @MainActor () async throws -> Bool

/// The navigation of one screen, which holds the context; each call after the screen is gone throws
/// ``RouterError/Rejection/screenDismissed``.
@MainActor
public protocol RouteContext<Destination>: Navigator, AnyObject, Sendable {
    associatedtype Destination: Route

    /// Delivers the output to the caller, and removes the screen.
    ///
    /// - Throws: ``RouterError/Rejection/alreadyFinished`` the second time.
    func finish(_ output: Destination.Output) throws

    /// Removes the screen, and all screens above it, without an output; a caller that waits receives ``UserDeclined``.
    ///
    /// - Throws: ``RouterError/Rejection/cannotDismissRoot`` for the first screen.
    func dismiss() async throws

    /// Leaves this screen, and all screens above it, for the screen of a route in the same style; after an error, all stay.
    ///
    /// - Throws: ``RouterError/Rejection/noScreen`` for a route that an action fulfils, ``RouterError/Rejection/embedded``
    ///   for an embedded screen.
    func replace(with route: some Route) async throws

    /// Asks before the screen is left; nil stops asking. Meanwhile, other attempts to leave it throw ``UserDeclined``.
    func confirmLeaving(_ confirmation: LeaveConfirmation?) throws

    /// Lets the state of the screen's model outlive the model, and restores the state of an earlier model.
    ///
    /// The model is not held. The state of an embedded screen's model is not kept.
    func keepState(of model: some Restorable) throws

    /// Builds the screen of a route, for this screen to show within its own content.
    ///
    /// - Returns: The screen, which exists until it finishes, for as long as this screen's model holds it.
    /// - Throws: ``RouterError/Rejection/noScreen`` for a route that an action fulfils,
    ///   ``RouterError/redirectCycle(path:)`` for the route of a screen around it.
    func embed(_ route: some Route) async throws -> EmbeddedScreen
}

extension RouteContext where Destination.Output == Void {
    public func finish() throws { try finish(()) }
}
