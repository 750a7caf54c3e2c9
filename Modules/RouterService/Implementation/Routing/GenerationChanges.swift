/// Lets one change of a router's generation happen after another: the preparation of its services, and each exchange of
/// modules.
@MainActor
final class GenerationChanges {
    private var isBusy = false
    private var waiting: [PendingResult<Void>] = []

    /// Performs a change, after those that were begun before.
    ///
    /// - Throws: `CancellationError` when the caller's task is cancelled while it waits.
    func perform(_ change: () async throws -> Void) async throws {
        try await begin()
        defer { end() }
        try await change()
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
