/// A screen's model or a service whose state outlives it: typed text, the user who is signed in.
///
/// When a module is replaced, the router hands the state of the old instance to the new one, as JSON. A service takes part
/// by conforming, a screen's model by ``RouteContext/keepState(of:)`` too. One that cannot read the state begins without.
@MainActor
public protocol Restorable: AnyObject {
    /// A structure of its own, which holds the state to keep and nothing else; an observable class cannot be one.
    associatedtype SavedState: Codable & Sendable
    /// The scope of the state.
    static var stateScope: StateScope { get }
    /// The current state; nil if nothing is to be kept.
    var savedState: SavedState? { get }
    /// Takes over the state of an earlier instance; nil, for a service only, takes back what it took over for a stack that
    /// could not be restored.
    func restore(_ state: SavedState?)
}

/// The places where the state of a ``Restorable`` may be kept.
public enum StateScope: Sendable {
    /// It is never stored: sessions, and the content of secure fields.
    case memory
    /// It is part of a `RouterSnapshot`, which may be stored: drafts.
    case file
}
