/// An occurrence that several modules may need to know, such as the end of a session.
///
/// ``Router/broadcast(_:)`` sends an event to the listeners of all modules
/// (``Registrar/listen(to:fileID:line:by:)``).
public protocol Event: Sendable {}

/// The router rejected an opening with ``RouterError/redirectCycle(path:)``; the caller receives the error afterwards.
public struct RedirectCycle: Event {
    /// The routes, of which each led to the next; the last one is not opened.
    public let path: [AnyRoute]

    public init(path: [AnyRoute]) { self.path = path }
}
