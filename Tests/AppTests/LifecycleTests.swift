import DisplayInterface
import DisplayTesting
import Foundation
import Testing

@testable import App

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct LifecycleTests {
    private let folder = DataFolder()

    @Test func modules_areNotified_whenTheAppContinues() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "trace-\(UUID().uuidString)")
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        func life() throws -> [Substring] {
            try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                .filter { $0.hasPrefix("broadcast Display.") }
        }
        let session = try TerminalSession(["--trace"])
        session.app.standardError = try FileHandle(forWritingTo: file)
        try await session.run { window in
            try await window.wait(for: " Home")
            _ = kill(session.app.processIdentifier, SIGTSTP)
            try await window.wait(for: "the old screen") { !$0.isAlternate }
            try await window.wait(for: "the App to stop") { _ in session.isStopped }
            _ = kill(session.app.processIdentifier, SIGCONT)
            try await window.wait(for: "the frame again") {
                $0.isAlternate && $0.text.contains(" Home")
            }
            window.type("q")
        }
        #expect(try life() == ["broadcast Display.Resumed to 2 listeners"])
    }

    /// Whether it is stopped and then killed, or ended by a signal.
    @Test(arguments: [SIGKILL, SIGTERM, SIGHUP, SIGINT])
    func draft_isStored_beforeTheAppStops_orEnds(ending: Int32) async throws {
        let session = try TerminalSession(["--data", folder.path])
        try await session.run(endingBy: ending) { window in
            try await window.typeTitleOfNewNote("Milk")
            guard ending == SIGKILL else { return }
            window.type("\u{1A}")
            try await window.wait(for: "the App to stop") { _ in session.isStopped }
        }
        let next = try await BuiltProgram.app.run(
            ["--data", folder.path], input: [FirstScreen.session, "ann", "secret", FirstScreen.notes, "q"])
        #expect(next.output.contains("Milk"))
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
    func draft_typedInLines_isStored_beforeASignalEndsTheApp(ending: Int32) async throws {
        let session = try TerminalSession(["--data", folder.path], inLines: true)
        try await session.run(endingBy: ending) { window in
            for (prompt, line) in [
                (">", FirstScreen.notes), ("│ User name:", "ann"), ("│ Password:", "secret"), (">", "1"),
                ("Title:", "Milk"),
            ] {
                try await window.wait(for: "the prompt '\(prompt)'") { $0.lines[$0.row] == prompt }
                window.type("\(line)\r")
            }
            try await window.wait(for: "the prompt of the text") { $0.lines[$0.row] == "|" }
        }
        let next = try await BuiltProgram.app.run(
            ["--data", folder.path], input: [FirstScreen.session, "ann", "secret", FirstScreen.notes, "q"])
        #expect(next.output.contains("Milk"))
    }

    @Test func notes_writtenElsewhere_areShown_whenTheAppContinues() async throws {
        try await ServerProcess.run { address in
            let arguments = ["--backend", address.absoluteString]
            let session = try TerminalSession(arguments)
            try await session.run { window in
                try await window.signIn(opening: FirstScreen.notes)
                try await window.wait(for: "Home › Notes")
                window.type("\u{1A}")
                try await window.wait(for: "the App to stop") { _ in session.isStopped }
                let other = try await BuiltProgram.app.run(
                    arguments,
                    input: [
                        FirstScreen.session, "ann", "secret", FirstScreen.notes, "1", "Shopping", "Milk", ".",
                        "3",
                    ])
                #expect(other.output.contains("Shopping — Milk"))
                #expect(!window.screen.text.contains("Shopping"))
                _ = kill(session.app.processIdentifier, SIGCONT)
                try await window.wait(forRow: "Shopping", "Milk")
                window.type("\u{3}")
            }
        }
    }
}

extension TerminalSession {
    /// Whether a signal has stopped the App, which is left to those who wait for it.
    var isStopped: Bool {
        var state = siginfo_t()
        let options = WSTOPPED | WNOHANG | WNOWAIT
        return waitid(P_PID, id_t(app.processIdentifier), &state, options) == 0 && state.si_signo != 0
    }
}
