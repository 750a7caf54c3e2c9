public enum Lifetime: Hashable, Sendable {
    /// One instance for as long as something holds it: the default, for classes and actors only.
    case weak
    /// One instance until the router is released.
    case singleton
    /// An instance for each dependency.
    case transient
    /// One instance from its first use in a scope until the scope is left.
    case scope(Scope)
}

/// A named period of time, such as a user's session, which ``Router/enter(_:)`` begins and ``Router/leave(_:)`` ends.
public struct Scope: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ name: String) { description = name }
}
