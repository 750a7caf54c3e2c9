import DisplayTesting
import Foundation
import Testing

/// Starts a program in a session of its own, which the terminal controls; macOS has none.
private let setsid = "/usr/bin/setsid"

/// The built App as a job of an interactive shell, which gives the terminal to one job at a time.
@MainActor
@Suite(.timeLimit(.minutes(5)), .enabled(if: access(setsid, X_OK) == 0))
final class JobControlTests {
    private let window: PseudoTerminal
    private let shell = Process()

    init() throws {
        // An emulated screen does not scroll.
        window = try PseudoTerminal(columns: 90, rows: 120)
        shell.executableURL = URL(filePath: setsid)
        shell.arguments = ["--ctty", "--wait", "bash", "--norc", "--noprofile", "-i"]
        shell.environment = BuiltProgram.variables(terminal: "xterm-256color")
            .merging(["PS1": "$ ", "APP": try BuiltProgram.app.path.path]) { $1 }
        let file = FileHandle(fileDescriptor: window.programSide)
        shell.standardInput = file
        shell.standardOutput = file
        shell.standardError = file
    }

    /// Starts the shell.
    private func start() async throws {
        try shell.run()
        try await prompt()
    }

    /// Ends the shell, and with it what is left of its jobs.
    private func end() {
        let starter = shell.processIdentifier
        let shells = try? String(contentsOfFile: "/proc/\(starter)/task/\(starter)/children", encoding: .utf8)
        for shell in (shells ?? "").split(separator: " ").compactMap({ pid_t($0) }) { kill(shell, SIGKILL) }
    }

    /// Waits for a prompt in the row of the cursor, usually the shell's.
    private func prompt(_ text: String = "$") async throws {
        try await window.wait(for: "the prompt '\(text)'", within: .seconds(30)) {
            $0.lines[$0.row].hasPrefix(text)
        }
    }

    /// Runs a command that prints something else than what is typed, and checks that the shell has the terminal.
    private func command(_ line: String, shows text: String) async throws {
        window.type("\(line)\r")
        try await window.wait(for: text, within: .seconds(30))
    }

    /// Checks that the next command has a usual terminal.
    private func checkTerminal(_ number: Int) async throws {
        try await command("stty -a; echo $((\(number) + 1)) shown", shows: "\(number + 1) shown")
        #expect(window.screen.text.contains("isig icanon iexten echo "), "\(window.screen.text)")
        window.type("printf '\\033[2J'; echo $((\(number) + 2)) shown\r")
        try await window.wait(for: "an empty screen") {
            $0.text.contains("\(number + 2) shown") && !$0.text.contains("icanon")
        }
    }

    /// Has the shell continue its job, which stops again.
    private func continueInTheBackground() async throws {
        let line = "bg; until jobs | grep Stopped; do sleep 0.1; done; echo $((1 + 1)) times"
        try await command(line, shows: "2 times")
    }

    /// Continues the job without the shell, and waits until it has stopped again and the shell knows.
    ///
    /// A shell that takes the job for a running one would not continue it, and a job that is about to stop would stop in the
    /// foreground.
    private func continueFromOutside(_ app: pid_t) async throws {
        kill(app, SIGCONT)
        var state: Substring?
        while state != "T" {
            try await Task.sleep(for: .milliseconds(10))
            let status = try String(contentsOfFile: "/proc/\(app)/stat", encoding: .utf8)
            state = status.split(separator: ") ").last?.prefix(1)
        }
        let line = "until jobs | grep Stopped; do sleep 0.1; done; echo $((2 + 1)) times"
        try await command(line, shows: "3 times")
    }

    /// The process of the only job, which is stopped.
    private func job() async throws -> pid_t {
        try await command("echo \"job $(jobs -p).\"", shows: "job ")
        try await window.wait(for: "the number of the job") { $0.text.contains(/job [0-9]+\./) }
        let number = try #require(window.screen.text.firstMatch(of: /job ([0-9]+)\./))
        return try #require(pid_t(number.1))
    }

