import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An event that a `URLSession` reports about one of its tasks.
struct TransferEvent: Sendable {
    /// The kind of the event.
    enum Kind: Sendable {
        case response(status: Int?, length: Int64)
        case data(Data)
        case end(URLError?)
    }

    /// The identifier of the task.
    let task: Int
    let kind: Kind
}

/// Forwards the calls of a session's delegate, in order, to the reader of the stream.
///
/// Being a delegate of the session rather than of its tasks works on all platforms: on Linux a task's own delegate
/// is not called.
final class TransferEvents: NSObject, URLSessionDataDelegate, Sendable {
    private static let maximumRedirects = 5
    private let continuation: AsyncStream<TransferEvent>.Continuation
    /// The cancelled tasks that have not ended yet.
    private let cancelled = Mutex<Set<Int>>([])

    init(_ continuation: AsyncStream<TransferEvent>.Continuation) {
        self.continuation = continuation
    }

    /// Cancels a task that has not ended yet, before a redirect of it is decided or after.
    func cancel(_ task: URLSessionTask) {
        cancelled.withLock { cancelled in
            cancelled.insert(task.taskIdentifier)
            task.cancel()
        }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let status = (response as? HTTPURLResponse)?.statusCode
        let length = response.expectedContentLength
        yield(.response(status: status, length: length), of: dataTask)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        yield(.data(data), of: dataTask)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        yield(.end(error.map { $0 as? URLError ?? URLError(.unknown) }), of: task)
        _ = cancelled.withLock { $0.remove(task.taskIdentifier) }
    }

    /// Follows at most five redirects of a `GET`, each to the same scheme, host and port.
    ///
    /// The token must not reach another server, and only a `GET` may be sent twice. A redirect that is not followed fails
    /// with its status (301, 302, …).
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let request = redirect(of: task, to: request)
        cancelled.withLock { cancelled in
            // Foundation for Linux ends the program when a redirect of a cancelled task is decided.
            if !cancelled.contains(task.taskIdentifier) { completionHandler(request) }
        }
    }

    /// The request of a redirect; nil where the redirect is not followed.
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

    /// Rejects a challenge for a password, which the App does not have, so that the response is a 401 like any other.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        // The system decides whether a server's certificate is trusted.
        let isServerTrust =
            challenge.protectionSpace.authenticationMethod == "NSURLAuthenticationMethodServerTrust"
        completionHandler(isServerTrust ? .performDefaultHandling : .rejectProtectionSpace, nil)
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        continuation.finish()
    }

    private func yield(_ kind: TransferEvent.Kind, of task: URLSessionTask) {
        continuation.yield(TransferEvent(task: task.taskIdentifier, kind: kind))
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
