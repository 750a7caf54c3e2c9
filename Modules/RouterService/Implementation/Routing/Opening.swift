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

/// The caller that opens a route.
indirect enum Opener {
    /// The router itself, for the first screens.
    case start
    /// A service, the program, or an interceptor, an action or a listener that depends on the router, after the routes that led
    /// to its call.
    case service(after: [AnyRoute])
    /// A screen, whose openings are rejected when it is gone.
    case screen(any AnyScreenContext)
    /// A screen that embeds another screen; its path are the screens around it.
    case parent(any AnyScreenContext)
    /// An interceptor's request while it decides about the last route of a path, on behalf of another opener.
    case interceptor(deciding: [AnyRoute], for: Opener)

    @MainActor
    var path: [AnyRoute] {
        switch self {
        case .start, .screen: []
        case .parent(let context): context.entry?.withParents ?? []
        case .service(let path), .interceptor(let path, _): path
        }
    }

    private var isParent: Bool { if case .parent = self { true } else { false } }

    /// Rejects an opening in a cancelled task, before the first screen or by a dismissed screen, or in a style that does not fit.
    @MainActor
    func check(_ opening: Opening, on stack: NavigationStack) throws {
        try Task.checkCancellation()
        guard opening.style != .embedded || isParent else {
            throw RouterError.rejected(.embeddedStyle, route: opening.routeType)
        }
        guard opening.style != .root || opening.receiver == nil else {
            throw RouterError.rejected(.cannotDismissRoot, route: opening.routeType)
        }
        switch self {
        case .start: break
        case .service:
            guard stack.isStarted else {
                throw RouterError.rejected(.notStarted, route: opening.routeType)
            }
        case .screen(let context), .parent(let context): _ = try stack.entry(of: context)
        case .interceptor(_, let original):
            // A screen that left meanwhile needs no sign-in.
            try original.check(opening, on: stack)
        }
    }
}
