/// A service or a screen's model whose state outlives it, such as typed text.
///
/// When a module is replaced, the new instance receives the state of the old instance, if it can read that. The feature of a
/// model calls ``RouteContext/keepState(of:)``.
@MainActor
public protocol Restorable: AnyObject {
    /// A structure of its own; an observable class cannot be one.
    associatedtype SavedState: Codable & Sendable
    static var stateScope: StateScope { get }
    /// The current state; nil where nothing is to be kept.
    var savedState: SavedState? { get }
    /// Takes over the state of an earlier instance. A service receives nil to give up the state of a stack that could not be
    /// restored.
    func restore(_ state: SavedState?)
}

public enum StateScope: String, Codable, Sendable {
    /// The state is never stored: sessions, and the content of secure fields.
    case memory
    /// The state is a part of a `RouterSnapshot`, which may be stored: drafts.
    case file
}
