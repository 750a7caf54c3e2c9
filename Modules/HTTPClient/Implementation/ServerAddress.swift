import Foundation
import HTTPClientInterface

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The base URL of the server, and the form of requests to it.
struct ServerAddress: Sendable {
    /// The host and port for messages, as in `127.0.0.1:8080`.
    let authority: String
    /// The base URL as text, without a slash at its end.
    private let base: String

    init(_ server: HTTP.Server) {
        let host = server.url.host(percentEncoded: false) ?? ""
        authority = server.url.port.map { "\(host):\($0)" } ?? host
        var text = server.url.absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        // Foundation for Linux knows schemes in small letters only.
        let scheme = text.prefix { $0 != ":" }
        base = scheme.lowercased() + text.dropFirst(scheme.count)
    }

    /// Translates a request for Foundation.
    ///
    /// - Throws: ``HTTP/Failure/invalidRequest(reason:)`` when a component would change the path (empty, `.` or `..`), or the
    ///   token or the version cannot stand in a header.
    func urlRequest(for request: HTTP.Request) throws(HTTP.Failure) -> URLRequest {
        var text = base
        for component in request.path {
            text += "/" + (try encoded(component))
        }
        var separator = "?"
        for (name, value) in request.query.sorted(by: { $0.key < $1.key }) {
            text += "\(separator)\(try percentEncoded(name))=\(try percentEncoded(value))"
            separator = "&"
        }
        guard let url = URL(string: text) else {
            throw .invalidRequest(reason: "its path does not form a URL")
        }
        var result = URLRequest(url: url)
        result.httpMethod = request.method.rawValue
        result.setValue("application/json", forHTTPHeaderField: "Accept")
        #if os(Linux)
            // When a reused connection is lost, Foundation for Linux sends the request again, without its body.
            result.setValue("close", forHTTPHeaderField: "Connection")
        #endif
        if let body = request.body {
            result.httpBody = body
            result.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        if let token = request.token {
            guard isHeaderSafe(token) else {
                throw .invalidRequest(reason: "the token holds characters that a header cannot")
            }
            result.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        }
        switch request.condition {
        case .absent: result.setValue("*", forHTTPHeaderField: "If-None-Match")
        case .version(let version):
            result.setValue(try tag(version), forHTTPHeaderField: "If-Match")
        case nil: break
        }
        return result
    }

    private func encoded(_ component: String) throws(HTTP.Failure) -> String {
        // Dots are not encoded, so these components would be the special segments of URLs.
        guard !["", ".", ".."].contains(component) else {
            throw .invalidRequest(reason: "'\(component)' cannot be used in a path")
        }
        return try percentEncoded(component)
    }

    /// Percent-encodes all characters but the unreserved ones of RFC 3986, section 2.3.
    private func percentEncoded(_ text: String) throws(HTTP.Failure) -> String {
        guard let encoded = text.addingPercentEncoding(withAllowedCharacters: Self.unreserved) else {
            throw .invalidRequest(reason: "a part of its address is not text")
        }
        return encoded
    }

    /// Whether a token has the form of RFC 6750, section 2.1: a line break would begin another header.
    private func isHeaderSafe(_ token: String) -> Bool {
        token.wholeMatch(of: /[A-Za-z0-9\-._~+\/]+=*/) != nil
    }

    /// A version as an entity tag (RFC 9110, section 8.8.3).
    private func tag(_ version: String) throws(HTTP.Failure) -> String {
        guard version.utf8.allSatisfy({ $0 == 0x21 || (0x23...0x7E).contains($0) }) else {
            throw .invalidRequest(reason: "the version holds characters that a header cannot")
        }
        return "\"\(version)\""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
