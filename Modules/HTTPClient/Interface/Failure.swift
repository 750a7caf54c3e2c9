public import Foundation

extension HTTP {
    /// The reason why a request brought no usable response.
    public enum Failure: Error, Hashable {
        /// No connection, with the reason as a sentence.
        case unreachable(reason: String)
        /// No response within the time limit.
        case timedOut(seconds: Double)
        /// A status code outside 200 to 299, with the body as text.
        case status(Int, body: String)
        /// A body of an unexpected form, with the path of the bad value (`links[2]`) and the mistake.
        case undecodable(type: String, path: String, reason: String)
        /// A body of more bytes than the client accepts.
        case tooLarge(limit: Int)
        /// A request that cannot be sent, with the reason.
        case invalidRequest(reason: String)
    }
}

extension HTTP.Failure: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .unreachable(let reason): "The server cannot be reached: \(reason)"
        case .timedOut(let seconds): "The server did not respond within \(seconds.formatted()) s."
        case .status(let code, let body):
            // The server's own message, where the body has one: `{"error": "…"}`.
            (try? JSONDecoder().decode(ErrorBody.self, from: Data(body.utf8)).error)
                ?? "The server responded with status \(code)."
        case .undecodable(let type, let path, let reason):
            "The server's response is not a \(type): at '\(path)', \(reason)"
        case .tooLarge(let limit): "The server's response is larger than \(limit) bytes."
        case .invalidRequest(let reason): "The request cannot be sent: \(reason)."
        }
    }
}

private struct ErrorBody: Decodable {
    let error: String
}
