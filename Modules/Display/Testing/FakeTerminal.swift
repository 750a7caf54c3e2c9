public import DisplayInterface
public import RouterServiceInterface
public import RouterServiceProgram

/// A terminal without a user: it keeps screens and notices for tests to inspect and to act on.
@MainActor
public final class FakeTerminal: Display.Terminal, Presenter {
    /// The shown screens, the topmost last.
    public private(set) var shown: [(screen: Display.ContentScreen, presentation: Presentation)] = []

    public private(set) var notices: [String] = []
    public private(set) var questions: [String] = []
    public var answer = true

    public init() {}

    /// The current content of the topmost screen; nil if nothing is shown.
    public var content: Display.Content? { shown.last?.screen.content() }

    public var path: [String] { shown.map { $0.screen.content().title } }

    /// Keeps a screen; its `appear` does not run on its own.
    public func show(_ screen: any Screen, as presentation: Presentation) throws {
        shown.append((try screen.contentScreen(), presentation))
    }

    public func replace(
        _ screens: [Presentation.ID: (screen: any Screen, presentation: Presentation)]
    ) throws {
        let new = try screens.mapValues {
            (screen: try $0.screen.contentScreen(), presentation: $0.presentation)
        }
        shown = shown.map { new[$0.presentation.id] ?? $0 }
    }

    public func remove(_ presentations: [Presentation.ID]) {
        shown.removeAll { presentations.contains($0.presentation.id) }
    }

    public func notify(_ message: String) {
        notices.append(message)
    }

    public func confirm(_ question: String) async -> Bool {
        questions.append(question)
        return answer
    }

    public func run(performing action: Display.Action?) async throws {
        try await action?()
    }

    /// Performs the action at once; an error of it is lost.
    public func perform(_ action: @escaping Display.Action) {
        Task { try await action() }
    }
}
