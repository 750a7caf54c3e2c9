import DisplayInterface
import RouterServiceInterface
import RouterServiceProgram

/// Shows screens as the router does: the first is the root, and one that is closed is removed with all above.
@MainActor
final class SmallRouter {
    private let presenter: any Presenter
    private var ids: [Presentation.ID] = []
    private var results: [Presentation.ID: CheckedContinuation<String, any Error>] = [:]
    private var count = 0

    init(_ presenter: any Presenter) {
        self.presenter = presenter
    }

    func show(
        _ screen: any Screen, as style: PresentationStyle = .push,
        asking question: (@MainActor () async throws -> Bool)? = nil
    ) throws {
        count += 1
        let id = Presentation.ID(count)
        let presentation = Presentation(id: id, style: style, isRoot: ids.isEmpty) { [weak self] in
            if let question, (try? await question()) != true { return }
            self?.close(id)
        }
        try presenter.show(screen, as: presentation)
        ids.append(id)
    }

    /// Shows a modal screen and waits for its result.
    func result(of screen: any Screen) async throws -> String {
        try show(screen, as: .modal)
        let id = Presentation.ID(count)
        return try await withCheckedThrowingContinuation { results[id] = $0 }
    }

    func finish(_ output: String) {
        guard let id = ids.popLast() else { return }
        presenter.remove([id])
        results.removeValue(forKey: id)?.resume(returning: output)
    }

    private func close(_ id: Presentation.ID) {
        guard let index = ids.firstIndex(of: id), index > 0 else { return }
        let closed = Array(ids[index...].reversed())
        ids.removeSubrange(index...)
        presenter.remove(closed)
        closed.forEach { results.removeValue(forKey: $0)?.resume(throwing: UserDeclined()) }
    }
}
