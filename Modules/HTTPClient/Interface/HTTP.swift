public import Foundation

/// Requests to a server, and its responses.
public enum HTTP {}

extension HTTP {
    /// Sends requests to one server.
    public protocol Client: AnyObject, Sendable {
        /// Sends a request and returns the response, whose status is from 200 to 299.
        ///
        /// - Throws: ``HTTP/Failure``, or `CancellationError` when the calling task is cancelled.
        func send(_ request: Request) async throws -> Response
    }
}

extension HTTP {
    /// The server that the user chose, which the App registers for a client over the network.
    public struct Server: Sendable {
        /// An `http` or `https` URL with a host, which may have a path.
        public let url: URL

        /// Reads an address such as `http://127.0.0.1:8080`.
        ///
        /// - Returns: nil where the text is no such address, or has a user, a password, a query or a fragment.
        public init?(_ address: String) {
            guard let parts = URLComponents(string: address), let url = parts.url,
                ["http", "https"].contains(parts.scheme?.lowercased()), parts.host?.isEmpty == false,
                parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
                // A port that is too large for any number is nil, but has its place in the text.
                parts.port.map((1...65535).contains) ?? (parts.rangeOfPort?.isEmpty ?? true)
            else { return nil }
            self.url = url
        }
    }
}
