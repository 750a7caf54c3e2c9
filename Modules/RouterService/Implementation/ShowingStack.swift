import RouterServiceInterface

/// The showings from the first screen to the topmost.
@MainActor
final class ShowingStack {
    private(set) var showings: [any AnyShowing] = []
    private var count = 0

    var isEmpty: Bool { showings.isEmpty }

    func contains(_ showing: any AnyShowing) -> Bool {
        showings.contains { $0 === showing }
    }

    /// Puts a showing on top and gives it an identity.
    func push(_ showing: any AnyShowing) {
        count += 1
        showing.id = Presentation.ID(count)
        showings.append(showing)
    }

    /// The showing right above the nearest one below another that a condition holds for.
    func showing(above condition: (any AnyShowing) -> Bool, below other: any AnyShowing) -> (any AnyShowing)?
    {
        guard let end = showings.firstIndex(where: { $0 === other }),
            let index = showings[..<end].lastIndex(where: condition)
        else { return nil }
        return showings[index + 1]
    }

    /// Takes a showing and all above it off the stack.
    ///
    /// - Returns: What was taken, the topmost first; nothing when the showing is gone already.
    func remove(from showing: any AnyShowing) -> [any AnyShowing] {
        guard let index = showings.firstIndex(where: { $0 === showing }) else { return [] }
        return take(index..<showings.endIndex)
    }

    /// Takes all below a showing off the stack.
    ///
    /// - Returns: What was taken, the topmost first.
    func remove(below showing: any AnyShowing) -> [any AnyShowing] {
        guard let index = showings.firstIndex(where: { $0 === showing }) else { return [] }
        return take(0..<index)
    }

    /// Empties the stack.
    ///
    /// - Returns: What was taken, the topmost first.
    func removeAll() -> [any AnyShowing] {
        take(showings.indices)
    }

    private func take(_ range: Range<Int>) -> [any AnyShowing] {
        let taken = Array(showings[range].reversed())
        showings.removeSubrange(range)
        return taken
    }
}
