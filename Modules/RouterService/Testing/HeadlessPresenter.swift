public import RouterServiceInterface
public import RouterServiceProgram

/// A presenter that shows nothing and remembers its stack; it knows any kind of screen.
@MainActor
public final class HeadlessPresenter: Presenter {
    public struct Entry {
        public let screen: any Screen
        public let presentation: Presentation
    }

    public private(set) var stack: [Entry] = []
    public var refusal: (any Error)?

    public init() {}

    public var top: (any Screen)? { stack.last?.screen }

    public var styles: [PresentationStyle] { stack.map(\.presentation.style) }

    public func goBack() async {
        await stack.last?.presentation.close()
    }

    /// Drops the topmost screen without a report.
    public func lose() {
        replaceStack(by: Array(stack.dropLast()))
    }

    /// - Throws: ``refusal``.
    public func show(_ screen: any Screen, as presentation: Presentation) throws {
        if let refusal { throw refusal }
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

    /// Writes the stack before the former screens are released, because they may call the router.
    private func replaceStack(by entries: [Entry]) {
        _ = exchange(&stack, with: entries)
    }
}
