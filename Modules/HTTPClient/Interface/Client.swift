extension HTTP {
    /// Sends requests to one server.
    public protocol Client: AnyObject, Sendable {
        /// Sends a request and returns the answer, whose status is from 200 to 299.
        ///
        /// - Throws: ``HTTP/Failure``, or `CancellationError` when the calling task is cancelled.
        func send(_ request: Request) async throws -> Response
    }
}
