/// Decides about routes before their handlers do, however the routes came in.
///
/// The router asks interceptors in the order of their phases. Within a phase, the interceptors of a module come after the
/// interceptors of the modules whose services they depend on.
@MainActor
public protocol Interceptor {
    /// Decides about a route, and may show another one first; throwing has the effect of ``Interception/reject(_:)``.
    func intercept(_ request: RouteRequest) async throws -> Interception
}

public enum InterceptedRoutes {
    case all
    case types([any Route.Type])
    /// The routes whose types satisfy a condition, such as `.where { $0 is any Notes.AuthorsRoute.Type }`.
    case `where`(@MainActor (any Route.Type) -> Bool)

    @MainActor
    public func contains(_ route: any Route.Type) -> Bool {
        switch self {
        case .all: true
        case .types(let types): types.contains { $0 == route }
        case .where(let isMeant): isMeant(route)
        }
    }
}

/// The intents of interceptors, in the order in which the router asks.
public enum InterceptionPhase: CaseIterable, Sendable {
    /// Whether the program offers the route, for example by a rule of the server.
    case rules
    /// Whether the user may open it, for example after a sign-in.
    case access
    /// Whether the user wants to open it.
    case confirmation
}

public enum Interception: Sendable {
    /// The next interceptor decides; after the last interceptor, the route is fulfilled.
    case proceed
    /// Another route is opened in its place; a caller that waits for an output of another type receives ``UserDeclined``.
    case redirect(to: any Route)
    /// Nothing is opened; the caller receives the error.
    case reject(any Error)
}

@MainActor
public struct RouteRequest {
    public let route: any Route
    public let style: PresentationStyle
    /// The origin of the route; where it was rerouted, the origin of the first route.
    public let origin: RouteOrigin
    private let router: any Router

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
    /// - Throws: ``RouterError/redirectCycle(path:)`` when the other route leads to this interceptor's request again.
    public func result<R: Route>(of route: R, as style: PresentationStyle = .modal) async throws -> R.Output {
        try await router.result(of: route, as: style)
    }
}

public enum RouteOrigin: Sendable {
    /// The program's own code.
    case code
    /// A link that a backend sent, or a stored link.
    case link
    /// A URL, which may come from outside the program.
    case external
}
