@testable import DisplayImplementation

/// Lines that were written before the session began.
@MainActor
final class ScriptedLines: LineInput {
    let needsEcho: Bool
    private var lines: [String]

    init(_ lines: [String], needsEcho: Bool = true) {
        self.lines = lines
        self.needsEcho = needsEcho
    }

    func nextLine(isSecure: Bool) async -> String? {
        lines.isEmpty ? nil : lines.removeFirst()
    }
}
