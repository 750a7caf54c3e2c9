import RouterServiceInterface

/// Tells what the router does to whoever watches, and costs one comparison while nobody does.
@MainActor
final class EventLog {
    private var watchers: [Int: AsyncStream<RouterEvent>.Continuation] = [:]
    private var count = 0
    private let clock = ContinuousClock()
    private(set) var isWatched = false

    deinit {
        for watcher in watchers.values { watcher.finish() }
    }

    /// A stream of everything from now on.
    func events() -> AsyncStream<RouterEvent> {
        let (events, continuation) = AsyncStream.makeStream(of: RouterEvent.self)
        count += 1
        let number = count
        watchers[number] = continuation
        isWatched = true
        continuation.onTermination = { [weak self] _ in
            Task { @MainActor in self?.remove(number) }
        }
        return events
    }

    /// Adds an event, which is only made when somebody watches.
    @inline(__always)
    func add(_ event: @autoclosure () -> RouterEvent) {
        if isWatched { send(event()) }
    }

    private func send(_ event: RouterEvent) {
        for watcher in watchers.values { watcher.yield(event) }
    }

    /// The time now, when somebody watches.
    func start() -> ContinuousClock.Instant? {
        isWatched ? clock.now : nil
    }

    /// How long ago that was.
    func duration(since start: ContinuousClock.Instant?) -> Duration {
        start.map { clock.now - $0 } ?? .zero
    }

    private func remove(_ number: Int) {
        watchers[number] = nil
        isWatched = !watchers.isEmpty
    }
}
