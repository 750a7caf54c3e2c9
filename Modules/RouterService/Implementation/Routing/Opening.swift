import RouterServiceInterface
import RouterServiceProgram

/// A route on its way from the call to a screen or an action.
@MainActor
struct Opening {
    let route: any Route
    let style: PresentationStyle
    let origin: RouteOrigin
    let opener: Opener
    /// The stored state of the screen's model.
    let state: RouterSnapshot.State?
    /// The routes that led to this route: rerouted to it, or opened by its opener.
    let path: [AnyRoute]
    /// Receives the output, if the caller waits for it.
    let receiver: OutputReceiver?

    init(
        _ route: any Route, as style: PresentationStyle, from origin: RouteOrigin = .code, by opener: Opener,
        state: RouterSnapshot.State? = nil, after path: [AnyRoute]? = nil, for receiver: OutputReceiver? = nil
    ) {
        self.route = route
        self.style = style
        self.origin = origin
        self.opener = opener
        self.state = state
        self.path = path ?? opener.path
        self.receiver = receiver
    }

    var routeType: TypeKey { TypeKey(type(of: route)) }

    /// The path of the routes to which this route leads.
    var nextPath: [AnyRoute] { path + [AnyRoute(route, from: origin)] }

    /// The path and the route, where the route led to itself, or too many routes led to it; otherwise nil.
    var cycle: [AnyRoute]? {
        guard !path.isEmpty else { return nil }
        let isCycle = path.count >= maximumPathLength || path.contains(AnyRoute(route))
        return isCycle ? path + [AnyRoute(route)] : nil
    }
}

/// Receives the output of a route, or the error in place of it.
typealias OutputReceiver = @MainActor (Result<any Sendable, any Error>) -> Void

/// The most routes that may lead to another one; more can only be a mistake.
let maximumPathLength = 32
