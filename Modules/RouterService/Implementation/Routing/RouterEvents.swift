import RouterServiceInterface
import RouterServiceProgram

/// Streams router events to observers; without observers, an event costs one comparison.
@MainActor
final class RouterEvents {
    private(set) var isObserved = false
    private var observers: [Int: AsyncStream<RouterEvent>.Continuation] = [:] {
        didSet { isObserved = !observers.isEmpty }
    }
    private var count = 0
    private let clock = ContinuousClock()

    deinit {
        for observer in observers.values { observer.finish() }
    }

    func events() -> AsyncStream<RouterEvent> {
        let (events, continuation) = AsyncStream.makeStream(of: RouterEvent.self)
        count += 1
        let number = count
        observers[number] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { @MainActor in self?.observers[number] = nil }
        }
        return events
    }

    /// Adds an event, which is created only while there are observers.
    @inline(__always)
    func add(_ event: @autoclosure () -> RouterEvent) {
        if isObserved { send(event()) }
    }

    /// Adds an error, unless the caller's task was cancelled or the user declined.
    func report(_ error: any Error, of subject: @autoclosure () -> String) {
        guard !(error is CancellationError), !(error is UserDeclined) else { return }
        add(.failed(subject(), error))
    }

    func reportingFailure<Value>(
        of subject: @autoclosure () -> String, _ work: @MainActor () async throws -> Value
    ) async throws -> Value {
        do {
            return try await work()
        } catch {
            report(error, of: subject())
            throw error
        }
    }

    private func send(_ event: RouterEvent) {
        for observer in observers.values { observer.yield(event) }
    }

    func start() -> ContinuousClock.Instant? {
        isObserved ? clock.now : nil
    }

    func duration(since start: ContinuousClock.Instant?) -> Duration {
        start.map { clock.now - $0 } ?? .zero
    }
}
