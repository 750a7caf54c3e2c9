import RouterServiceInterface

/// Delivers one output, exactly once, to the caller that waits for it.
@MainActor
final class PendingResult<Output: Sendable> {
    private var delivered: Result<Output, any Error>?
    private var caller: CheckedContinuation<Output, any Error>?

    /// Waits for the output; called once.
    ///
    /// Cancelling the task ends the wait, even if the work ignores cancellation.
    func value(endingWork end: @escaping @Sendable @MainActor () -> Void) async throws -> Output {
        try await withTaskCancellationHandler {
            if let delivered { return try delivered.get() }
            return try await withCheckedThrowingContinuation { caller = $0 }
        } onCancel: {
            Task { @MainActor in
                delivered = delivered ?? .failure(CancellationError())
                // The work ends before the caller resumes, which finds no screen that was shown for it.
                end()
                deliver(.failure(CancellationError()))
            }
        }
    }

    /// Delivers the output or an error; the first delivery counts.
    func deliver(_ result: Result<Output, any Error>) {
        let first = delivered ?? result
        delivered = first
        caller.take()?.resume(with: first)
    }

    /// Delivers the output of a route, or `UserDeclined` in place of an output of another type.
    func receive(_ result: Result<any Sendable, any Error>) {
        deliver(
            Result {
                guard let output = try result.get() as? Output else { throw UserDeclined() }
                return output
            })
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
