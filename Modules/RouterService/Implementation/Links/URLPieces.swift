import Foundation

/// The parts of a URL's text that matter for routing.
///
/// `Foundation.URL` has checked the syntax, so the text is only cut; `URLComponents` takes several times as long as the search
/// for a pattern.
struct URLPieces {
    /// The scheme and the host with its port, in lower case: `https://example.com`.
    let origin: Substring
    /// The path between its slashes, without an empty segment at the end.
    let segments: [EncodedText]
    let query: Substring?

    /// Cuts a URL's text; nil where it has no scheme or no host.
    init?(_ text: String) {
        let bytes = text.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > bytes.startIndex,
            bytes[colon...].starts(with: "://".utf8)
        else { return nil }
        let hostStart = bytes.index(colon, offsetBy: 3)
        let pathEnd =
            bytes[hostStart...].firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
            ?? bytes.endIndex
        guard hostStart < pathEnd else { return nil }
        let pathStart = bytes[hostStart..<pathEnd].firstIndex(of: UInt8(ascii: "/")) ?? pathEnd
        guard hostStart < pathStart else { return nil }
        let origin = text[..<pathStart]
        let isLowercase = !origin.utf8.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        self.origin = isLowercase ? origin : origin.lowercased()[...]
        segments = Self.segments(bytes[pathStart..<pathEnd])
        guard pathEnd < bytes.endIndex, bytes[pathEnd] == UInt8(ascii: "?") else {
            query = nil
            return
        }
        let end = bytes[pathEnd...].firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        query = text[bytes.index(after: pathEnd)..<end]
    }

    private static func segments(_ path: Substring.UTF8View) -> [EncodedText] {
        var path = path
        if path.last == UInt8(ascii: "/") { path = path.dropLast() }
        var segments: [EncodedText] = []
        while !path.isEmpty {
            path = path.dropFirst()
            let end = path.firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
            segments.append(EncodedText(Substring(path[..<end])))
            path = path[end...]
        }
        return segments
    }
}

struct EncodedText: Sendable {
    let text: Substring
    /// The text without percent-encoding, in its normal form; nil where it is not percent-encoded UTF-8.
    let decoded: Substring?

    init(_ text: Substring) {
        self.text = text
        decoded = text.utf8.contains(UInt8(ascii: "%")) ? Self.decode(text) : text
    }

    var canStandInPath: Bool { decoded.map(Self.canStandInPath) ?? true }

    // Foundation's `removingPercentEncoding` drops a byte order mark, which belongs to the value.
    private static func decode(_ text: Substring) -> Substring? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)?.precomposedStringWithCanonicalMapping[...]
    }

    /// Percent-encodes a text for a path or a query, also `+`, which some readers take for a space.
    static func encode(_ text: some StringProtocol) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                bytes.append(byte)
            case _ where "-._~:@,".utf8.contains(byte):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a text can be a segment of a path; other programs rewrite empty and dotted segments.
    static func canStandInPath(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text != "." && text != ".."
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(UnicodeScalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
