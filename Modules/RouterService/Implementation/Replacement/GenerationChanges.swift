import RouterServiceProgram

/// Performs the changes of a router's generation one after another: preparations of services, and replacements of modules.
@MainActor
final class GenerationChanges {
    /// The preparation that the current task is a part of.
    @TaskLocal private static var current: Preparation?

    @MainActor
    private final class Preparation {
        let changes: GenerationChanges
        /// Whether the preparation goes on; a task that a factory began may outlast it.
        var isRunning = true

        init(_ changes: GenerationChanges) { self.changes = changes }
    }

    private var isBusy = false
    private var waiting: [PendingResult<Void>] = []

    /// Performs a change after all earlier changes.
    ///
    /// - Throws: `ReplacementError.withinPreparation` for a change that would wait for itself.
    func perform(_ change: () async throws -> Void) async throws {
        if let preparation = Self.current, preparation.isRunning, preparation.changes === self {
            throw ReplacementError.withinPreparation
        }
        try await begin()
        defer { end() }
        try await change()
    }

    /// Prepares the services of a container within a change.
    func prepare(_ container: Container) async throws {
        let preparation = Preparation(self)
        defer { preparation.isRunning = false }
        try await Self.$current.withValue(preparation) { try await container.prepare() }
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
