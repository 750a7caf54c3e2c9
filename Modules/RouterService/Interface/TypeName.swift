/// A type as a key and, when a message is printed, as text.
public struct TypeName: Hashable, Sendable, CustomStringConvertible {
    /// The identity of the type.
    public let id: ObjectIdentifier
    private let type: any Any.Type

    /// Refers to a type.
    public init(_ type: any Any.Type) {
        self.type = type
        id = ObjectIdentifier(type)
    }

    /// Compares the types themselves, never their names.
    public static func == (left: TypeName, right: TypeName) -> Bool { left.id == right.id }

    /// Hashes the type's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// Whether it is a structure, an enumeration, a tuple or a function; false for classes and for protocols.
    public var isValueType: Bool { !isProtocol && !(type is AnyClass) }

    /// The type's name without its module, for example `any Login.Sessions`.
    public var description: String {
        // `String(describing:)` would drop the namespaces too, so the module is cut from the full name, and what
        // Swift writes in place of the file for a private type.
        let name = String(reflecting: type)
            .replacing(/\(unknown context at [^)]*\)\./, with: "")
            .replacing(/(^|[<( ])[A-Za-z_][A-Za-z0-9_]*\./) { $0.1 }
        return isProtocol ? "any \(name)" : name
    }

    /// `String(reflecting:)` writes `P` for `any P`, but the type of `(any P).self` as `P.Protocol`.
    private var isProtocol: Bool { String(reflecting: Swift.type(of: type)).hasSuffix(".Protocol") }
}
