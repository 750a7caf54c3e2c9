import Foundation
import HTTPClientInterface
import RouterServiceInterface
import Synchronization

/// Serves a backend over HTTP/1.1, with a connection for each request.
struct EmbeddedServer: Sendable {
    let client: EmbeddedClient
    var patience = LoopbackConnection.patience

    func serve(_ connection: LoopbackConnection) {
        do {
            guard let request = try connection.request(patience: patience) else { return }
            connection.send(response(to: request))
        } catch {
            connection.send(Self.bytes(of: error.response))
        }
        connection.finish(until: .now + patience)
    }

    /// Returns the bytes of the response; blocks the thread, which belongs to the connection.
    func response(to received: ReceivedRequest) -> Data {
        var methods = Set(EmbeddedBackend.methods(at: received.path))
        // HEAD is GET without a body (RFC 9110, section 9.3.2).
        if methods.contains("GET") { methods.insert("HEAD") }
        let response =
            if methods.contains(received.method), let request = HTTP.Request(received) {
                response(to: request)
            } else {
                (methods.isEmpty ? Refusal.unknownPath : .methodNotAllowed(received.method)).response
            }
        var fields: [String: String] = [:]
        if response.status == 401 { fields["WWW-Authenticate"] = "Bearer" }
        if response.status == 405 { fields["Allow"] = methods.sorted().joined(separator: ", ") }
        return Self.bytes(of: response, fields, withBody: received.method != "HEAD")
    }

    private func response(to request: HTTP.Request) -> HTTP.Response {
        let isDone = DispatchSemaphore(value: 0)
        let result = Mutex(Refusal.unavailable("").response)
        Task {
            let response: HTTP.Response
            do {
                response = try await client.response(to: request)
            } catch {
                response = Refusal.unavailable(errorMessage(of: error)).response
            }
            result.withLock { $0 = response }
            isDone.signal()
        }
        isDone.wait()
        return result.withLock { $0 }
    }

    private static func bytes(
        of response: HTTP.Response, _ fields: [String: String] = [:], withBody: Bool = true
    ) -> Data {
        var fields = fields
        fields["Connection"] = "close"
        if response.status != 204 {
            fields["Content-Type"] = "application/json"
            fields["Content-Length"] = "\(response.body.count)"
        }
        let lines = fields.sorted { $0.key < $1.key }.map { "\($0): \($1)\r\n" }.joined()
        let head = Data("HTTP/1.1 \(response.status) \r\n\(lines)\r\n".utf8)
        return withBody ? head + response.body : head
    }
}

extension HTTP.Request {
    /// Reads a request; nil where the backend has no such method.
    fileprivate init?(_ received: ReceivedRequest) {
        let name = received.method == "HEAD" ? "GET" : received.method
        guard let method = HTTP.Method(rawValue: name) else { return nil }
        let token = received.headers["authorization"]?.wholeMatch(of: /(?i:Bearer) +(\S+)/)
        self.init(
            method, received.path, query: received.query, token: token.map { String($0.1) },
            condition: HTTP.Condition(received.headers), body: received.body)
    }
}

extension HTTP.Condition {
    /// Reads a condition; a condition that is not a single entity tag is for a version that no note has.
    fileprivate init?(_ headers: [String: String]) {
        if headers["if-none-match"] == "*" {
            self = .absent
        } else if let match = headers["if-match"] {
            self = .version(match.wholeMatch(of: /"([^"]+)"/).map { String($0.1) } ?? "")
        } else {
            return nil
        }
    }
}
