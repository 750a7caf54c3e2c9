import DisplayInterface
import RouterServiceInterface

/// The screens that a terminal was asked to show, the topmost last.
@MainActor
final class ScreenStack {
    private(set) var screens: [ShownScreen] = []

    /// Called after a change of the screens, or of what one of them shows.
    var onChange: @MainActor () -> Void = {}

    var top: ShownScreen? { screens.last }

    /// The titles of all screens, as one line.
    var path: String {
        screens.map { PlainText.line($0.title) }.joined(separator: " › ")
    }

    /// Puts a screen on top and lets it appear.
    func show(_ screen: any Screen, as presentation: Presentation) throws {
        let shown = try shownScreen(screen, as: presentation)
        screens.append(shown)
        shown.appear()
        onChange()
    }

    /// Puts screens in the places of those with the same identity, and lets the topmost appear; all or none.
    func replace(_ replacements: [(screen: any Screen, presentation: Presentation)]) throws {
        let former = top
        for shown in try replacements.map({ try shownScreen($0.screen, as: $0.presentation) }) {
            guard let index = screens.firstIndex(where: { $0.presentation.id == shown.presentation.id })
            else {
                continue
            }
            screens[index].cancel()
            screens[index] = shown
        }
        screens.forEach { $0.contentMayHaveChanged() }
        if let top, top !== former { top.appear() }
        onChange()
    }

    private func shownScreen(_ screen: any Screen, as presentation: Presentation) throws -> ShownScreen {
        let terminal = TypeName((any Display.Terminal).self)
        guard let content = screen as? Display.ContentScreen else {
            throw RouterError.unknownScreen(TypeName(type(of: screen)), presenter: terminal)
        }
        guard [.push, .modal, .root].contains(presentation.style) else {
            throw RouterError.unknownStyle(presentation.style, presenter: terminal)
        }
        return ShownScreen(content, as: presentation) { [weak self] in self?.onChange() }
    }

    /// Removes screens, cancels what runs on them, and lets the one that is on top then appear again.
    ///
    /// Identities that are not on the stack are ignored.
    func remove(_ presentations: [Presentation.ID]) {
        let former = top
        let removed = screens.filter { presentations.contains($0.presentation.id) }
        screens.removeAll { presentations.contains($0.presentation.id) }
        removed.forEach { $0.cancel() }
        // What the person did above may have changed what is shown below.
        screens.forEach { $0.contentMayHaveChanged() }
        if let top, top !== former { top.appear() }
        onChange()
    }

    /// Cancels everything that runs, when nobody is there to see it any more.
    func cancel() {
        screens.forEach { $0.cancel() }
    }
}
