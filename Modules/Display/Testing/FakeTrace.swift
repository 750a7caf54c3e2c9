public import DisplayInterface
public import Observation

/// A trace that holds what a test sets.
@Observable
@MainActor
public final class FakeTrace: Display.Trace {
    /// The navigation stack, the topmost last.
    public var stack: [String]
    /// What the router did, the last at the end.
    public var events: [String]
    /// The services that were created.
    public var services: [String]

    /// Creates a trace.
    public init(
        stack: [String] = ["profile.overview|{}"], events: [String] = ["presented profile.overview|{}"],
        services: [String] = ["any HTTP.Client"]
    ) {
        (self.stack, self.events, self.services) = (stack, events, services)
    }
}
