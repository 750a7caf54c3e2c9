import DisplayTesting
import Foundation
import Testing

/// The built App on a pseudo-terminal, which signals from outside end or stop.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct SignalTests {
    /// The signals that end a program by default and can be handled, by `man 7 signal` on Linux and `man signal` on macOS.
    nonisolated static let ending: [Int32] = {
        var numbers = [
            SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGUSR1, SIGSEGV, SIGUSR2,
            SIGALRM,
            SIGTERM, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGSYS,
        ]
        #if os(Linux)
            // SIGSTKFLT, SIGIO, SIGPWR, and the first and the last real-time signal of the C library.
            numbers += [16, SIGIO, SIGPWR, 34, 64]
        #endif
        return numbers
    }()

    @Test(arguments: ending)
    func signal_restoresTheTerminal_andEndsTheApp(number: Int32) async throws {
        let session = try TerminalSession()
        session.app.environment?["SWIFT_BACKTRACE"] = "enable=no"
        try await session.run(endingBy: number) { window in
            try await window.wait(for: " Home")
            #expect(window.screen.reportsMouse)
        }
        #expect(!session.window.screen.reportsMouse)
    }

    /// The thread sanitizer ends the program before its fault is reported.
    @Test(.disabled(if: ProcessInfo.processInfo.environment["TSAN_OPTIONS"] != nil))
    func backtrace_isPrintedOnTheOldScreen() async throws {
        let session = try TerminalSession(columns: 120, rows: 60)
        session.app.environment?["SWIFT_BACKTRACE"] = "enable=yes,interactive=no,color=no,output-to=stdout"
        try await session.run(endingBy: SIGSEGV) { window in
            try await window.wait(for: " Home")
        }
        // What the program printed last may be read after its end.
        try await session.window.wait(for: "Backtrace took", within: .seconds(240))
    }

    @Test func appThatIsContinuedBeforeItStops_runsOn() async throws {
        let session = try TerminalSession()
        try await session.run { window in
            try await window.wait(for: " Home")
            for step in 0..<100 {
                _ = kill(session.app.processIdentifier, SIGTSTP)
                try await Task.sleep(for: .microseconds(50 * step))
                _ = kill(session.app.processIdentifier, SIGCONT)
                window.type("?")
                try await window.wait(for: "the keys, in step \(step)") {
                    $0.isAlternate && $0.text.contains("Ctrl-L")
                }
                window.type("?")
                try await window.wait(for: "the screen") {
                    $0.isAlternate && $0.text.contains("Sign in")
                }
            }
            window.type("q")
        }
    }
}
