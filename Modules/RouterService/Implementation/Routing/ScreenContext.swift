import RouterServiceInterface

/// The target of one screen's calls, which are rejected as soon as another screen takes its place.
@MainActor
final class ScreenContext<R: Route>: AnyScreenContext {
    typealias Destination = R

    let route: R
    let cause: AnyRoute?
    weak var entry: StackEntry?
    weak var presentation: Presentation?
    var isFinished = false
    var isAsked = false
    /// The entry holds the result.
    weak var result: PendingResult<R.Output>?
    /// The model whose state outlives the screen; not held, because it usually holds the context.
    private weak var model: (any Restorable)?
    var waitingState: ScreenState
    let reference: RouterReference

    init(
        _ route: R, cause: AnyRoute?, state: ScreenState, result: PendingResult<R.Output>?,
        reference: RouterReference
    ) {
        self.route = route
        self.cause = cause
        self.result = result
        self.reference = reference
        waitingState = state
    }

    var routeType: TypeKey { TypeKey(R.self) }

    func state(including scope: StateScope) -> ScreenState {
        var state = waitingState
        if let model {
            state.model = reference.router.flatMap {
                KeptState(of: model, including: scope, reporting: $0.log)
            }
        }
        return state.with(
            (entry?.shown.children ?? []).map {
                (AnyRoute($0.route), $0.shown.context.state(including: scope))
            })
    }

    func deliver(_ output: R.Output) {
        isFinished = true
        result?.deliver(.success(output))
    }
}

extension ScreenContext: RouteContext, RouterNavigator {
    func finish(_ output: R.Output) throws { try caller().router.stack.finish(self, with: output) }

    func dismiss() async throws { try await caller().router.stack.dismiss(self) }

    func confirmLeaving(_ confirmation: LeaveConfirmation?) throws {
        try caller().router.stack.confirmLeaving(self, by: confirmation)
    }

    func keepState(of model: some Restorable) throws {
        let router = try caller().router
        _ = try router.stack.entry(of: self)
        self.model = model
        waitingState.model.take()?.restore(in: model, routes: router.catalog, reporting: router.log)
    }

    func caller() throws -> (router: RouterService, opener: Opener) {
        guard let router = reference.router else {
            throw RouterError.rejected(.screenDismissed, route: routeType)
        }
        return (router, .screen(self))
    }
}

@MainActor
protocol AnyScreenContext: AnyObject, Sendable {
    var routeType: TypeKey { get }
    /// The element of the stack to which the screen belongs, or belonged; nil as soon as it is gone.
    var entry: StackEntry? { get }
    var isFinished: Bool { get }
    /// Whether the question before the screen is left is being asked.
    var isAsked: Bool { get set }
    /// The presentation, which the presenter keeps for as long as it keeps the screen.
    var presentation: Presentation? { get set }

    /// The states of an earlier screen, until this one's model and the screens that are embedded in it take them.
    var waitingState: ScreenState { get set }

    /// The states of the screen's model and of the embedded screens' models, or the states that wait for these models.
    func state(including scope: StateScope) -> ScreenState

    /// The context of a screen that takes the place of this one, because a module was replaced.
    func successor() -> any AnyScreenContext

    func screen(in container: Container) throws -> any Screen
}
