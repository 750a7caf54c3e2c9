import Foundation

/// A request as it arrived over HTTP/1.1 (RFC 9112).
struct ReceivedRequest: Sendable {
    static let maximumHeadBytes = 64 << 10
    static let maximumBytes = 1 << 20

    /// The method.
    let method: String
    /// The components of the path, percent-decoded after they were separated: `["users", "ann"]` for `/users/ann`.
    let path: [String]
    /// The query, percent-decoded: `["after": "20"]` for `?after=20`.
    let query: [String: String]
    /// The fields of the head by their names in small letters; those of one name joined by a comma.
    let headers: [String: String]
    /// The body; empty if the request has none.
    var body = Data()
    private let head: Data

    /// Head and body as they arrived.
    var text: String { String(decoding: head + Data("\r\n\r\n".utf8) + body, as: UTF8.self) }

    /// Reads the lines of a head.
    init(head: Data) throws(RejectedRequest) {
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        let start = lines[0].split(separator: " ", omittingEmptySubsequences: false)
        guard start.count == 3, Self.isToken(start[0]), ["HTTP/1.1", "HTTP/1.0"].contains(start[2]) else {
            throw .malformed("The first line must be a method, a path and 'HTTP/1.1'.")
        }
        let target = start[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = target[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        let items = target.dropFirst().flatMap { $0.split(separator: "&") }
            .map { $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false) }
        let path = parts.compactMap(\.removingPercentEncoding)
        let decoded = items.map { $0.compactMap(\.removingPercentEncoding) }
        guard target[0].hasPrefix("/"), path.count == parts.count, decoded.map(\.count) == items.map(\.count)
        else {
            throw .malformed("The path must begin with '/' and be percent-encoded.")
        }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let field = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard field.count == 2, Self.isToken(field[0]), !field[1].utf8.contains(where: Self.isControl)
            else {
                throw .malformed("A line of the head must be a name, a colon and a value.")
            }
            let (name, value) = (field[0].lowercased(), field[1].trimmingCharacters(in: .whitespaces))
            headers[name] = headers[name].map { "\($0), \(value)" } ?? value
        }
        method = String(start[0])
        self.path = path
        self.headers = headers
        self.head = head
        query = Dictionary(decoded.map { ($0[0], $0.count > 1 ? $0[1] : "") }) { $1 }
    }

    /// The length of the body that follows the head.
    var bodyLength: Int {
        get throws(RejectedRequest) {
            if headers["transfer-encoding"] != nil { throw .unknownLength }
            let text = headers["content-length"] ?? "0"
            guard !text.isEmpty, text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else {
                throw .malformed("The Content-Length must be a number.")
            }
            guard let length = Int(text), length <= Self.maximumBytes - head.count else { throw .largeBody }
            return length
        }
    }

    /// Whether a text is a token of RFC 9110, section 5.6.2.
    private static func isToken(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { 0x21...0x7E ~= $0 && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
    }

    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }
}

/// The reason why a request is not read: the status of the answer, and words for the client.
struct RejectedRequest: Error {
    let status: Int
    let message: String

    static let slow = RejectedRequest(status: 408, message: "The request must arrive within 30 seconds.")
    static let unknownLength = RejectedRequest(
        status: 411, message: "The body must come with a Content-Length.")
    static let largeBody = RejectedRequest(
        status: 413, message: "A request must have at most \(ReceivedRequest.maximumBytes) bytes.")
    static let largeHead = RejectedRequest(
        status: 431,
        message: "The head of a request must have at most \(ReceivedRequest.maximumHeadBytes) bytes.")

    static func malformed(_ message: String) -> RejectedRequest {
        RejectedRequest(status: 400, message: message)
    }
}
