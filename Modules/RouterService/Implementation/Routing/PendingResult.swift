import RouterServiceInterface

/// Carries one output to the one caller that waits for it, exactly once.
@MainActor
final class PendingResult<Output: Sendable> {
    private enum State {
        case open
        case awaited(CheckedContinuation<Output, any Error>)
        case delivered(Result<Output, any Error>)
    }

    private var state = State.open

    /// The output, as soon as it is there; for one caller, once, until its task is cancelled, whatever the work for the output
    /// makes of that.
    ///
    /// - Parameter end: Ends that work.
    /// - Returns: The output.
    /// - Throws: The error that was delivered, or `CancellationError`.
    func value(endingWork end: @escaping @Sendable @MainActor () -> Void) async throws -> Output {
        try await withTaskCancellationHandler {
            if case .delivered(let result) = state { return try result.get() }
            return try await withCheckedThrowingContinuation { state = .awaited($0) }
        } onCancel: {
            Task { @MainActor in
                // First, because it may resume others that come before.
                end()
                deliver(.failure(CancellationError()))
            }
        }
    }

    /// Delivers the output or an error; the first delivery counts.
    func deliver(_ result: Result<Output, any Error>) {
        switch state {
        case .open:
            state = .delivered(result)
        case .awaited(let caller):
            state = .delivered(result)
            caller.resume(with: result)
        case .delivered: break
        }
    }
}

/// Does foreign work until the calling task is cancelled: work that does not notice that is left alone.
@MainActor
func untilCancelled<Output: Sendable>(
    _ work: @escaping @MainActor () async throws -> Output
) async throws -> Output {
    let done = PendingResult<Output>()
    let perform: @MainActor () async -> Void = {
        do { done.deliver(.success(try await work())) } catch { done.deliver(.failure(error)) }
    }
    let task: Task<Void, Never>
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        // So that work which does not wait takes no turn of its own.
        task = Task.immediate { await perform() }
    } else {
        task = Task { await perform() }
    }
    return try await done.value { task.cancel() }
}

/// Receives the result of a route, once.
@MainActor
final class ResultReceiver<Output> {
    private var deliver: (@MainActor (Result<Output, any Error>) -> Void)?

    /// Creates a receiver; without a closure, nobody waits for the output.
    init(_ deliver: (@MainActor (Result<Output, any Error>) -> Void)? = nil) {
        self.deliver = deliver
    }

    // With a router that is released, so that its callers do not wait for ever.
    deinit {
        guard let deliver else { return }
        Task { @MainActor in deliver(.failure(CancellationError())) }
    }

    /// Delivers the output to the caller, if one waits.
    func finish(with output: Output) {
        deliver.take()?(.success(output))
    }

    /// Ends the wait for the output, unless it was delivered.
    func cancel() { deliver.take()?(.failure(CancellationError())) }

    /// A receiver for a route whose output is converted.
    func converting<Other>(
        from type: Other.Type, by convert: @escaping @MainActor (Other) throws -> Output
    ) -> ResultReceiver<Other> {
        ResultReceiver<Other> { result in self.deliver.take()?(Result { try convert(result.get()) }) }
    }
}
