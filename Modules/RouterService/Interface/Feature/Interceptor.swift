/// Decides about routes before their handlers do.
///
/// The router asks its interceptors, in the order of registration, about every route whichever way it came in.
@MainActor
public protocol Interceptor {
    /// Decides about one route, and may show another one first; throwing has the effect of ``Interception/reject(_:)``.
    func intercept(_ request: RouteRequest) async throws -> Interception
}

/// The decision of an interceptor.
public enum Interception: Sendable {
    /// The next interceptor decides; after the last, the route is fulfilled.
    case proceed
    /// The route is rerouted to another one, which is shown to all interceptors from the first.
    ///
    /// A caller that waits receives the other route's output where its type is the same, and a
    /// `CancellationError` when it ends otherwise.
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
        (self.route, self.style, self.origin, self.router) = (route, style, origin, router)
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
    /// A link, which a backend sent or a file kept.
    case link
    /// A URL, which may be from outside of the program.
    case external
    /// A stack that is restored.
    case restored
}

/// The first of the routes that led to another one, for example by an interceptor that requires sign-in.
public struct RouteCause: Sendable {
    /// The route.
    public let route: AnyRoute
    /// The way on which it came in.
    public let origin: RouteOrigin

    /// Creates a cause, for routers and for tests of features.
    public init(_ route: some Route, from origin: RouteOrigin) {
        (self.route, self.origin) = (AnyRoute(route), origin)
    }
}
