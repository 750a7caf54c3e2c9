/// An occurrence of which several modules may need to know, such as the end of a session.
///
/// Events are declared in interfaces. ``Router/broadcast(_:)`` sends one, and each module entry that registered
/// ``Registrar/listen(to:fileID:line:by:)`` for its type receives it.
public protocol Event: Sendable {}

/// The router rejected an opening with ``RouterError/redirectLoop(path:)``; the caller receives the error afterwards.
public struct RedirectLoop: Event {
    /// The routes, of which each led to the next; the last one is not opened.
    public let path: [AnyRoute]

    public init(path: [AnyRoute]) { self.path = path }
}
