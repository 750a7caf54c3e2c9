import DisplayInterface
import RouterServiceInterface

/// Broadcasts to the modules that the terminal stops the program, and that it continues.
@MainActor
final class LifecycleBroadcast: Display.Suspension {
    private let router: any Router

    init(router: any Router) {
        self.router = router
    }

    func suspended() async { await router.broadcast(Lifecycle.Suspended()) }
    func resumed() async { await router.broadcast(Lifecycle.Resumed()) }
}

extension Router {
    /// Sends an event to its listeners, and returns when they are done, but after a time at the latest.
    ///
    /// The listener that is called by then is cancelled, and is not awaited.
    func broadcast(_ event: some Event, within limit: Duration) async {
        let (ends, end) = AsyncStream.makeStream(of: Never.self)
        let sending = Task {
            await broadcast(event)
            end.finish()
        }
        let waiting = Task {
            try? await Task.sleep(for: limit)
            end.finish()
        }
        for await _ in ends {}
        sending.cancel()
        waiting.cancel()
    }
}
