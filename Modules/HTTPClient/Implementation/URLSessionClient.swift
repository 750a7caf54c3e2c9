import Foundation
import HTTPClientInterface

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests with Foundation's `URLSession`, and retries them where that is safe and may help.
///
/// A request is retried when its method is idempotent and the server could not be reached, was too slow, or reported that it
/// is unavailable for now (502, 503, 504). A `POST` is sent exactly once.
final class URLSessionClient: HTTP.Client {
    private let address: ServerAddress
    private let limits: TransferLimits
    private let transfers: Transfers
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Creates a client for one server.
    ///
    /// - Parameters:
    ///   - address: The address of the server.
    ///   - limits: The limits of time, attempts and sizes.
    ///   - sleep: Waits between attempts; tests pass one that returns at once.
    init(
        address: ServerAddress, limits: TransferLimits = TransferLimits(),
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.address = address
        self.limits = limits
        self.sleep = sleep
        transfers = Transfers(limits: limits)
    }

    func send(_ request: HTTP.Request) async throws -> HTTP.Response {
        let urlRequest = try address.urlRequest(for: request)
        // Only idempotent methods are retried (RFC 9110, section 9.2.2).
        let attempts = request.method != .post ? max(1, limits.attempts) : 1
        for attempt in 1..<attempts {
            do {
                return try await response(to: urlRequest)
            } catch let failure as HTTP.Failure where failure.mayPass {
                try await sleep(limits.pause(after: attempt))
            }
        }
        return try await response(to: urlRequest)
    }

    private func response(to request: URLRequest) async throws -> HTTP.Response {
        try Task.checkCancellation()
        return try await transfers.run(request).checked()
    }
}

extension HTTP.Failure {
    /// Whether the same request may succeed a moment later.
    fileprivate var mayPass: Bool {
        switch self {
        case .unreachable, .timedOut, .status(502...504, _): true
        case .status, .undecodable, .tooLarge, .invalidRequest: false
        }
    }
}
