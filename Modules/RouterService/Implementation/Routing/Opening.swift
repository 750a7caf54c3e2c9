import RouterServiceInterface
import RouterServiceProgram

/// A route on its way from the call to a screen or an action.
final class Opening<R: Route>: AnyOpening {
    let route: R
    let style: PresentationStyle
    let origin: RouteOrigin
    let opener: Opener
    /// The stored state of the screen's model.
    let state: RouterSnapshot.State?
    /// Receives the output, if the caller waits for it.
    let result: PendingResult<R.Output>?
    /// The routes that led to this route: rerouted to it, or opened by its opener.
    let path: [AnyRoute]

    @MainActor
    init(
        _ route: R, as style: PresentationStyle, from origin: RouteOrigin, by opener: Opener,
        state: RouterSnapshot.State? = nil, for result: PendingResult<R.Output>? = nil,
        after path: [AnyRoute]? = nil
    ) {
        self.route = route
        self.style = style
        self.origin = origin
        self.opener = opener
        self.state = state
        self.result = result
        self.path = path ?? opener.path
    }

    /// The path of the routes to which this route leads.
    var nextPath: [AnyRoute] { path + [AnyRoute(route, from: origin)] }

    /// The path and the route, where the route led to itself, or too many routes led to it; otherwise nil.
    var cycle: [AnyRoute]? {
        guard !path.isEmpty else { return nil }
        let isCycle = path.count >= maximumPathLength || path.contains(AnyRoute(route))
        return isCycle ? path + [AnyRoute(route)] : nil
    }

    /// The opening of another route in place of this route; the caller receives `UserDeclined` for an output of another type
    /// that is not converted.
    @MainActor
    func rerouted<Other: Route>(
        to other: Other, converting convert: (@MainActor (any Sendable) throws -> R.Output)? = nil
    ) -> any AnyOpening {
        let result = result?.converted(from: Other.Output.self) { output in
            if let convert { return try convert(output) }
            guard Other.Output.self == R.Output.self, let same = output as? R.Output else {
                throw UserDeclined()
            }
            return same
        }
        return Opening<Other>(
            other, as: style, from: origin, by: opener, for: result, after: nextPath)
    }
}

protocol AnyOpening: AnyObject {
    associatedtype R: Route
    var route: R { get }
    var style: PresentationStyle { get }
    var origin: RouteOrigin { get }
    var opener: Opener { get }
    var state: RouterSnapshot.State? { get }
    /// The opening itself, with its type.
    var typed: Opening<R> { get }
}

extension Opening {
    var typed: Opening<R> { self }
}

/// The most routes that may lead to another one; more can only be a mistake.
let maximumPathLength = 32
