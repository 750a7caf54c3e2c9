import RouterServiceInterface
import RouterServiceProgram

/// A route on its way from the call to a screen or an action, with everything that belongs to the call.
final class Opening<R: Route>: AnyOpening {
    let route: R
    let style: PresentationStyle
    let origin: RouteOrigin
    let opener: Opener
    /// The stored states of its screen.
    let state: ScreenState
    /// Receives the output, if the caller requested it.
    let result: PendingResult<R.Output>?
    /// The routes that led to this one: rerouted to it, or opened by what opens it.
    let path: Path

    @MainActor
    init(
        _ route: R, as style: PresentationStyle, from origin: RouteOrigin, by opener: Opener,
        state: ScreenState = ScreenState(), for result: PendingResult<R.Output>? = nil,
        after path: Path? = nil
    ) {
        self.route = route
        self.style = style
        self.origin = origin
        self.opener = opener
        self.state = state
        self.result = result
        self.path = path ?? opener.path
    }

    var pathBehind: Path {
        var path = path
        path.routes.append(AnyRoute(route, from: origin))
        path.cause = path.cause ?? path.routes.last
        return path
    }

    /// The routes that led to one another, where this one led to itself, or too many did.
    var cycle: [AnyRoute]? {
        guard !path.routes.isEmpty else { return nil }
        let isCycle = path.routes.count >= Path.maximum || path.routes.contains(AnyRoute(route))
        return isCycle ? path.routes + [AnyRoute(route)] : nil
    }

    /// The opening of another route in place of this one, without the state of this one's screen.
    ///
    /// An output that is neither converted nor of the same type ends the caller's wait without an output.
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
            other, as: style, from: origin, by: opener, for: result, after: pathBehind)
    }
}

protocol AnyOpening: AnyObject {
    associatedtype R: Route
    var route: R { get }
    var style: PresentationStyle { get }
    var origin: RouteOrigin { get }
    var opener: Opener { get }
    var state: ScreenState { get }
    /// The opening itself, with its type.
    var typed: Opening<R> { get }
}

extension Opening {
    var typed: Opening<R> { self }
}

/// The routes that led to an opening, and the cause of the first of them.
struct Path {
    /// The most routes that may lead to another one; more can only be a mistake.
    static let maximum = 32

    var routes: [AnyRoute] = []
    var cause: AnyRoute?
}
