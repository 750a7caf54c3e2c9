public import Foundation

extension Data {
    /// This JSON with each text in Unicode normal form C, in which texts that are equal have the same bytes.
    ///
    /// Text is normalised where it enters the program: decoders of responses, files and links read this JSON. Malformed JSON
    /// stays malformed.
    public var normalizedJSON: Data {
        // No scalar below U+0300, in UTF-8 CC 80, is changed.
        guard var text = String(validating: self, as: UTF8.self),
            text.utf8.contains(where: { $0 >= 0xCC || $0 == UInt8(ascii: "\\") })
        else { return self }
        if range(of: Data(#"\u"#.utf8)) != nil {
            let escapes = /\\\\|(?:\\u[0-9A-Fa-f]{4})+/.matchingSemantics(.unicodeScalar)
            text = text.replacing(escapes) { Self.unescaped($0.output) ?? $0.output }
        }
        return Data(text.precomposedStringWithCanonicalMapping.utf8)
    }

    /// The text of some escapes, in which only what JSON requires is escaped; nil for half of a surrogate pair.
    private static func unescaped(_ escapes: Substring) -> Substring? {
        let text = try? JSONDecoder().decode(String.self, from: Data("\"\(escapes)\"".utf8))
        guard let text, let json = try? JSONEncoder().encode(text) else { return nil }
        // Without the quotation marks; a character of the text may have combined with the first.
        return String(decoding: json.dropFirst().dropLast(), as: UTF8.self)[...]
    }
}
