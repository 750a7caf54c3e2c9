/// A type as a key of collections and in messages.
public struct TypeKey: Hashable, Sendable, CustomStringConvertible {
    public let id: ObjectIdentifier
    private let type: any Any.Type

    public init(_ type: any Any.Type) {
        self.type = type
        id = ObjectIdentifier(type)
    }

    public static func == (left: TypeKey, right: TypeKey) -> Bool { left.id == right.id }

    public func hash(into hasher: inout Hasher) { hasher.combine(id) }

    public var isValueType: Bool { !isProtocol && !(type is AnyClass) }

    /// The type's name with its module, which is the same for a recompiled type and in the next run of the program.
    public var fullName: String { text(withModules: true) }

    /// The type's name without its module, for example `any Login.Sessions`.
    public var description: String {
        let name = text(withModules: false)
        return isProtocol && !name.hasPrefix("any ") ? "any \(name)" : name
    }

    private func text(withModules: Bool) -> String {
        // `String(reflecting:)` returns the same after casts that search all conformances of the program;
        // `String(describing:)` would drop namespaces too.
        var rest = Array(_typeName(type, qualified: true).utf8)[...]
        // The index at which a name begins that may be a module's.
        var (text, module): ([UInt8], Int?) = ([], 0)
        while let byte = rest.first {
            // For a private type, Swift writes an address in place of the file.
            if rest.skip("(unknown context at ", to: ").") { continue }
            if !withModules, rest.skip("(extension in ", to: "):") || rest.skip("Self.", to: " == ") {
                continue
            }
            rest.removeFirst()
            if byte == UInt8(ascii: "."), !withModules, let start = module, start < text.count {
                text.removeSubrange(start...)
                module = nil
            } else {
                text.append(byte)
                module = "<( ".utf8.contains(byte) ? text.count : byte.isInIdentifier ? module : nil
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether the type is `any P`, whose metatype is `P.Protocol`, or `any P<Int>`, whose full name begins with `any`.
    private var isProtocol: Bool {
        fullName.hasPrefix("any ") || _typeName(Swift.type(of: type), qualified: true).hasSuffix(".Protocol")
    }
}

extension ArraySlice<UInt8> {
    /// Removes a text with some start and end, if neither a space nor a bracket is between.
    fileprivate mutating func skip(_ start: String, to end: String) -> Bool {
        guard first == start.utf8.first, starts(with: start.utf8) else { return false }
        let after = dropFirst(start.utf8.count).drop { !"<() ".utf8.contains($0) }
        guard after.starts(with: end.utf8) else { return false }
        self = after.dropFirst(end.utf8.count)
        return true
    }
}

extension UInt8 {
    fileprivate var isInIdentifier: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) || self == UInt8(ascii: "_")
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }
}
