/// A name that identifies something: a user, a version, a server, a stored value.
///
/// Identifiers are equal when their Unicode scalars are. Strings are equal already when they look alike: `é` is one scalar or
/// two, and a server that keeps names apart by their bytes may have a user of each.
public struct Identifier: Hashable, Sendable {
    /// The name itself.
    @ExactText public private(set) var text: String

    public init(_ text: String) { self.text = text }
}

extension Identifier: ExpressibleByStringInterpolation, CustomStringConvertible, Comparable {
    /// The name itself.
    public var description: String { text }

    public init(stringLiteral text: String) { self.init(text) }

    /// Whether a name comes before another one, scalar by scalar.
    public static func < (left: Identifier, right: Identifier) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

extension Identifier: Codable {
    /// Reads a name from a string.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the name as a string.
    public func encode(to encoder: any Encoder) throws { try _text.encode(to: encoder) }
}

/// Has the type around a text compare it scalar by scalar, so that an edit which changes its normalisation alone is an edit.
@propertyWrapper
public struct ExactText: Hashable, Sendable, Codable {
    /// The text.
    public var wrappedValue: String

    public init(wrappedValue: String) { self.wrappedValue = wrappedValue }

    /// Compares the bytes in UTF-8, which are the same where the scalars are.
    public static func == (left: ExactText, right: ExactText) -> Bool {
        left.wrappedValue.utf8.elementsEqual(right.wrappedValue.utf8)
    }

    /// Hashes the text as a string, which has the same hash for all texts that look alike.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }

    /// Reads a text from a string.
    public init(from decoder: any Decoder) throws {
        self.init(wrappedValue: try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the text as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}
