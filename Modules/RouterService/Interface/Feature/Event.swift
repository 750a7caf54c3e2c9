/// An occurrence of which several modules may need to know, such as the end of a session.
///
/// Events are declared in interfaces. ``Router/broadcast(_:)`` sends one, and each module entry that registered
/// ``Registrar/listen(to:fileID:line:by:)`` for its type receives it.
public protocol Event: Sendable {}

/// The life of the program, which it broadcasts.
public enum Lifecycle {
    /// The program ends in the ordinary way; what is to be saved has a moment left.
    public struct Ending: Event {
        public init() {}
    }
}
