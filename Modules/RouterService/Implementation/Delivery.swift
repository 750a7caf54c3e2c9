/// Carries one output to the one caller that waits for it, exactly once.
@MainActor
final class Delivery<Output: Sendable> {
    private enum State {
        case open
        case awaited(CheckedContinuation<Output, any Error>)
        case delivered(Result<Output, any Error>)
    }

    private var state = State.open

    /// Whether there was an output, as opposed to none yet or a cancellation.
    var isFinished: Bool {
        if case .delivered(.success) = state { true } else { false }
    }

    /// The output, as soon as it is there; for one caller, once.
    var value: Output {
        get async throws {
            if case .delivered(let result) = state { return try result.get() }
            return try await withCheckedThrowingContinuation { state = .awaited($0) }
        }
    }

    /// Delivers the output or the reason why there is none; the first delivery counts.
    func deliver(_ result: Result<Output, any Error>) {
        switch state {
        case .open:
            state = .delivered(result)
        case .awaited(let caller):
            state = .delivered(result)
            caller.resume(with: result)
        case .delivered:
            break
        }
    }
}
