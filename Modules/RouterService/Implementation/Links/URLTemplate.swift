import RouterServiceInterface

/// A well-formed `URLPattern` in its parts.
struct URLTemplate: Sendable {
    enum Segment: Sendable, Hashable {
        /// Text, not percent-encoded.
        case literal(Substring)
        case parameter(String)
        case rest(String)

        /// The parameter's name.
        var name: String? {
            switch self {
            case .literal: nil
            case .parameter(let name), .rest(let name): name
            }
        }
    }

    struct QueryName: Sendable {
        let name: String
        let isList: Bool
    }

    /// The reason why a pattern is malformed, to complete "The URL pattern … of … matches nothing:".
    struct Mistake: Error {
        let reason: String
    }

    static let maximumSegments = 64

    /// The scheme and the host as they stand at the start of a URL, in lower case: `https://example.com`.
    let origin: Substring
    let path: [Segment]
    let query: [QueryName]

    init(_ pattern: URLPattern) throws(Mistake) {
        let text = pattern.description
        guard !text.utf8.contains(UInt8(ascii: "#")) else {
            throw Mistake(reason: "a fragment ('#') is not used in routing")
        }
        guard let pieces = URLPieces(text) else {
            throw Mistake(reason: "it does not begin with a scheme, '://' and a host")
        }
        origin = try Self.origin(pieces.origin)
        guard pieces.segments.count <= Self.maximumSegments else {
            throw Mistake(reason: "its path has more than \(Self.maximumSegments) segments")
        }
        var path: [Segment] = []
        for segment in pieces.segments {
            if case .rest(let name) = path.last {
                throw Mistake(
                    reason: "nothing can follow ':\(name)*', which takes all the segments that remain")
            }
            path.append(try Self.segment(segment))
        }
        self.path = path
        query = try pieces.query.map { text throws(Mistake) in try Self.query(text) } ?? []
        var names: Set<String> = []
        for name in path.compactMap(\.name) + query.map(\.name) where !names.insert(name).inserted {
            throw Mistake(reason: "it names '\(name)' twice")
        }
    }

    private static func origin(_ origin: Substring) throws(Mistake) -> Substring {
        let scheme = origin.prefix { $0 != ":" }
        guard let first = scheme.first, first.isASCII, first.isLetter,
            scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { throw Mistake(reason: "a scheme is a letter and then letters, digits, '+', '-' and '.'") }
        let host = origin.dropFirst(scheme.count + "://".count)
        guard !host.hasPrefix(":") else {
            throw Mistake(reason: "a host is a text and cannot be a parameter")
        }
        guard host.utf8.allSatisfy({ (33...126).contains($0) }) else {
            throw Mistake(reason: "a host is written in ASCII, without spaces")
        }
        if let wrong = host.first(where: "*@%\\<>\"^`{|}".contains) {
            throw Mistake(reason: "a host holds no '\(wrong)'")
        }
        return origin
    }

    private static func segment(_ encoded: EncodedText) throws(Mistake) -> Segment {
        let text = encoded.text
        if text.utf8.first == UInt8(ascii: ":") {
            let (name, isList) = try parameter(text.dropFirst())
            return isList ? .rest(name) : .parameter(name)
        }
        guard let literal = encoded.decoded else {
            throw Mistake(reason: "'\(text)' is not percent-encoded UTF-8")
        }
        guard !text.utf8.contains(UInt8(ascii: "*")) else {
            throw Mistake(reason: "'*' stands after a parameter only, as in ':\(text.filter { $0 != "*" })*'")
        }
        guard EncodedText.canStandInPath(literal) else {
            throw Mistake(reason: "a segment of its path is empty, '.' or '..'")
        }
        return .literal(literal)
    }

    private static func query(_ text: Substring) throws(Mistake) -> [QueryName] {
        var names: [QueryName] = []
        for part in text.split(separator: "&", omittingEmptySubsequences: false) {
            let (name, isList) = try parameter(part)
            names.append(QueryName(name: name, isList: isList))
        }
        return names
    }

    private static func parameter(_ text: Substring) throws(Mistake) -> (name: String, isList: Bool) {
        let isList = text.hasSuffix("*")
        let name = isList ? text.dropLast() : text
        guard !name.isEmpty else { throw Mistake(reason: "a parameter has no name") }
        guard name.allSatisfy({ $0.isLetter || $0.isNumber || "_-.".contains($0) }) else {
            throw Mistake(
                reason: "the parameter name '\(name)' holds more than letters, digits, '_', '-' and '.'")
        }
        return (String(name), isList)
    }
}
