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

    /// The output, as soon as it is there; for one caller, once.
    var value: Output {
        get async throws {
            if case .delivered(let result) = state { return try result.get() }
            return try await withCheckedThrowingContinuation { state = .awaited($0) }
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

/// Receives the result of a route.
@MainActor
struct ResultReceiver<Output> {
    let receive: @MainActor (Result<Output, any Error>) -> Void

    /// The same receiver, for a route that replaces the requested one.
    ///
    /// An output of another type counts as a cancellation.
    func retyped<Other>(to type: Other.Type) -> ResultReceiver<Other> {
        if let same = self as? ResultReceiver<Other> { return same }
        return ResultReceiver<Other> { _ in receive(.failure(CancellationError())) }
    }

    /// The same receiver, for a route whose output is converted.
    func converting<Other>(
        from type: Other.Type, by convert: @escaping @MainActor (Other) throws -> Output
    ) -> ResultReceiver<Other> {
        ResultReceiver<Other> { result in receive(Result { try convert(result.get()) }) }
    }
}
