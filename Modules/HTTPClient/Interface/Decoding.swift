import Foundation
public import RouterServiceInterface

extension HTTP.Response {
    /// Decodes the body from JSON, with dates as text in ISO 8601, and texts in their normal form.
    ///
    /// - Throws: ``HTTP/Failure/undecodable(type:path:reason:)`` with the path of the bad key.
    public func decoded<Value: Decodable>(
        as type: Value.Type, routes: (any RouteCatalog)? = nil
    ) throws(HTTP.Failure) -> Value {
        let decoder = JSONDecoder()
        decoder.routeCatalog = routes
        // Foundation's own strategy for ISO 8601 loses the path of a bad date.
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            if let date = try? Date(container.decode(String.self), strategy: format) { return date }
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "this is not a date in ISO 8601.")
        }
        do {
            return try decoder.decode(type, from: body.normalizedJSON)
        } catch {
            throw HTTP.Failure(error, decoding: type)
        }
    }
}

extension HTTP {
    /// A part of a body that is decoded separately, so that a mistake in it costs no other part.
    public struct Part<Value: Decodable & Sendable>: Decodable, Sendable {
        /// The value, or ``HTTP/Failure/undecodable(type:path:reason:)``.
        public let result: Result<Value, Failure>

        public var failure: Failure? { if case .failure(let failure) = result { failure } else { nil } }

        public init(from decoder: any Decoder) {
            do { result = .success(try Value(from: decoder)) } catch {
                result = .failure(Failure(error, decoding: Value.self, at: decoder.codingPath))
            }
        }
    }
}

extension HTTP.Failure {
    fileprivate init(_ error: any Error, decoding type: Any.Type, at path: [any CodingKey] = []) {
        // Foundation throws another error, without a description, for half of a surrogate pair.
        let (path, reason) =
            (error as? DecodingError).map(HTTP.explanation)
            ?? (HTTP.text(path), "it holds something that is not text.")
        self = .undecodable(
            type: "\(type)", path: path.isEmpty ? "(the whole body)" : path, reason: reason)
    }
}

extension HTTP {
    /// The path of a value that cannot be decoded, such as `links[2].parameters`, and the reason; the path is empty where the
    /// whole body cannot be decoded.
    public static func explanation(of error: DecodingError) -> (path: String, reason: String) {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            (text(context.codingPath), context.debugDescription)
        case .keyNotFound(let key, let context):
            (text(context.codingPath + [key]), "the key is missing.")
        @unknown default: ("", errorMessage(of: error))
        }
    }

    fileprivate static func text(_ path: [any CodingKey]) -> String {
        path.reduce("") { text, key in
            if let index = key.intValue { return "\(text)[\(index)]" }
            return text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)"
        }
    }
}
