@testable import DisplayImplementation

/// Lines that were written before the session began.
@MainActor
final class ScriptedLines: LineInput {
    let isTerminal: Bool
    /// The prompts that were printed in front of the lines.
    private(set) var prompts: [String] = []
    /// Called at each prompt, while the user types.
    var whileTyping: @MainActor (String) async -> Void = { _ in }
    private var lines: [String?]

    /// Creates an input of lines, among which nil is the end, after which more may follow at a terminal.
    init(_ lines: [String?], isTerminal: Bool = false) {
        (self.lines, self.isTerminal) = (lines, isTerminal)
    }

    func nextLine(
        isSecure: Bool, prompt: String, ready: @MainActor () throws -> Void
    ) async throws -> String? {
        prompts.append(prompt)
        try ready()
        await whileTyping(prompt)
        return lines.isEmpty ? nil : lines.removeFirst()
    }
}
