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
    public let navigator: RecordingNavigator

    /// Creates a recorder.
    public init(navigator: RecordingNavigator = RecordingNavigator()) {
        self.navigator = navigator
    }

    /// The context to build the feature's screen with.
    public var context: RouteContext<Destination> {
        RouteContext(navigator: navigator) { [self] output in outputs.append(output) }
    }
}

/// A navigator that opens nothing, records every call, and answers with prepared outputs.
@MainActor
public final class RecordingNavigator: Navigator {
    /// The routes that were opened, those whose result was asked for among them.
    public private(set) var opened: [AnyRoute] = []
    /// How often the screen dismissed itself.
    public private(set) var dismissals = 0
    /// An error that every opening throws.
    public var refusal: (any Error)?
    private var people: [ObjectIdentifier: @MainActor () async throws -> any Sendable] = [:]

    /// Creates a navigator without prepared outputs.
    public init() {}

    /// Prepares what a person does at a type of route, and finishes with; unprepared, the person goes back.
    public func finish<R: Route>(_ route: R.Type, by person: @escaping @MainActor () async throws -> R.Output)
    {
        people[ObjectIdentifier(route)] = person
    }

    /// Records the route.
    ///
    /// - Throws: ``refusal``.
    public func open<R: Route>(_ route: R, as style: PresentationStyle) async throws {
        opened.append(AnyRoute(route))
        if let refusal { throw refusal }
    }

    /// Records the route, lets the prepared person act, and returns the output.
    ///
    /// - Throws: ``refusal``, what the person throws, or `CancellationError` where nobody is prepared.
    public func result<R: Route>(of route: R, as style: PresentationStyle) async throws -> R.Output {
        try await open(route, as: style)
        guard let output = try await people[ObjectIdentifier(R.self)]?() as? R.Output else {
            throw CancellationError()
        }
        return output
    }

    /// Counts the dismissal.
    public func dismiss() throws {
        dismissals += 1
    }
}
