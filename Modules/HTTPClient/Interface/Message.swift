public import Foundation

extension HTTP {
    /// A request to the server.
    public struct Request: Hashable, Sendable, CustomStringConvertible {
        public let method: Method
        /// The components of the path, not yet percent-encoded: `["users", "ann"]` for `/users/ann`.
        public let path: [String]
        /// The query, not yet percent-encoded: `["after": "20"]` for `?after=20`.
        public let query: [String: String]
        /// The bearer token of the user; nil if no user is signed in.
        public let token: String?
        public let condition: Condition?
        /// The body, as JSON.
        public let body: Data?

        public init(
            _ method: Method, _ path: [String], query: [String: String] = [:], token: String? = nil,
            condition: Condition? = nil, body: Data? = nil
        ) {
            self.method = method
            self.path = path
            self.query = query
            self.token = token
            self.condition = condition
            self.body = body
        }

        /// The method and path, without the token and without the body, which may hold a password.
        public var description: String { "\(method.rawValue) /\(path.joined(separator: "/"))" }
    }

    /// A condition for fulfilling a request (RFC 9110, section 13); if it does not hold, the status is 412.
    public enum Condition: Hashable, Sendable {
        /// Nothing is at the path yet: `If-None-Match: *`.
        case absent
        /// The resource at the path still has this version: `If-Match: "…"`.
        case version(String)
    }

    /// The method of a request (RFC 9110, section 9).
    public enum Method: String, Sendable {
        /// Reads.
        case get = "GET"
        /// Replaces.
        case put = "PUT"
        /// Lets the server process the body.
        case post = "POST"
        /// Removes.
        case delete = "DELETE"
    }

    /// The response of the server.
    public struct Response: Sendable {
        public let status: Int
        public let body: Data

        public init(status: Int, body: Data) {
            self.status = status
            self.body = body
        }

        /// Returns this response if its status is from 200 to 299.
        ///
        /// - Throws: ``HTTP/Failure/status(_:body:)`` for any other status, with at most 64 KiB of the body: more than a note has.
        public func checked() throws(Failure) -> Response {
            if (200...299).contains(status) { return self }
            throw .status(status, body: String(decoding: body.prefix(64 << 10), as: UTF8.self))
        }
    }
}
