/// A text that is compared scalar by scalar, so that an edit which changes its normalisation alone is an edit.
///
/// Strings are equal already when they look alike: `é` is one scalar or two, and a server that keeps names apart by their
/// bytes may have a user of each.
@propertyWrapper
public struct ExactText: Hashable, Sendable {
    public var wrappedValue: String

    public init(wrappedValue text: String) { wrappedValue = text }

    public var text: String { wrappedValue }

    /// Compares the bytes in UTF-8, which are the same where the scalars are.
    public static func == (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Hashes the text as a string, which has the same hash for all texts that look alike.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// A name that identifies something: a user, a version, a server, a stored value.
public typealias Identifier = ExactText

extension ExactText: ExpressibleByStringInterpolation, CustomStringConvertible, Comparable {
    public var description: String { text }

    public init(_ text: String) { self.init(wrappedValue: text) }

    public init(stringLiteral text: String) { self.init(text) }

    /// Whether a text comes before another one, scalar by scalar.
    public static func < (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

extension ExactText: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
