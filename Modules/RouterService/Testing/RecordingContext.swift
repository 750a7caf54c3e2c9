public import RouterServiceInterface

/// A context for one feature under test, which records what the feature's screen finishes with and opens.
///
/// ```swift
/// let recorder = RecordingContext<Login.SignIn>()
/// let screen = try SignInFeature(sessions: FakeSessions()).build(Login.SignIn(), in: recorder.context)
/// // … drive the screen …
/// recorder.outputs == [session]
/// ```
@MainActor
public final class RecordingContext<Destination: Route> {
    /// What the screen finished with; more than one output is a mistake of the feature.
    public private(set) var outputs: [Destination.Output] = []
    /// Where the screen's navigation went.
    public let navigator: RecordingRouter

    /// Creates a recorder.
    public init(navigator: RecordingRouter = RecordingRouter()) {
        self.navigator = navigator
    }

    /// The context to build the feature's screen with.
    public var context: RouteContext<Destination> {
        RouteContext(navigator: navigator) { [self] output in outputs.append(output) }
    }
}
