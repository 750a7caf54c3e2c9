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
    public let description: String

    public init(_ name: String) { description = name }
}
