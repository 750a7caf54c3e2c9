import RouterServiceInterface
import RouterServiceProgram

/// The target of one screen's calls, which are rejected as soon as the screen is gone or rebuilt.
@MainActor
final class ScreenContext<R: Route>: AnyScreenContext {
    typealias Destination = R

    let route: R
    weak var entry: StackEntry?
    weak var presentation: Presentation?
    var isFinished = false
    var isConfirming = false
    /// The model whose state outlives the screen; the model usually holds the context.
    private weak var model: (any Restorable)?
    /// The state of an earlier model, until this screen's model takes it.
    private var waitingState: RouterSnapshot.State?
    let reference: RouterReference

    init(_ route: R, state: RouterSnapshot.State?, reference: RouterReference) {
        self.route = route
        self.reference = reference
        waitingState = state
    }

    var routeType: TypeKey { TypeKey(R.self) }

    func state(including scope: StateScope) -> RouterSnapshot.State? {
        guard let model, let router = reference.router else {
            return RestorableState.included(waitingState, in: scope)
        }
        return RestorableState.state(of: model, including: scope, reporting: router.log)
    }

    func keepState(of model: some Restorable) throws {
        let router = try self.router
        _ = try router.stack.entry(of: self)
        self.model = model
        guard let state = waitingState.take() else { return }
        RestorableState.restore(state, in: model, routes: router.catalog, reporting: router.log)
    }
}

@MainActor
protocol AnyScreenContext: AnyObject, Sendable {
    var routeType: TypeKey { get }
    var entry: StackEntry? { get }
    var isFinished: Bool { get }
    /// Whether the confirmation before the screen is left is running.
    var isConfirming: Bool { get set }
    /// The presentation, which the presenter keeps for as long as it keeps the screen.
    var presentation: Presentation? { get set }

    /// The state of the screen's model, or the state that waits for the model.
    func state(including scope: StateScope) -> RouterSnapshot.State?

    /// The context of the rebuilt screen, because a module was replaced.
    func successor() -> any AnyScreenContext

    func screen(in container: Container) throws -> any Screen
}
