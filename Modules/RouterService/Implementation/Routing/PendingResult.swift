import RouterServiceInterface

/// Delivers one output exactly once: to the caller that waits for it, or to a closure.
@MainActor
final class PendingResult<Output: Sendable> {
    typealias Receiver = @MainActor (Result<Output, any Error>) -> Void

    private enum State {
        case open
        case awaited(by: Receiver)
        case delivered(Result<Output, any Error>)
        case received
    }

    private var state: State
    /// Whether the waiting task was cancelled, even if its work ignores that.
    private var isCancelled = false

    /// Creates a pending result for a closure, or for the caller of ``value(endingWork:)``.
    init(_ receiver: Receiver? = nil) {
        state = if let receiver { .awaited(by: receiver) } else { .open }
    }

    /// Waits for the output; called once.
    ///
    /// Cancelling the task ends the wait, even if the work ignores cancellation.
    func value(endingWork end: @escaping @Sendable @MainActor () -> Void) async throws -> Output {
        try await withTaskCancellationHandler {
            if case .delivered(let result) = state { return try result.get() }
            return try await withCheckedThrowingContinuation { caller in
                state = .awaited { caller.resume(with: $0) }
            }
        } onCancel: {
            Task { @MainActor in
                isCancelled = true
                // End the work first: that may resume other callers, which must run before this one.
                end()
                deliver(.failure(CancellationError()))
            }
        }
    }

    /// Delivers the output or an error; the first delivery counts.
    func deliver(_ result: Result<Output, any Error>) {
        let result = isCancelled ? .failure(CancellationError()) : result
        switch state {
        case .open: state = .delivered(result)
        case .awaited(let receiver):
            state = .received
            receiver(result)
        case .delivered, .received: break
        }
    }

    /// A pending result of another type, whose converted output is delivered here.
    func converted<Other>(
        from type: Other.Type, by convert: @escaping @MainActor (Other) throws -> Output
    ) -> PendingResult<Other> {
        PendingResult<Other> { result in self.deliver(Result { try convert(result.get()) }) }
    }
}

/// Does foreign work until the calling task is cancelled; work that ignores cancellation is left alone.
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
        // Starts synchronously, so that work that never suspends needs no extra hop.
        task = Task.immediate { await perform() }
    } else {
        task = Task { await perform() }
    }
    return try await done.value { task.cancel() }
}
