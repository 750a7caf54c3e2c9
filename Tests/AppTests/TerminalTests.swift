import DisplayTesting
import Foundation
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The built App on a pseudo-terminal: signals, sizes, the trace, and terminals that do not read.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct TerminalTests {
    @Test func trace_isShownBesideTheScreen_live() async throws {
        try await TerminalSession(columns: 120, rows: 30).run { window in
            try await window.wait(for: " Home")
            window.type("t")
            try await window.wait(for: "presented  home.overview")
            #expect(window.screen.text.contains("Services created"))
            window.type(FirstScreen.keys(choosing: FirstScreen.notes))
            try await window.wait(for: "presented  login.sign-in")
            #expect(window.screen.text.contains("│  app://sign-in"), "the stack")
            window.type("ann\tsecret\r")
            try await window.wait(for: "finished   login.sign-in")
            window.type("t")
            try await window.wait(for: "no trace") { !$0.text.contains("Navigation stack") }
            window.type("q")
        }
    }

    @Test func noColour_isHonoured_andTheFullScreenHasAnAccent() async throws {
        for (variables, isColoured) in [(["NO_COLOR": "1"], false), ([:], true)] {
            let session = try TerminalSession()
            session.app.environment?.merge(variables) { $1 }
            try await session.run { window in
                try await window.wait(for: " Home")
                #expect(window.screen.styles.contains { $0.contains("44m") } == isColoured)
                window.type("q")
            }
        }
    }

    @Test func manySizes_andKeysBetween_leaveAUsableScreen() async throws {
        let session = try TerminalSession()
        try await session.run { window in
            try await window.wait(for: " Home")
            for step in 0..<600 {
                switch step % 150 {
                case 49: window.resize(columns: 1, rows: 1)
                case 149: window.resize(columns: 65535, rows: 65535)
                default: window.resize(columns: 1 + step % 130, rows: 1 + step % 40)
                }
                _ = kill(session.app.processIdentifier, SIGWINCH)
                window.type(["\u{1B}[B", "\u{1B}[6~", "\u{C}", "tt", "??"][step % 5])
                if step % 10 == 0 { try await Task.sleep(for: .milliseconds(5)) }
            }
            window.resize(columns: 60, rows: 20)
            _ = kill(session.app.processIdentifier, SIGWINCH)
            try await window.wait(for: "the whole screen", within: .seconds(30)) {
                $0.lines.count == 20 && $0.text.contains(" Home")
            }
            window.type("q")
        }
    }

    @Test func stopping_givesTheTerminalBack_andContinuingTakesItAgain() async throws {
        let session = try TerminalSession()
        try await session.run { window in
            try await window.wait(for: " Home")
            for _ in 0..<20 {
                window.type("\u{1A}")
                try await window.wait(for: "the old screen") {
                    !$0.isAlternate && $0.showsCursor && !$0.reportsMouse
                }
                // For another signal, it would drop what is typed next.
                try await window.wait(for: "the App to stop") { _ in session.isStopped }
                _ = kill(session.app.processIdentifier, SIGCONT)
                try await window.wait(for: "the frame again") {
                    $0.isAlternate && $0.text.contains(" Home")
                }
            }
            window.type("q")
        }
    }

    @Test func password_isNotReadable_afterTheAppWasStoppedAtItsPrompt() async throws {
        let session = try TerminalSession(["--open", "app://sign-in?userName=ann"], inLines: true)
        try await session.run { window in
            try await window.wait(for: "the prompt") { $0.lines[$0.row] == "Password:" }
            let hidden = window.settings
            _ = kill(session.app.processIdentifier, SIGTSTP)
            try await window.wait(for: "what is typed to be shown") { _ in window.settings != hidden }
            try await window.wait(for: "the App to stop") { _ in session.isStopped }
            _ = kill(session.app.processIdentifier, SIGCONT)
            try await window.wait(for: "what is typed to be hidden") { _ in window.settings == hidden }
            try await window.wait(for: "the prompt again") {
                $0.lines[$0.row].hasPrefix("Password: Password:")
            }
            window.type("secret\r")
            try await window.wait(forRow: "Sign out", "ann")
            #expect(!window.screen.text.contains("secret"))
            window.type("q\r")
        }
    }

    /// The drawn text does not arrive, because nothing reads it: drawing waits, and the main actor with it.
    @Test(arguments: [nil, SIGTERM])
    func terminalThatIsNotRead_canBeLeft(signal: Int32?) async throws {
        let terminal = try UnreadTerminal()
        let app = terminal.app
        let (ends, ended) = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
        app.terminationHandler = { _ in
            ended.yield(.now)
            ended.finish()
        }
        try await terminal.start()
        let start = ContinuousClock.now
        if let signal { _ = kill(app.processIdentifier, signal) } else { terminal.type("\u{3}") }
        var end: ContinuousClock.Instant?
        for await instant in ends { end = instant }
        // Foundation ends a program that asks a running one for its termination.
        #expect(try #require(end) - start < .seconds(5))
        #expect(app.terminationReason == (signal == nil ? .exit : .uncaughtSignal))
        #expect(app.terminationStatus == signal ?? 0)
        var settings = termios()
        #expect(tcgetattr(terminal.programSide, &settings) == 0)
        #expect(settings.c_lflag & tcflag_t(ICANON) != 0)
    }
}
