import DisplayTesting
import Foundation
import HTTPClientTesting
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The built App on a pseudo-terminal: signals, sizes, the mouse, and terminals that do not read.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct TerminalTests {
    @Test func mouse_isReportedWhileTheAppRuns_andSwitchedOffAtItsEnd() async throws {
        try await TerminalSession().run { window in
            try await window.wait(for: " Notes")
            #expect(window.screen.reportsMouse)
            window.click(lineWith: " Notes")
            try await window.wait(for: "Home › Sign in")
            window.type("\u{3}")
            try await window.wait(for: "the mouse to be released") { !$0.reportsMouse }
        }
    }

    @Test func keys_doWhatTheHelpSays() async throws {
        let session = try TerminalSession(["--open", "app://profile/ann"], columns: 90, rows: 30)
        try await session.run { window in
            try await signIn(window)
            try await window.wait(for: "› [ Edit display name ]")
            window.type("?")
            try await window.wait(for: "Ctrl-L           redraw")
            window.type("\u{1B}")
            try await window.wait(for: "› [ Edit display name ]")
            window.type("jj")
            try await window.wait(for: "› Notes")
            window.type("k\u{1B}[F")
            try await window.wait(for: "› [ Reload ]")
            window.type("\u{1B}[H\u{C}")
            try await window.wait(for: "› [ Edit display name ]")
            window.type("\u{1B}[6~")
            try await window.wait(for: "› [ Reload ]")
            window.type("\u{1B}[5~1")
            try await window.wait(for: "Display name: │Ann Example ")
            window.type("\u{1}Dr. \u{5}, MD")
            try await window.wait(for: "│Dr. Ann Example, MD ")
            window.type("\u{17}\u{1B}[1;5D\u{B}Other")
            try await window.wait(for: "│Dr. Ann Other ")
            window.type("\u{15}\u{1B}[200~Pasted\nname\u{1B}[201~")
            try await window.wait(for: "│Pasted name ")
            window.type("\r")
            try await window.wait(for: "✓ Saved")
            try await window.wait(for: "the notice to go") {
                !$0.text.contains("Saved") && $0.text.contains("Pasted name")
            }
            window.type("q")
        }
    }

    @Test func request_showsHowLongItTakes_andEscapeCancelsIt() async throws {
        let signedIn = [ScriptedServer.Step].answer(200, #"{"user":"ann","token":"t"}"#)
        try await ScriptedServer.run([signedIn, [.hold]]) { server in
            let session = try TerminalSession(["--backend", server.baseURL.absoluteString])
            try await session.run { window in
                try await window.signIn()
                try await window.wait(for: "the seconds") {
                    $0.lines.last?.contains(/Working [1-9][0-9]* s  Esc cancel/) == true
                }
                window.type("\u{1B}")
                try await window.wait(for: "› [ Try again ]")
                #expect(!window.screen.text.contains("Working"))
                window.type("q")
            }
        }
    }

    private func signIn(_ window: PseudoTerminal) async throws {
        try await window.wait(for: "Home › Sign in")
        window.type("ann\tsecret\r")
    }

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

    @Test func windowOfAnySize_isUsable_andOfNoSizeSaysSo() async throws {
        let session = try TerminalSession()
        func resize(_ columns: Int, _ rows: Int) {
            session.window.resize(columns: columns, rows: rows)
            _ = kill(session.app.processIdentifier, SIGWINCH)
        }
        try await session.run { window in
            try await window.wait(for: " Home")
            resize(20, 5)
            try await window.wait(for: "the keys") { $0.lines[4] == " Enter choose" }
            resize(8, 2)
            try await window.wait(for: "the message") { $0.lines == ["Too sma…", ""] }
            resize(200, 50)
            try await window.wait(for: "the whole screen") {
                $0.lines.count == 50 && $0.text.contains(" Home")
            }
            window.type("q")
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

    @Test func longPaste_isRefused_andTypingGoesOn() async throws {
        try await TerminalSession(["--open", "app://sign-in"]).run { window in
            try await window.wait(for: "Home › Sign in")
            window.type("\u{1B}[200~\(String(repeating: "0123456789", count: 110_000))\u{1B}[201~")
            try await window.wait(for: "! Too long: at most")
            window.type("ann")
            try await window.wait(for: "User name: │ann ")
            window.type("\u{3}")
        }
    }

    @Test func enterThreeTimes_sendsOneRequest() async throws {
        let scripts: [[ScriptedServer.Step]] = [
            [.pause(.milliseconds(300))] + .answer(200, #"{"user":"ann","token":"t"}"#)
        ]
        let requests = try await ScriptedServer.run(scripts) { server in
            let session = try TerminalSession([
                "--backend", server.baseURL.absoluteString, "--open", "app://sign-in",
            ])
            try await session.run { window in
                try await signIn(window)
                window.type("\r\r")
                try await window.wait(forRow: "Sign out", "ann")
                window.type("q")
            }
        }
        #expect(requests.count { $0.hasPrefix("POST ") } == 1)
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

    @Test func controlD_atAFieldsPrompt_goesBackToTheChoices() async throws {
        try await TerminalSession(inLines: true).run { window in
            window.type("\(FirstScreen.notes)\r")
            try await window.wait(for: "the prompt") { $0.lines[$0.row] == "│ User name:" }
            window.type("\u{4}")
            try await window.wait(for: "the choices") {
                $0.lines[$0.row] == "│ >"
            }
            window.type("q\r")
        }
    }

    @Test(arguments: [
        "\u{1B}]0;half a reply\u{3}",
        "\u{1B}[200~half a paste\u{3}", "\u{1B}[200~\u{3}more", "\u{1B}[<0;1\u{3}", "\u{1B}\u{3}",
    ])
    func controlC_isObeyedAtOnce_whateverIsUnfinished(keys: String) async throws {
        let session = try TerminalSession(["--open", "app://sign-in"])
        var start = ContinuousClock.now
        let end = try await session.run { window in
            try await window.wait(for: "Home › Sign in")
            start = .now
            window.type(keys)
        }
        // 100 ms, and the delay that a busy machine adds; the keys that end what is unfinished never come.
        #expect(end - start < .seconds(20))
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

extension PseudoTerminal {
    /// Clicks the first line with a text.
    fileprivate func click(lineWith text: String) {
        let row = screen.lines.prefix { !$0.contains(text) }.count + 1
        type("\u{1B}[<0;5;\(row)M\u{1B}[<0;5;\(row)m")
    }
}
