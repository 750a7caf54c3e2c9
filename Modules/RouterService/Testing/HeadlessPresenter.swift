public import RouterServiceInterface
public import RouterServiceProgram

/// A presenter that shows nothing and remembers its stack.
///
/// It knows any kind of screen, and the styles `push`, `modal` and `root` unless it is given others.
@MainActor
public final class HeadlessPresenter: Presenter {
    public struct Entry {
        public let screen: any Screen
        public let presentation: Presentation
    }

    public private(set) var stack: [Entry] = []
    public var knownStyles: Set<PresentationStyle> = [.push, .modal, .root]
    public var refusal: (any Error)?

    public init() {}

    public var top: (any Screen)? { stack.last?.screen }

    public var styles: [PresentationStyle] { stack.map(\.presentation.style) }

    /// Goes back from the topmost screen, as a user does.
    public func goBack() async {
        await stack.last?.presentation.close()
    }

    /// Drops the topmost screen without a report, as a faulty presenter does.
    public func lose() {
        replaceStack(by: Array(stack.dropLast()))
    }

    /// Puts the screen on the stack.
    ///
    /// - Throws: ``refusal``, or `RouterError.unknownStyle` for a style that it does not know.
    public func show(_ screen: any Screen, as presentation: Presentation) throws {
        if let refusal { throw refusal }
        guard knownStyles.contains(presentation.style) else {
            throw RouterError.unknownStyle(presentation.style)
        }
        stack.append(Entry(screen: screen, presentation: presentation))
    }

    public func replace(
        _ screens: [Presentation.ID: (screen: any Screen, presentation: Presentation)]
    ) throws {
        if let refusal { throw refusal }
        let entries = screens.mapValues { Entry(screen: $0.screen, presentation: $0.presentation) }
        replaceStack(by: stack.map { entries[$0.presentation.id] ?? $0 })
    }

    public func remove(_ presentations: [Presentation.ID]) {
        let removed = Set(presentations)
        replaceStack(by: stack.filter { !removed.contains($0.presentation.id) })
    }

    /// Releases screens after the stack was written, because they may call the router then.
    private func replaceStack(by entries: [Entry]) {
        _ = exchange(&stack, with: entries)
    }
}
