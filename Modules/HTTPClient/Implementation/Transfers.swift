import Foundation
import HTTPClientInterface

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Runs the tasks of one `URLSession`: collects their bodies and ends them at the limits.
actor Transfers {
    private let session: URLSession
    private let delegate: TransferEvents
    private let limits: TransferLimits
    private var running: [Int: Transfer] = [:]

    /// Creates a session that keeps nothing: no cookies, no cache, no credentials.
    init(limits: TransferLimits) {
        self.limits = limits
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        // This timeout is longer than the deadline in `run`, which therefore always comes first. Foundation for Linux
        // drops the fraction of this timeout, and ends the program where it passes while a redirect is decided.
        configuration.timeoutIntervalForRequest = limits.timeoutSeconds + 60
        let (events, continuation) = AsyncStream.makeStream(of: TransferEvent.self)
        delegate = TransferEvents(continuation)
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        Task { [weak self] in
            for await event in events {
                await self?.handle(event)
            }
        }
    }

    deinit {
        // No task runs any more. Cancelling them too is unsafe on Linux, where Foundation reads its list of tasks while
        // other threads change it.
        session.finishTasksAndInvalidate()
    }

    /// Sends a request once and returns the response, whatever its status.
    ///
    /// - Throws: ``HTTP/Failure``, or `CancellationError` as soon as the calling task is cancelled.
    func run(_ request: URLRequest) async throws -> HTTP.Response {
        let task = session.dataTask(with: request)
        let id = task.taskIdentifier
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // Foundation's own timeout starts again with every byte, so a server that sends one at a time
                // would keep a user waiting for ever.
                let deadline = Task { [limits, weak self] in
                    try await Task.sleep(for: limits.timeout)
                    let failure = HTTP.Failure.timedOut(seconds: limits.timeoutSeconds)
                    await self?.cancel(id, with: .failure(failure))
                }
                running[id] = Transfer(
                    task: task, address: request.url.map(Self.authority) ?? "", deadline: deadline,
                    continuation: continuation)
                task.resume()
            }
        } onCancel: {
            Task { await cancel(id, with: .failure(CancellationError())) }
        }
    }

    private func handle(_ event: TransferEvent) {
        let id = event.task
        switch event.kind {
        case .response(let status, let length):
            running[id]?.status = status
            if length > limits.bodyBytes { cancel(id, with: tooLarge) }
        case .data(let data):
            // Checked as the bytes come: the announced length may be absent or wrong.
            running[id]?.body.append(data)
            if let count = running[id]?.body.count, count > limits.bodyBytes { cancel(id, with: tooLarge) }
        case .end(let error?):
            guard let transfer = running[id] else { return }
            // Foundation for Linux cancels a task whose challenge was rejected, after the whole response came.
            if error.code == .cancelled, transfer.status == 401 { return finish(id, with: transfer.result) }
            let failure = HTTP.Failure(
                error, at: transfer.address, hasBegun: transfer.status != nil, limits: limits)
            finish(id, with: .failure(failure))
        case .end(nil):
            guard let transfer = running[id] else { return }
            finish(id, with: transfer.result)
        }
    }

    /// Ends a request that is still under way.
    private func cancel(_ id: Int, with result: Result<HTTP.Response, any Error>) {
        guard let task = running[id]?.task else { return }
        delegate.cancel(task)
        finish(id, with: result)
    }

    /// Resumes the caller, once.
    private func finish(_ id: Int, with result: Result<HTTP.Response, any Error>) {
        guard let transfer = running.removeValue(forKey: id) else { return }
        transfer.deadline.cancel()
        transfer.continuation.resume(with: result)
    }

    /// The host and port, as in `127.0.0.1:8080`.
    private static func authority(of url: URL) -> String {
        let host = url.host(percentEncoded: false) ?? ""
        return url.port.map { "\(host):\($0)" } ?? host
    }

    private var tooLarge: Result<HTTP.Response, any Error> {
        .failure(HTTP.Failure.tooLarge(limit: limits.bodyBytes))
    }
}

/// A request under way.
private struct Transfer {
    let task: URLSessionDataTask
    /// The server's host and port, for messages.
    let address: String
    let deadline: Task<Void, any Error>
    let continuation: CheckedContinuation<HTTP.Response, any Error>
    var status: Int?
    var body = Data()

    var result: Result<HTTP.Response, any Error> {
        // Foundation for Linux does not announce a redirect that leads nowhere, but keeps it.
        guard let status = status ?? (task.response as? HTTPURLResponse)?.statusCode else {
            return .failure(HTTP.Failure.unreachable(reason: "\(address) sent an invalid response"))
        }
        return .success(HTTP.Response(status: status, body: body))
    }
}

extension HTTP.Failure {
    /// Translates Foundation's error for a request.
    ///
    /// Foundation's own texts differ between platforms, and some are numbers.
    ///
    /// - Parameters:
    ///   - error: The error that the session reported.
    ///   - address: The server's host and port.
    ///   - hasBegun: Whether the head of a response had arrived.
    ///   - limits: The client's limits.
    init(_ error: URLError, at address: String, hasBegun: Bool, limits: TransferLimits) {
        self =
            switch error.code {
            case .timedOut: .timedOut(seconds: limits.timeoutSeconds)
            case .cannotConnectToHost: .unreachable(reason: "nothing answers at \(address)")
            case .cannotFindHost, .dnsLookupFailed: .unreachable(reason: "no server is known as \(address)")
            case .networkConnectionLost: .unreachable(reason: "the connection was lost")
            // Foundation for Linux has no code for a connection that ends before the body does.
            case .unknown where hasBegun: .unreachable(reason: "the connection was lost")
            case .notConnectedToInternet: .unreachable(reason: "this computer is offline")
            // The address was checked before, so an unsupported protocol is that of a response (Linux).
            case .badServerResponse, .cannotParseResponse, .unsupportedURL:
                .unreachable(reason: "\(address) sent an invalid response")
            case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
                .unreachable(reason: "no secure connection to \(address) is possible")
            case .httpTooManyRedirects, .redirectToNonExistentLocation:
                .unreachable(reason: "\(address) redirects without end")
            default: .unreachable(reason: "the connection to \(address) failed")
            }
    }
}
