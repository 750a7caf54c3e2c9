import DisplayTesting
import Foundation
import Testing

/// The built App on a pseudo-terminal, typed at and looked at as by a user.
@MainActor
final class TerminalSession {
    let window: PseudoTerminal
    let app = Process()
    private let settings: [UInt8]

    /// Prepares to start the App with arguments.
    ///
    /// - Parameter inLines: Whether it prints lines, as on a terminal that can do no more.
    init(_ arguments: [String] = [], columns: Int = 60, rows: Int = 20, inLines: Bool = false) throws {
        window = try PseudoTerminal(columns: columns, rows: rows)
        settings = window.settings
        app.executableURL = try BuiltProgram.app.path
        app.arguments = arguments
        app.environment = ["TERM": inLines ? "dumb" : "xterm-256color"]
        app.standardInput = FileHandle(fileDescriptor: window.programSide)
        app.standardOutput = FileHandle(fileDescriptor: window.programSide)
    }

    /// Runs the App while a user does something that ends it; checks that the terminal is as it was.
    ///
    /// - Parameter signal: A signal that ends the App after what the user does, and must be what it ended by.
    func run(endingBy signal: Int32? = nil, _ user: (PseudoTerminal) async throws -> Void) async throws {
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        app.terminationHandler = { _ in ended.finish() }
        try app.run()
        do {
            try await user(window)
            if let signal { _ = kill(app.processIdentifier, signal) }
            if signal != SIGKILL {
                try await window.wait(for: "the old screen") { !$0.isAlternate && $0.showsCursor }
            }
        } catch {
            _ = kill(app.processIdentifier, SIGKILL)
            throw error
        }
        for await _ in ends {}
        #expect(app.terminationReason == (signal == nil ? .exit : .uncaughtSignal))
        #expect(app.terminationStatus == signal ?? 0)
        if signal == SIGKILL { return }
        #expect(window.settings == settings)
        #expect(window.screen.unknown.isEmpty)
    }
}
