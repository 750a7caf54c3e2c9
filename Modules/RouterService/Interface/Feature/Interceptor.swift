/// Decides about routes before their handlers do, whichever way these came in.
///
/// The router asks the interceptors that are registered for a type of route, in the order of their phases. Within a phase,
/// those of a module come after those of the modules whose services they depend on.
@MainActor
public protocol Interceptor {
    /// Decides about one route, and may show another one first; throwing has the effect of ``Interception/reject(_:)``.
    func intercept(_ request: RouteRequest) async throws -> Interception
}

/// The routes about which an interceptor decides.
public enum InterceptedRoutes {
    /// All routes.
    case all
    /// The routes of some types.
    case types([any Route.Type])
    /// The routes whose types satisfy a condition, for example that they conform to a protocol:
    /// `.where { $0 is any Notes.AuthorsRoute.Type }`.
    case `where`(@MainActor (any Route.Type) -> Bool)

    /// Whether the routes of a type are among them.
    @MainActor
    public func contains(_ route: any Route.Type) -> Bool {
        switch self {
        case .all: true
        case .types(let types): types.contains { $0 == route }
        case .where(let isMeant): isMeant(route)
        }
    }
}

/// The intent with which an interceptor decides, in the order in which the router asks.
public enum InterceptionPhase: CaseIterable, Sendable {
    /// Whether the program offers the route at all, for example by a rule of the server.
    case rules
    /// Whether the user may open it, for example after a sign-in.
    case access
    /// Whether the user wants to, when nothing else prevents it.
    case confirmation
}

/// The decision of an interceptor.
public enum Interception: Sendable {
    /// The next interceptor decides; after the last, the route is fulfilled.
    case proceed
    /// The route is rerouted to another one, which is shown to its own interceptors from the first.
    ///
    /// A caller that waits receives the other route's output where its type is the same, and ``UserDeclined`` where it is
    /// another one.
    case redirect(to: any Route)
    /// Nothing is opened; the caller receives the error.
    case reject(any Error)
}

/// A route that is about to be fulfilled.
@MainActor
public struct RouteRequest {
    /// The route.
    public let route: any Route
    /// The style of its screen.
    public let style: PresentationStyle
    /// The way on which the route came in; that of the first one, where it was rerouted.
    public let origin: RouteOrigin
    private let router: any Router

    /// Creates a request, for routers and for tests of interceptors.
    public init(
        _ route: any Route, as style: PresentationStyle = .push, from origin: RouteOrigin = .code,
        router: any Router
    ) {
        self.route = route
        self.style = style
        self.origin = origin
        self.router = router
    }

    /// Opens another route first and waits for its output, as ``Navigator/result(of:as:)`` does.
    ///
    /// - Throws: ``RouterError/redirectLoop(path:)`` when the other route leads to this interceptor's request again.
    public func result<R: Route>(of route: R, as style: PresentationStyle = .modal) async throws -> R.Output {
        try await router.result(of: route, as: style)
    }
}

/// The way on which a route came in.
public enum RouteOrigin: Sendable {
    /// Code of the program made the route.
    case code
    /// A link, which a backend sent or a file kept, as one keeps a stack that is restored.
    case link
    /// A URL, which may be from outside of the program.
    case external
}
