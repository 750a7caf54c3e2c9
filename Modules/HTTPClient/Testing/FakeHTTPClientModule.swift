public import Foundation
public import HTTPClientInterface
public import RouterServiceInterface

/// Registers a client without prepared responses, for a feature that runs alone.
public struct FakeHTTPClientModule: Module {
    public init() {}

    public func register(in registrar: Registrar) {
        registrar.register((any HTTP.Client).self, lifetime: .singleton) { FakeHTTPClient() }
    }
}

/// Returns the responses that a test prepared, and records the requests.
///
/// Every prepared response serves one request, in the order of preparation for each method and path. A status outside 200 to
/// 299 is thrown as ``HTTP/Failure/status(_:body:)``, as the real client does.
///
/// ```swift
/// let client = FakeHTTPClient()
/// client.respond(.post, "session", json: #"{"user":"ann","token":"t"}"#)
/// client.fail(.get, "users/ann", with: .unreachable(reason: "refused"))
/// ```
@MainActor
public final class FakeHTTPClient: HTTP.Client {
    /// The requests so far, oldest first, including requests without a prepared response.
    public private(set) var requests: [HTTP.Request] = []

    private var prepared: [Endpoint: [Outcome]] = [:]

    nonisolated public init() {}

    /// Prepares a response to requests of a path such as `users/ann`.
    public func respond(_ method: HTTP.Method, _ path: String, status: Int = 200, json: String = "") {
        let response = HTTP.Response(status: status, body: Data(json.utf8))
        prepare(.response(response), for: method, path)
    }

    public func fail(_ method: HTTP.Method, _ path: String, with failure: HTTP.Failure) {
        prepare(.failure(failure), for: method, path)
    }

    /// Prepares silence: the request fails with ``HTTP/Failure/timedOut(seconds:)`` after some time, or when its task is
    /// cancelled.
    public func hang(_ method: HTTP.Method, _ path: String, seconds: Double = 3600) {
        prepare(.silence(seconds: seconds), for: method, path)
    }

    /// - Throws: The prepared failure; `CancellationError` when the calling task is cancelled; ``UnpreparedRequest`` when nothing
    ///   is left for the method and path.
    @MainActor
    public func send(_ request: HTTP.Request) async throws -> HTTP.Response {
        requests.append(request)
        try Task.checkCancellation()
        let endpoint = Endpoint(method: request.method, path: request.path)
        guard var outcomes = prepared[endpoint], !outcomes.isEmpty else {
            throw UnpreparedRequest(method: request.method, path: request.path)
        }
        let outcome = outcomes.removeFirst()
        prepared[endpoint] = outcomes
        switch outcome {
        case .response(let response):
            return try response.checked()
        case .failure(let failure):
            throw failure
        case .silence(let seconds):
            try await Task.sleep(for: .seconds(seconds))
            throw HTTP.Failure.timedOut(seconds: seconds)
        }
    }

    private func prepare(_ outcome: Outcome, for method: HTTP.Method, _ path: String) {
        let components = path.split(separator: "/").map(String.init)
        prepared[Endpoint(method: method, path: components), default: []].append(outcome)
    }

    private struct Endpoint: Hashable {
        let method: HTTP.Method
        let path: [String]
    }

    private enum Outcome {
        case response(HTTP.Response)
        case failure(HTTP.Failure)
        case silence(seconds: Double)
    }
}

/// The error of a ``FakeHTTPClient`` for a request without a prepared response.
public struct UnpreparedRequest: LocalizedError {
    public let method: HTTP.Method
    public let path: [String]

    public var errorDescription: String? {
        let path = path.joined(separator: "/")
        return "Nothing is prepared for \(method.rawValue) /\(path). "
            + "Call 'respond(.\(method), \"\(path)\", …)' first."
    }
}
