public import Foundation
import Synchronization

/// A server on the loopback address that plays prepared bytes, one script for each connection.
///
/// The last script serves all further connections. `GET /configuration`, which the App sends at any time, gets a 404, and
/// takes no script.
public struct ScriptedServer: Sendable {
    /// A step of the server after it received a whole request.
    public enum Step: Sendable {
        /// Sends bytes.
        case send(String)
        /// Waits.
        case pause(Duration)
        /// Sends one byte at a time until the client hangs up.
        case drip
        /// Sends nothing until the client hangs up.
        case hold
    }

    public let port: UInt16
    public let baseURL: URL
    /// The requests as they arrive, head and body as text.
    let arrivals: AsyncStream<String>

    /// Runs a server while `body` uses it.
    ///
    /// - Returns: The requests that the server received, except `GET /configuration`.
    @discardableResult
    public static func run(
        _ scripts: [[Step]], isolation: isolated (any Actor)? = #isolation,
        body: (ScriptedServer) async throws -> Void
    ) async throws -> [String] {
        let connections = Atomic(0)
        return try await run(
            isolation: isolation,
            playing: { request in
                if isFetch(request) { return .response(404) }
                let number = connections.add(1, ordering: .relaxed).oldValue
                return scripts[min(number, scripts.count - 1)]
            }, body: body)
    }

    /// Runs a server that chooses a script by the text of the request, while `body` uses it.
    ///
    /// - Returns: The requests that the server received, except `GET /configuration`.
    @discardableResult
    public static func run(
        isolation: isolated (any Actor)? = #isolation, playing script: @escaping @Sendable (String) -> [Step],
        body: (ScriptedServer) async throws -> Void
    ) async throws -> [String] {
        let (arrivals, arrival) = AsyncStream.makeStream(of: String.self)
        let (recorded, record) = AsyncStream.makeStream(of: String.self)
        let isStopped = Atomic(false)
        let port = try ScriptedConnection.listen(until: { isStopped.load(ordering: .relaxed) }) {
            connection in
            guard let request = connection.request() else { return }
            // A client that waits for the arrival may send the next request, which must not take this script.
            let steps = script(request)
            if !isFetch(request) {
                record.yield(request)
                arrival.yield(request)
            }
            for step in steps where !connection.play(step) { break }
        }
        defer { isStopped.store(true, ordering: .relaxed) }
        guard let baseURL = URL(string: "http://127.0.0.1:\(port)") else { throw URLError(.badURL) }
        try await body(ScriptedServer(port: port, baseURL: baseURL, arrivals: arrivals))
        record.finish()
        return await recorded.reduce(into: []) { $0.append($1) }
    }

    private static func isFetch(_ request: String) -> Bool { request.hasPrefix("GET /configuration ") }

    /// Waits until a request has arrived.
    public func nextArrival() async -> String? {
        await arrivals.first { _ in true }
    }
}

extension [ScriptedServer.Step] {
    /// A whole response.
    public static func response(_ status: Int, _ body: String = "{}", headers: String = "") -> Self {
        let head = "HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n"
        return [.send("\(head)\(headers)\r\n\(body)")]
    }
}
