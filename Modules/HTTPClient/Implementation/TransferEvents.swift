import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An event that a `URLSession` reports about one of its tasks.
struct TransferEvent: Sendable {
    enum Kind: Sendable {
        case response(status: Int?, length: Int64)
        case data(Data)
        case end(URLError?)
    }

    /// The identifier of the task.
    let task: Int
    let kind: Kind
}

/// Forwards the calls of a session's delegate, in order, to a stream: Foundation for Linux calls no delegate of a task.
final class TransferEvents: NSObject, URLSessionDataDelegate, Sendable {
    private let continuation: AsyncStream<TransferEvent>.Continuation

    init(_ continuation: AsyncStream<TransferEvent>.Continuation) {
        self.continuation = continuation
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
    }

    /// Ends the request with the status of the redirect, so that the token reaches no other server.
    ///
    /// The handler is not called: Foundation for Linux ends the program when a redirect of a cancelled task is decided.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        yield(.response(status: response.statusCode, length: 0), of: task)
        yield(.end(nil), of: task)
        task.cancel()
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
