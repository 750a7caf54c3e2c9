import RouterServiceInterface

/// The showings from the first screen to the topmost.
@MainActor
final class ShowingStack {
    private var showings: [any AnyShowing] = []
    private var count = 0

    var isEmpty: Bool { showings.isEmpty }

    func contains(_ showing: any AnyShowing) -> Bool {
        showings.contains { $0 === showing }
    }

    func isRoot(_ showing: any AnyShowing) -> Bool {
        showings.first === showing
    }

    /// Puts a showing on top and describes it to the presenter.
    func push(_ showing: any AnyShowing, onClose: @escaping @MainActor () -> Void) -> Presentation {
        count += 1
        showing.id = Presentation.ID(count)
        showings.append(showing)
        return Presentation(
            id: showing.id, style: showing.style, isRoot: showings.count == 1, onClose: onClose)
    }

    /// Takes a showing and all above it off the stack.
    ///
    /// - Returns: What was taken, the topmost first; nothing when the showing is gone already.
    func remove(from showing: any AnyShowing) -> [any AnyShowing] {
        guard let index = showings.firstIndex(where: { $0 === showing }) else { return [] }
        let removed = showings[index...].reversed()
        showings.removeSubrange(index...)
        return Array(removed)
    }
}
