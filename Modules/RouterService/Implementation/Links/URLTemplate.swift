import RouterServiceInterface

/// A well-formed URL pattern in its parts, and the route that it opens.
struct URLTemplate: Sendable {
    enum Segment: Sendable, Hashable {
        case literal(Substring)
        case parameter(String)

        var name: String? { if case .parameter(let name) = self { name } else { nil } }
    }

    static let maximumSegments = 64

    let pattern: String
    let type: any Route.Type
    /// The scheme and the host, in lower case: `https://example.com`.
    let origin: Substring
    let path: [Segment]
    let query: [String]

    init(_ pattern: String, of type: any Route.Type) throws(URLMistake) {
        self.pattern = pattern
        self.type = type
        guard !pattern.utf8.contains(UInt8(ascii: "#")) else {
            throw URLMistake(reason: "a fragment ('#') is not used in routing")
        }
        guard let pieces = URLPieces(pattern) else {
            throw URLMistake(reason: "it does not begin with a scheme, '://' and a host")
        }
        origin = try Self.origin(pieces.origin)
        guard pieces.segments.count <= Self.maximumSegments else {
            throw URLMistake(reason: "its path has more than \(Self.maximumSegments) segments")
        }
        path = try pieces.segments.map { segment throws(URLMistake) in try Self.segment(segment) }
        let items = pieces.query?.split(separator: "&", omittingEmptySubsequences: false) ?? []
        query = try items.map { name throws(URLMistake) in try Self.parameter(name) }
        var names: Set<String> = []
        for name in path.compactMap(\.name) + query where !names.insert(name).inserted {
            throw URLMistake(reason: "it names '\(name)' twice")
        }
    }

    private static func origin(_ origin: Substring) throws(URLMistake) -> Substring {
        let scheme = origin.prefix { $0 != ":" }
        guard let first = scheme.first, first.isASCII, first.isLetter,
            scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { throw URLMistake(reason: "a scheme is a letter and then letters, digits, '+', '-' and '.'") }
        let host = origin.dropFirst(scheme.count + "://".count)
        let excluded = "*@%\\<>\"^`{|}".utf8
        guard !host.hasPrefix(":"),
            host.utf8.allSatisfy({ (33...126).contains($0) && !excluded.contains($0) })
        else {
            throw URLMistake(
                reason: "a host is a text in ASCII, without spaces and any of \(String(excluded))")
        }
        return origin
    }

    private static func segment(_ encoded: EncodedText) throws(URLMistake) -> Segment {
        let text = encoded.text
        if text.utf8.first == UInt8(ascii: ":") {
            return .parameter(try parameter(text.dropFirst()))
        }
        guard let literal = encoded.decoded else {
            throw URLMistake(reason: "'\(text)' is not percent-encoded UTF-8")
        }
        guard EncodedText.canStandInPath(literal) else {
            throw URLMistake(reason: "a segment of its path is empty, '.' or '..'")
        }
        return .literal(literal)
    }

    private static func parameter(_ name: Substring) throws(URLMistake) -> String {
        guard !name.isEmpty else { throw URLMistake(reason: "a parameter has no name") }
        guard name.allSatisfy({ $0.isLetter || $0.isNumber || "_-.".contains($0) }) else {
            throw URLMistake(
                reason: "the parameter name '\(name)' holds more than letters, digits, '_', '-' and '.'")
        }
        return String(name)
    }
}

struct URLMistake: Error {
    let reason: String
}
