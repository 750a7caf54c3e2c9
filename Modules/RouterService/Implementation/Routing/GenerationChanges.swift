import RouterServiceInterface
import RouterServiceProgram

/// Lets one change of a router's generation happen after another: the preparation of its services, and each exchange of
/// modules.
@MainActor
final class GenerationChanges {
    private var isBusy = false
    private var waiting: [PendingResult<Void>] = []

    /// The services that are being prepared in the current task.
    @TaskLocal private static var current: Preparation?

    @MainActor
    private final class Preparation {
        let changes: GenerationChanges
        var isRunning = true
        init(_ changes: GenerationChanges) { self.changes = changes }
    }

    /// Performs a change, after those that were begun before.
    ///
    /// - Throws: `CancellationError` when the caller's task is cancelled while it waits; `ExchangeError.withinPreparation`
    ///   for a service that waits for the change and is itself waited for.
    func perform(_ change: () async throws -> Void) async throws {
        if let preparation = Self.current, preparation.isRunning, preparation.changes === self {
            throw ExchangeError.withinPreparation
        }
        try await begin()
        defer { end() }
        try await change()
    }

    /// Prepares the services of a container, as a part of a change.
    ///
    /// Factories may not notice that their task was cancelled; their services are not kept then.
    func prepare(_ container: Container) async throws {
        let preparation = Preparation(self)
        defer { preparation.isRunning = false }
        try await untilCancelled {
            try await Self.$current.withValue(preparation, operation: container.prepare)
        }
        try Task.checkCancellation()
    }

    private func begin() async throws {
        try Task.checkCancellation()
        guard isBusy else {
            isBusy = true
            return
        }
        let turn = PendingResult<Void>()
        waiting.append(turn)
        try await turn.value { self.waiting.removeAll { $0 === turn } }
    }

    private func end() {
        isBusy = !waiting.isEmpty
        if isBusy { waiting.removeFirst().deliver(.success(())) }
    }
}
