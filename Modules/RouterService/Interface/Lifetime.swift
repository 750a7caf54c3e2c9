/// How long one instance of a service serves.
public enum Lifetime: Hashable, Sendable {
    /// One instance while anybody holds it, released after.
    ///
    /// The default; for classes and actors only.
    case weak
    /// One instance, from its first use until the router is released.
    case singleton
    /// A new instance for each need.
    case transient
    /// One instance from its first use in a scope until the scope is left.
    case scope(Scope)
}

/// A stretch of time with a name, such as one person's session, to which services may be bound.
///
/// Scopes are declared in interfaces (`static let session = Scope("login.session")`), and begin and end with
/// ``Router/enter(_:)`` and ``Router/leave(_:)``.
public struct Scope: Hashable, Sendable, CustomStringConvertible {
    /// The scope's name, unique in a program.
    public let name: String

    /// Creates a scope of this name.
    public init(_ name: String) {
        self.name = name
    }

    /// The scope's name.
    public var description: String { name }
}
