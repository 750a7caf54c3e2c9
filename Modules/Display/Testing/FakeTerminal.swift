public import DisplayInterface

/// A terminal without a user and without screens: it keeps notices and questions for tests, and answers.
@MainActor
public final class FakeTerminal: Display.Terminal {
    public private(set) var notices: [String] = []
    public private(set) var warnings: [String] = []
    public private(set) var questions: [String] = []
    public var answer = true

    public init() {}

    public func notify(_ message: String, as role: Display.Role) {
        if role == .positive { notices.append(message) } else { warnings.append(message) }
    }

    public func confirm(_ question: String) async -> Bool {
        questions.append(question)
        return answer
    }

    public func run(performing action: Display.Action?) async throws { try await action?() }

    /// Performs the action at once; an error of it is lost.
    public func perform(_ action: @escaping Display.Action) {
        Task { try await action() }
    }
}
