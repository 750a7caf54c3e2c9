/// The parts of a URL's text that matter for routing, found in one pass and not yet decoded.
///
/// `Foundation.URL` has checked the syntax already, so the text is only cut: taking it apart with `URLComponents`
/// costs several times as much as the whole search for a pattern.
struct URLLocation {
    /// The scheme and the host with its port, in lower case: `https://example.com`.
    let origin: Substring
    /// The path between its slashes, without an empty segment at the end.
    let segments: [EncodedText]
    /// The position of the last segment that no parameter can take; -1 where there is none.
    let lastUnusable: Int
    /// What follows the question mark.
    let query: Substring?

    /// Cuts a URL's text, or is nil where there is no scheme or no host.
    init?(_ text: String) {
        let bytes = text.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > bytes.startIndex,
            bytes[colon...].starts(with: "://".utf8)
        else { return nil }
        let hostStart = bytes.index(colon, offsetBy: 3)
        var pathStart = bytes.endIndex
        var pathEnd = bytes.endIndex
        var queryStart: String.Index?
        var end = bytes.endIndex
        var isLowercase = true
        var slashes = 0
        var index = bytes.startIndex
        scan: while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "#"):
                end = index
                break scan
            case UInt8(ascii: "?") where queryStart == nil:
                queryStart = bytes.index(after: index)
                pathEnd = index
                if pathStart == bytes.endIndex { pathStart = index }
            case UInt8(ascii: "/") where index >= hostStart && queryStart == nil:
                if pathStart == bytes.endIndex { pathStart = index }
                slashes += 1
            case UInt8(ascii: "A")...UInt8(ascii: "Z") where pathStart == bytes.endIndex:
                isLowercase = false
            default: break
            }
            index = bytes.index(after: index)
        }
        pathStart = min(pathStart, end)
        pathEnd = min(pathEnd, end)
        guard hostStart < pathStart else { return nil }
        let origin = text[..<pathStart]
        self.origin = isLowercase ? origin : origin.lowercased()[...]
        segments = Self.segments(text[pathStart..<pathEnd], count: slashes)
        lastUnusable = segments.lastIndex { !$0.canStandInPath } ?? -1
        query = queryStart.map { text[$0..<end] }
    }

    /// The segments of a path that is empty or begins with a slash.
    private static func segments(_ path: Substring, count: Int) -> [EncodedText] {
        var path = path.utf8
        if path.last == UInt8(ascii: "/") { path = path.dropLast() }
        var segments: [EncodedText] = []
        segments.reserveCapacity(count)
        while !path.isEmpty {
            path = path.dropFirst()
            let end = path.firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
            segments.append(EncodedText(Substring(path[..<end])))
            path = path[end...]
        }
        return segments
    }
}
