/// An occurrence that several modules may need to know, such as the end of a session: sent by ``Router/broadcast(_:)``,
/// received by ``Registrar/listen(to:fileID:line:by:)``.
public protocol Event: Sendable {}
