import Foundation

/// A request as it arrived over HTTP/1.1 (RFC 9112).
struct ReceivedRequest: Sendable {
    static let maximumHeadBytes = 64 << 10
    static let maximumBytes = 1 << 20

    let method: String
    /// The components of the path, percent-decoded after they were separated: `["users", "ann"]` for `/users/ann`.
    let path: [String]
    /// The query, percent-decoded: `["after": "20"]` for `?after=20`.
    let query: [String: String]
    /// The fields of the head by their names in small letters; fields of the same name are joined by a comma.
    let headers: [String: String]
    var body = Data()
    private let headBytes: Int

    /// Reads the lines of a head, and rejects a request for another host or from another web site.
    init(head: Data) throws(Refusal) {
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        let start = lines[0].split(separator: " ", omittingEmptySubsequences: false)
        guard start.count == 3, Self.isToken(start[0]), ["HTTP/1.1", "HTTP/1.0"].contains(start[2]) else {
            throw .malformed("The first line must be a method, a path and 'HTTP/1.1'.")
        }
        method = String(start[0])
        headBytes = head.count
        headers = try Self.fields(in: lines.dropFirst())
        let (authority, target) = Self.parts(of: start[1])
        (path, query) = try Self.resource(at: target)
        try requireHost(in: authority)
    }

    /// Separates the authority from a target in absolute form, which other targets do not have (RFC 9112, section 3.2.2).
    private static func parts(of target: Substring) -> (authority: String?, rest: Substring) {
        guard let scheme = target.prefixMatch(of: /(?i:http):\/\//) else { return (nil, target) }
        let rest = target[scheme.range.upperBound...]
        let end = rest.firstIndex { "/?".contains($0) } ?? rest.endIndex
        let resource = rest[end...]
        return (String(rest[..<end]), resource.hasPrefix("/") ? resource : "/" + resource)
    }

    private static func resource(
        at target: Substring
    ) throws(Refusal) -> (path: [String], query: [String: String]) {
        let target = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = target[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        let items = target.dropFirst().flatMap { $0.split(separator: "&") }
            .map { $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false) }
        let path = parts.compactMap(text)
        let decoded = items.map { $0.compactMap(text) }
        guard target[0].hasPrefix("/"), path.count == parts.count, decoded.map(\.count) == items.map(\.count)
        else {
            throw .malformed("The path must begin with '/' and be percent-encoded.")
        }
        return (path, Dictionary(decoded.map { ($0[0], $0.count > 1 ? $0[1] : "") }) { $1 })
    }

    /// The text, in its normal form, of a part of a target; nil where the part is not percent-encoded UTF-8.
    private static func text(_ part: Substring) -> String? {
        part.removingPercentEncoding?.precomposedStringWithCanonicalMapping
    }

    private static func fields(in lines: ArraySlice<String>) throws(Refusal) -> [String: String] {
        var headers: [String: String] = [:]
        for line in lines {
            let field = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard field.count == 2, isToken(field[0]), !field[1].utf8.contains(where: isControl) else {
                throw .malformed("A line of the head must be a name, a colon and a value.")
            }
            let (name, value) = (field[0].lowercased(), field[1].trimmingCharacters(in: blanks))
            headers[name] = headers[name].map { "\($0), \(value)" } ?? value
        }
        return headers
    }

    /// Rejects a request for another host, and a request of another web site.
    ///
    /// A page of any site can send requests to this port, and can let the name of its site stand for the loopback address (DNS
    /// rebinding). The browser then names the site in `Host` or `Origin`.
    ///
    /// - Parameter authority: The host and port in the target, which count in place of those in `Host`.
    /// - Throws: ``Refusal``.
    private func requireHost(in authority: String?) throws(Refusal) {
        guard let host = headers["host"], !host.contains(",") else {
            throw .malformed("A request must have one Host.")
        }
        let named = authority ?? host
        guard named.wholeMatch(of: /(?i:localhost|127\.0\.0\.1|\[::1\])(:\d+)?/) != nil else {
            throw .otherHost
        }
        if let origin = headers["origin"], origin.lowercased() != "http://\(named)".lowercased() {
            throw .otherSite
        }
    }

    /// The length of the body that follows the head.
    var bodyLength: Int {
        get throws(Refusal) {
            if headers["transfer-encoding"] != nil { throw .unknownLength }
            let text = headers["content-length"] ?? "0"
            guard !text.isEmpty, text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else {
                throw .malformed("The Content-Length must be a number.")
            }
            guard let length = Int(text), length <= Self.maximumBytes - headBytes else { throw .largeBody }
            return length
        }
    }

    /// The characters around the value of a field (RFC 9110, section 5.6.3).
    private static let blanks = CharacterSet(charactersIn: " \t")

    /// Whether a text is a token of RFC 9110, section 5.6.2.
    private static func isToken(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { 0x21...0x7E ~= $0 && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
    }

    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }
}
