import Foundation
import HTTPClientInterface

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The limits of a request.
struct TransferLimits: Sendable {
    /// The time from the start of the request to the last byte of the response.
    var timeout: Duration = .seconds(10)
    /// The most bytes of the response's body: 1 MiB.
    var bodyBytes = 1 << 20

    var timeoutSeconds: Double { timeout / .seconds(1) }
}

/// Sends each request once, with one `URLSession`; collects the bodies of the responses, and ends requests at the limits.
actor URLSessionClient: HTTP.Client {
    private let address: ServerAddress
    private let limits: TransferLimits
    private let session: URLSession
    private var running: [Int: Transfer] = [:]

    /// Creates a client whose session keeps nothing: no cookies, no cache, no credentials.
    init(address: ServerAddress, limits: TransferLimits = TransferLimits()) {
        self.address = address
        self.limits = limits
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        // The deadline in `run` comes before this timeout.
        configuration.timeoutIntervalForRequest = limits.timeoutSeconds + 60
        let (events, continuation) = AsyncStream.makeStream(of: TransferEvent.self)
        session = URLSession(
            configuration: configuration, delegate: TransferEvents(continuation), delegateQueue: nil)
        Task { [weak self] in
            for await event in events {
                await self?.handle(event)
            }
        }
    }

    deinit {
        // No task runs any more. Cancelling the tasks is unsafe on Linux, where Foundation reads its list of tasks while
        // other threads change the list.
        session.finishTasksAndInvalidate()
    }

    func send(_ request: HTTP.Request) async throws -> HTTP.Response {
        let urlRequest = try address.urlRequest(for: request)
        try Task.checkCancellation()
        return try await run(urlRequest).checked()
    }

    /// - Returns: The response, whatever its status.
    private func run(_ request: URLRequest) async throws -> HTTP.Response {
        let task = session.dataTask(with: request)
        let id = task.taskIdentifier
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // Foundation's own timeout starts again with every byte, so a server that sends one byte at a time
                // would keep a user waiting for ever.
                let deadline = Task { [limits, weak self] in
                    try await Task.sleep(for: limits.timeout)
                    await self?.cancel(id, throwing: HTTP.Failure.timedOut(seconds: limits.timeoutSeconds))
                }
                running[id] = Transfer(task: task, deadline: deadline, continuation: continuation)
                task.resume()
            }
        } onCancel: {
            Task { await cancel(id, throwing: CancellationError()) }
        }
    }

    private func handle(_ event: TransferEvent) {
        let id = event.task
        guard let transfer = running[id] else { return }
        switch event.kind {
        case .response(let status, let length):
            running[id]?.status = status
            checkSize(length, of: id)
        case .data(let data):
            // The size is checked as the bytes come, because the announced length may be absent or wrong.
            running[id]?.body.append(data)
            checkSize(Int64(transfer.body.count + data.count), of: id)
        // Foundation for Linux cancels a task whose challenge was rejected, after the whole response came.
        case .end(let error?) where error.code != .cancelled || transfer.status != 401:
            let hasBegun = transfer.status != nil
            let failure = HTTP.Failure(error, at: address.authority, hasBegun: hasBegun, limits: limits)
            finish(id, with: .failure(failure))
        case .end:
            finish(id, with: transfer.response(from: address.authority))
        }
    }

    private func checkSize(_ size: Int64, of id: Int) {
        if size > limits.bodyBytes { cancel(id, throwing: HTTP.Failure.tooLarge(limit: limits.bodyBytes)) }
    }

    private func cancel(_ id: Int, throwing error: any Error) {
        running[id]?.task.cancel()
        finish(id, with: .failure(error))
    }

    /// Resumes the caller, once.
    private func finish(_ id: Int, with result: Result<HTTP.Response, any Error>) {
        guard let transfer = running.removeValue(forKey: id) else { return }
        transfer.deadline.cancel()
        transfer.continuation.resume(with: result)
    }
}

/// A request under way.
private struct Transfer {
    let task: URLSessionDataTask
    let deadline: Task<Void, any Error>
    let continuation: CheckedContinuation<HTTP.Response, any Error>
    var status: Int?
    var body = Data()

    func response(from authority: String) -> Result<HTTP.Response, any Error> {
        // Foundation for Linux does not announce the response of a redirect that leads nowhere, but keeps it.
        guard let status = status ?? (task.response as? HTTPURLResponse)?.statusCode else {
            return .failure(HTTP.Failure.unreachable(reason: "\(authority) sent an invalid response."))
        }
        return .success(HTTP.Response(status: status, body: body))
    }
}

extension HTTP.Failure {
    /// Translates Foundation's error for a request into words, because Foundation's own texts differ between platforms, and
    /// some are numbers.
    init(_ error: URLError, at authority: String, hasBegun: Bool, limits: TransferLimits) {
        self =
            switch error.code {
            case .timedOut: .timedOut(seconds: limits.timeoutSeconds)
            case .cannotConnectToHost: .unreachable(reason: "nothing responds at \(authority).")
            case .cannotFindHost, .dnsLookupFailed: .unreachable(reason: "\(authority) is no known server.")
            case .networkConnectionLost: .unreachable(reason: "the connection was lost.")
            // Foundation for Linux has no code for a connection that ends before the body does.
            case .unknown where hasBegun: .unreachable(reason: "the connection was lost.")
            case .notConnectedToInternet: .unreachable(reason: "this computer is offline.")
            // The address was checked before, so an unsupported protocol is that of a response (Linux).
            case .badServerResponse, .cannotParseResponse, .unsupportedURL:
                .unreachable(reason: "\(authority) sent an invalid response.")
            case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
                .unreachable(reason: "no secure connection to \(authority) is possible.")
            default: .unreachable(reason: "the connection to \(authority) failed.")
            }
    }
}
