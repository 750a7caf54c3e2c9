public import RouterServiceInterface

/// A context for one feature under test, which records the outputs and the openings of the feature's screen.
///
/// ```swift
/// let recorder = RecordingContext<Login.SignIn>()
/// let screen = try SignInFeature(sessions: FakeSessions()).build(Login.SignIn(), in: recorder.context)
/// // … drive the screen …
/// recorder.outputs == [session]
/// ```
@MainActor
public final class RecordingContext<Destination: Route>: RouteContext {
    public private(set) var outputs: [Destination.Output] = []
    public private(set) var dismissals = 0
    public private(set) var replacements: [AnyRoute] = []
    public private(set) var leaveConfirmation: LeaveConfirmation?
    public private(set) weak var keptModel: (any Restorable)?
    public private(set) var embedded: [AnyRoute] = []
    /// The screen that stands for every embedded route.
    public var child: any Screen {
        get { standIn }
        set { _ = exchange(&standIn, with: newValue) }
    }
    private var standIn: any Screen = NoScreen()
    public let router: RecordingRouter

    public init(router: RecordingRouter = RecordingRouter()) {
        self.router = router
    }

    public var context: any RouteContext<Destination> { self }

    public func finish(_ output: Destination.Output) throws { outputs.append(output) }

    public func dismiss() async throws { dismissals += 1 }

    public func replace(with route: some Route) async throws {
        replacements.append(AnyRoute(route))
        if let refusal = router.refusal { throw refusal }
    }

    public func confirmLeaving(_ confirmation: LeaveConfirmation?) throws {
        _ = exchange(&leaveConfirmation, with: confirmation)
    }

    public func keepState(of model: some Restorable) throws { keptModel = model }

    public func open(_ routes: [any Route], as style: PresentationStyle) async throws {
        try await router.open(routes, as: style)
    }

    public func open(_ link: AnyRoute, as style: PresentationStyle) async throws {
        try await router.open(link, as: style)
    }

    public func result<R: Route>(of route: R, as style: PresentationStyle) async throws -> R.Output {
        try await router.result(of: route, as: style)
    }

    public func dismiss(to route: any Route.Type) async throws { try await router.dismiss(to: route) }

    public func embed(_ route: some Route) async throws -> EmbeddedScreen {
        embedded.append(AnyRoute(route))
        let presentation = Presentation(id: .init(-embedded.count), style: .embedded, isRoot: false) {}
        return EmbeddedScreen(child, as: presentation)
    }

    private struct NoScreen: Screen {}
}
