import DisplayInterface

@testable import DisplayImplementation

/// Lines that were written before the session began.
@MainActor
final class ScriptedLines: LineDevice {
    let isTerminal: Bool
    /// The prompts that were printed in front of the lines.
    private(set) var prompts: [String] = []
    /// Called at each prompt, while the user types.
    var whileTyping: @MainActor (String) async -> Void = { _ in }
    private var lines: [String?]
    private let print: @MainActor (String) throws -> Void

    /// Creates an input of lines, among which nil is the end, after which more may follow at a terminal.
    init(
        _ lines: [String?], isTerminal: Bool = false,
        print: @escaping @MainActor (String) throws -> Void = { _ in }
    ) {
        self.lines = lines
        self.isTerminal = isTerminal
        self.print = print
    }

    func write(_ text: String) throws { try print(text) }

    func nextLine(_ prompt: String, isSecure: Bool) async throws -> String? {
        prompts.append(prompt)
        try write(prompt)
        await whileTyping(prompt)
        return lines.isEmpty ? nil : lines.removeFirst()
    }
}

extension Display.Terminal {
    func run() async throws { try await run(performing: nil) }
}

/// Runs a session of lines, and returns everything that it printed.
@MainActor
func session(
    of lines: [String?], isTerminal: Bool = false, patience: Duration = .seconds(600),
    show: (SmallRouter, LinePresenter) throws -> Void,
    performing action: (@MainActor (SmallRouter) async throws -> Void)? = nil
) async throws -> String {
    var transcript = ""
    let input = ScriptedLines(lines, isTerminal: isTerminal) { transcript += $0 }
    let presenter = LinePresenter(input, patience: patience)
    let router = SmallRouter(presenter.stack)
    try show(router, presenter)
    var opening: Display.Action?
    if let action { opening = { try await action(router) } }
    try await presenter.run(performing: opening)
    withExtendedLifetime(router) {}
    return transcript
}
