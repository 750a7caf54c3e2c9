/// Something that happened and that several modules may want to know, such as the end of a session.
///
/// Events are declared in interfaces. ``Router/broadcast(_:)`` sends one, and each module entry that registered
/// ``Registrar/listen(to:by:)`` for its type receives it.
public protocol Event: Sendable {}
