/// An occurrence that several modules may need to know, such as the end of a session: sent by ``Router/broadcast(_:)``,
/// received by ``Registrar/listen(to:fileID:line:by:)``.
public protocol Event: Sendable {}

/// The router is about to reject an opening with ``RouterError/redirectCycle(path:)``.
public struct RedirectCycle: Event {
    /// The routes, each of which led to the next; the last route is not opened.
    public let path: [AnyRoute]

    public init(path: [AnyRoute]) { self.path = path }
}
