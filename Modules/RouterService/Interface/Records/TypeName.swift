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

    /// The type's name with its module, equal also for a type that was recompiled, and in the next run of the program.
    public var fullName: String {
        // `String(reflecting:)` returns the same, after casts that search all conformances of a program again as soon
        // as a library was loaded.
        let name = _typeName(type, qualified: true)
        // What Swift writes instead of the file for a private type is an address.
        return name.contains("(unknown") ? name.replacing(/\(unknown context at [^)]*\)\./, with: "") : name
    }

    /// The type's name without its module, for example `any Login.Sessions`.
    public var description: String {
        // `String(describing:)` would drop the namespaces too, so the module is cut from the full name.
        let name = fullName.replacing(/\(extension in [^)]*\):|^any |Self\.[\w.]+ ==\s/, with: "")
            .replacing(/(^|[<( ])[A-Za-z_][A-Za-z0-9_]*\./) { $0.1 }
        return isProtocol ? "any \(name)" : name
    }

    /// The full name of `any P` is that of `P`, but the type of `(any P).self` is `P.Protocol`; that of `any P<Int>` has the
    /// word itself.
    private var isProtocol: Bool {
        fullName.hasPrefix("any ") || _typeName(Swift.type(of: type), qualified: true).hasSuffix(".Protocol")
    }
}
