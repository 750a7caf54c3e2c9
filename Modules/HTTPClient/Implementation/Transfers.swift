import Foundation
import HTTPClientInterface
import RouterServiceInterface
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Runs the tasks of a `URLSession`: collects their bodies and ends them at the limits.
///
/// Being a delegate of the session rather than of its tasks works on all platforms: on Linux a task's own delegate
/// is not called.
final class Transfers: NSObject, URLSessionDataDelegate, Sendable {
    private static let maximumRedirects = 5
    private let limits: TransferLimits
    private let running = Mutex<[Int: Transfer]>([:])

    init(limits: TransferLimits) { self.limits = limits }

    /// Creates a session that keeps nothing: no cookies, no cache, no credentials.
    ///
    /// It holds this delegate until it is invalidated.
    func makeSession() -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        // Later than the deadline in `run`, so that only that one ever counts: on Linux, Foundation drops the
        // fraction of this time, and the program ends when it passes while a redirect is decided.
        configuration.timeoutIntervalForRequest = limits.timeoutSeconds + 60
        return URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
    }

    /// Sends a request once and returns the answer, whatever its status.
    ///
    /// - Throws: ``HTTP/Failure``, or `CancellationError` as soon as the calling task is cancelled.
    func run(_ request: URLRequest, in session: URLSession) async throws -> HTTP.Response {
        let task = session.dataTask(with: request)
        let id = task.taskIdentifier
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                running.withLock {
                    $0[id] = Transfer(
                        task: task, address: request.url.map(Self.authority) ?? "",
                        deadline: deadline(of: id),
                        continuation: continuation)
                }
                task.resume()
                // The handler was called before there was anything to cancel.
                if Task.isCancelled { cancel(id, because: CancellationError()) }
            }
        } onCancel: {
            cancel(id, because: CancellationError())
        }
    }

    /// Foundation's own timeout starts again with every byte, so a server that sends one at a time would keep a user waiting
    /// for ever.
    private func deadline(of id: Int) -> Task<Void, any Error> {
        Task {
            try await Task.sleep(for: limits.timeout)
            cancel(id, because: HTTP.Failure.timedOut(seconds: limits.timeoutSeconds))
        }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let id = dataTask.taskIdentifier
        running.withLock { $0[id]?.status = (response as? HTTPURLResponse)?.statusCode }
        completionHandler(.allow)
        if response.expectedContentLength > limits.bodyBytes { cancel(id, because: tooLarge) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let id = dataTask.taskIdentifier
        let count = running.withLock { running in
            running[id]?.body.append(data)
            return running[id]?.body.count ?? 0
        }
        // Checked as the bytes come: the announced length may be absent or wrong.
        if count > limits.bodyBytes { cancel(id, because: tooLarge) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        guard let transfer = running.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        guard let error else { return transfer.finish(with: transfer.answer) }
        let reason = error as? URLError ?? URLError(.unknown)
        // Foundation for Linux cancels a task whose challenge was rejected, after the whole answer came.
        if reason.code == .cancelled, transfer.status == 401 { return transfer.finish(with: transfer.answer) }
        let failure = HTTP.Failure(
            reason, at: transfer.address, hasBegun: transfer.status != nil, limits: limits)
        transfer.finish(with: .failure(failure))
    }

    /// Follows at most five redirects of a `GET`, each to the same scheme, host and port.
    ///
    /// The token must not reach another server, and only a `GET` may be sent twice. A redirect that is
    /// not followed is the answer: a failure with its status (301, 302, …).
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let request = redirect(of: task, to: request)
        running.withLock { running in
            // Foundation for Linux ends the program when a redirect of a cancelled task is decided.
            if running[task.taskIdentifier] != nil { completionHandler(request) }
        }
    }

    /// The request of a redirect that is followed; nil for any other.
    private func redirect(of task: URLSessionTask, to request: URLRequest) -> URLRequest? {
        let original = task.originalRequest
        // The task itself counts its redirects.
        let count = task.taskDescription.flatMap { Int($0) } ?? 0
        guard original?.httpMethod == "GET", let from = original?.url, let to = request.url,
            Origin(from) == Origin(to), count < Self.maximumRedirects
        else { return nil }
        task.taskDescription = "\(count + 1)"
        var request = request
        request.setValue(
            original?.value(forHTTPHeaderField: "Authorization"), forHTTPHeaderField: "Authorization")
        return request
    }

    /// Rejects requests for a password, which the App does not have, so that the answer is a 401 like any other.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        // Whether a server's certificate is trusted is for the system to decide.
        let isServerTrust =
            challenge.protectionSpace.authenticationMethod == "NSURLAuthenticationMethodServerTrust"
        completionHandler(isServerTrust ? .performDefaultHandling : .rejectProtectionSpace, nil)
    }

    /// Ends a request that is still under way, before a redirect of it is decided or after.
    private func cancel(_ id: Int, because error: any Error) {
        let transfer = running.withLock { running in
            running[id]?.task.cancel()
            return running.removeValue(forKey: id)
        }
        transfer?.finish(with: .failure(error))
    }

    /// The host and port, as in `127.0.0.1:8080`.
    private static func authority(of url: URL) -> String {
        let host = url.host(percentEncoded: false) ?? ""
        return url.port.map { "\(host):\($0)" } ?? host
    }

    private var tooLarge: HTTP.Failure { .tooLarge(limit: limits.bodyBytes) }
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

    /// Resumes the caller.
    func finish(with result: Result<HTTP.Response, any Error>) {
        deadline.cancel()
        continuation.resume(with: result)
    }

    var answer: Result<HTTP.Response, any Error> {
        // Linux does not announce a redirect that leads nowhere, but keeps it.
        let response = task.response as? HTTPURLResponse
        guard let status = status ?? response?.statusCode else {
            return .failure(HTTP.Failure.unreachable(reason: "\(address) sent an invalid response"))
        }
        // A weak tag names a version too; one that could not be sent back is none.
        let version = response?.value(forHTTPHeaderField: "ETag")?.wholeMatch(of: /(?:W\/)?"([^"]*)"/)
            .map { Identifier(String($0.1)) }.flatMap { ServerAddress.canSend(version: $0) ? $0 : nil }
        return .success(HTTP.Response(status: status, body: body, version: version))
    }
}

