/// The time for which one instance of a service serves.
public enum Lifetime: Hashable, Sendable {
    /// One instance while it is held by others, released after.
    ///
    /// The default; for classes and actors only.
    case weak
    /// One instance, from its first use until the router is released.
    case singleton
    /// A new instance for each dependency.
    case transient
    /// One instance from its first use in a scope until the scope is left.
    case scope(Scope)
}

/// A named period of time, such as one user's session, to which services may be bound.
///
/// Scopes are declared in interfaces (`static let session = Scope("login.session")`), and begin and end with
/// ``Router/enter(_:)`` and ``Router/leave(_:)``.
public struct Scope: Hashable, Sendable, CustomStringConvertible {
    /// The scope's name, unique in a program.
    public let name: String

    public init(_ name: String) { self.name = name }

    /// The scope's name.
    public var description: String { name }
}

extension Lifetime: CustomStringConvertible {
    /// The scope whose end ends the instance, if there is one.
    public var scope: Scope? { if case .scope(let scope) = self { scope } else { nil } }

    /// The lifetime as it is written in a registration, for example `scope(login.session)`.
    public var description: String {
        switch self {
        case .weak: "weak"
        case .singleton: "singleton"
        case .transient: "transient"
        case .scope(let scope): "scope(\(scope))"
        }
    }
}

/// A screen's model or a service whose state outlives it: typed text, the user who is signed in.
///
/// When a module is replaced, the router hands the state of the old instance to the new one. A service takes part by
/// conforming, a screen's model by ``RouteContext/keepState(of:)`` too. The state travels as JSON, because the new instance
/// may be of a type that was recompiled; one that cannot read it, or has another scope, begins without.
@MainActor
public protocol Restorable: AnyObject {
    /// A structure of its own, which holds the state to keep and nothing else; an observable class cannot be one.
    associatedtype SavedState: Codable & Sendable
    /// The scope of the state.
    static var stateScope: StateScope { get }
    /// The current state; nil if nothing is to be kept.
    var savedState: SavedState? { get }
    /// Takes over the state of an earlier instance.
    func restore(_ state: SavedState)
}

/// The places where the state of a ``Restorable`` may be kept.
public enum StateScope: Sendable {
    /// It is never stored: sessions, and the content of secure fields.
    case memory
    /// It is part of a ``RouterSnapshot``, which may be stored: drafts.
    case file
}