    @Test func fullScreen_inTheBackground_stopsAndDrawsNothing_andIsAsItWasInTheForeground() async throws {
        try await start()
        defer { end() }
        window.type("$APP --ephemeral --open app://sign-in\r")
        try await window.wait(for: "Home › Sign in", within: .seconds(30))
        window.type("an")
        try await window.wait(for: "│an ")
        window.type("\u{1A}")
        try await prompt()
        let app = try await job()
        try await continueInTheBackground()
        try await checkTerminal(10)
        #expect(!window.screen.isAlternate)
        window.type("fg\r")
        try await window.wait(for: "the frame again") { $0.isAlternate && $0.text.contains("│an ") }
        window.type("n")
        try await window.wait(for: "│ann ")

        // Stopped from outside, it leaves its screen to the shell as it is.
        kill(app, SIGSTOP)
        try await prompt()
        try await checkTerminal(20)
        try await continueFromOutside(app)
        try await checkTerminal(30)
        #expect(!window.screen.text.contains("Sign in"))
        window.type("fg\r")
        try await window.wait(for: "the frame again") { $0.isAlternate && $0.text.contains("│ann ") }
        window.type("\u{3}")
        try await window.wait(for: "the old screen") { !$0.isAlternate && $0.showsCursor }
        try await checkTerminal(50)
    }

    @Test func lines_inTheBackground_areNotRead_andTheInputDoesNotEnd() async throws {
        try await start()
        defer { end() }
        window.type("TERM=dumb $APP --ephemeral --open app://sign-in\r")
        try await prompt("User name:")
        window.type("\u{1A}")
        try await prompt()
        let app = try await job()
        try await continueInTheBackground()
        try await checkTerminal(10)
        window.type("fg\r")
        try await prompt("User name:")
        kill(app, SIGSTOP)
        try await prompt()
        try await continueFromOutside(app)
        try await checkTerminal(20)
        window.type("fg\r")
        try await prompt("User name:")
        window.type("ann\r")
        try await prompt("Password:")
        window.type("\u{1A}")
        try await prompt()
        try await continueInTheBackground()
        try await checkTerminal(30)
        window.type("fg\r")
        try await prompt("Password:")
        window.type("secret\r")
        try await window.wait(forRow: "Sign out", "ann")
        #expect(!window.screen.text.contains("secret"))
        window.type("q\r")
        try await checkTerminal(40)
    }

    @Test func appThatIsStartedInTheBackground_waitsForTheForeground_andEndsThere() async throws {
        try await start()
        defer { end() }
        window.type("$APP --ephemeral &\r")
        try await checkTerminal(10)
        #expect(!window.screen.isAlternate)
        window.type("fg\r")
        try await window.wait(for: " Home", within: .seconds(30))
        window.type("\u{1A}")
        try await prompt()
        try await continueInTheBackground()
        try await checkTerminal(20)
        // The shell also continues a job that has stopped; again, should this have stopped after the signal.
        try await command("while kill %1; do sleep 0.3; done; echo $((30 + 1)) shown", shows: "31 shown")
        try await window.wait(for: "Terminated")
        try await checkTerminal(40)
    }

    /// No shell can continue it: so it is in a window or a container that runs nothing else.
    @Test func suspending_withoutAShell_leavesTheAppRunning() async throws {
        shell.arguments = ["--ctty", "--wait", try BuiltProgram.app.path.path, "--ephemeral"]
        try shell.run()
        defer { end() }
        try await window.wait(for: " Home", within: .seconds(30))
        window.type("\u{1A}")
        try await window.wait(for: "the old screen") { !$0.isAlternate }
        try await window.wait(for: "the frame again") { $0.isAlternate && $0.text.contains(" Home") }
        window.type("q")
        try await window.wait(for: "the old screen") { !$0.isAlternate && $0.showsCursor }
    }
}