/// The origin of a URL: two URLs of the same origin belong to one server (RFC 6454, section 4).
private struct Origin: Equatable {
    let scheme: String?
    let host: String?
    let port: Int?

    init(_ url: URL) {
        scheme = url.scheme?.lowercased()
        host = url.host(percentEncoded: true)?.lowercased()
        port = url.port ?? ["http": 80, "https": 443][scheme ?? ""]
    }
}

extension HTTP.Failure {
    /// Translates Foundation's error for a request.
    ///
    /// Foundation's own texts differ between platforms, and some are numbers; the usual causes have texts here.
    ///
    /// - Parameters:
    ///   - error: The error that the session reported.
    ///   - address: The server's host and port.
    ///   - hasBegun: Whether the head of an answer had arrived.
    ///   - limits: The client's limits.
    init(_ error: URLError, at address: String, hasBegun: Bool, limits: TransferLimits) {
        self =
            switch error.code {
            case .timedOut: .timedOut(seconds: limits.timeoutSeconds)
            case .cannotConnectToHost: .unreachable(reason: "nothing answers at \(address)")
            case .cannotFindHost, .dnsLookupFailed: .unreachable(reason: "no server is known as \(address)")
            case .networkConnectionLost: .unreachable(reason: "the connection was lost")
            // Linux has no number for a connection that ends before the body does.
            case .unknown where hasBegun: .unreachable(reason: "the connection was lost")
            case .notConnectedToInternet: .unreachable(reason: "this computer is offline")
            // The address was checked before, so an unsupported protocol is the server's (Linux).
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
