public import DisplayInterface
public import Observation
public import RouterServiceInterface

/// A terminal without a user: it keeps what is shown and said, for tests to look at and to act on.
@MainActor
public final class FakeTerminal: Display.Terminal {
    /// What is shown, the topmost last.
    public private(set) var shown: [(screen: Display.ContentScreen, presentation: Presentation)] = []

    /// What was said for a moment, the last at the end.
    public private(set) var notices: [String] = []
    /// The questions that were asked, the last at the end.
    public private(set) var questions: [String] = []
    /// What every question is answered with.
    public var answer = true

    /// Creates a terminal that shows nothing.
    public init() {}

    /// What the topmost screen shows now; nil when nothing is shown.
    public var content: Display.Content? { shown.last?.screen.content() }

    /// The titles of all screens, the topmost last.
    public var path: [String] { shown.map { $0.screen.content().title } }

    /// Keeps a screen; its `appear` does not run by itself.
    ///
    /// - Throws: ``ContentInspectionError/noContent(screen:)`` when it is no `Display.ContentScreen`.
    public func show(_ screen: any Screen, as presentation: Presentation) throws {
        shown.append((try screen.contentScreen(), presentation))
    }

    /// Keeps screens in place of others.
    ///
    /// - Throws: ``ContentInspectionError/noContent(screen:)`` when one is no `Display.ContentScreen`.
    public func replace(_ screens: [(screen: any Screen, presentation: Presentation)]) throws {
        let new = try screens.map { (screen: try $0.screen.contentScreen(), presentation: $0.presentation) }
        shown = shown.map { old in new.first { $0.presentation.id == old.presentation.id } ?? old }
    }

    /// Forgets screens.
    public func remove(_ presentations: [Presentation.ID]) {
        shown.removeAll { presentations.contains($0.presentation.id) }
    }

    /// Keeps the words.
    public func notify(_ words: String) {
        notices.append(words)
    }

    /// Keeps the question and answers it.
    public func confirm(_ question: String) async -> Bool {
        questions.append(question)
        return answer
    }

    /// Performs the action, if there is one, and returns: nobody sits at this terminal.
    ///
    /// - Throws: What the action throws.
    public func run(performing action: Display.Action?) async throws {
        try await action?()
    }
}

/// A status that says what a test sets.
@Observable
@MainActor
public final class FakeStatus: Display.Status {
    /// What the terminal says of the whole program; nil for nothing.
    public var text: String?

    /// Creates a status with a text, or without one.
    public init(_ text: String? = nil) {
        self.text = text
    }
}

/// A trace that holds what a test sets.
@Observable
@MainActor
public final class FakeTrace: Display.Trace {
    /// The navigation stack, the topmost last.
    public var stack: [String]
    /// What the router did, the last at the end.
    public var events: [String]
    /// The services that were created.
    public var services: [String]

    /// Creates a trace.
    public init(
        stack: [String] = ["profile.overview|{}"], events: [String] = ["presented profile.overview|{}"],
        services: [String] = ["any HTTP.Client"]
    ) {
        (self.stack, self.events, self.services) = (stack, events, services)
    }
}
