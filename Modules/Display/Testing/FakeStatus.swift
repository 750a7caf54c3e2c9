public import DisplayInterface
public import Observation

/// A status that says what a test sets.
@Observable
@MainActor
public final class FakeStatus: Display.Status {
    /// What the terminal says of the whole program; nil for nothing.
    public var text: String?

    /// Creates a status with a text, or without one.
    public init(_ text: String? = nil) {
        self.text = text
    }
}
