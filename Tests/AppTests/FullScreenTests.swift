import DisplayTesting
import Foundation
import Testing

/// The built App full-screen, from the first key to the last.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct FullScreenTests {
    @Test func wholeFlow_worksByKeysAndLeavesTheTerminalAsItWas() async throws {
        try await TerminalSession().run { window in
            try await window.wait(for: " Home")
            #expect(!window.screen.text.contains("Signed in as"))
            window.type(FirstScreen.keys(choosing: FirstScreen.profile))
            try await window.wait(for: "Home › Sign in")
            #expect(window.screen.text.contains("┌─ Sign in ─"))
            window.type("ann\tsecret")
            try await window.wait(for: "Password:  │••••••")
            #expect(!Self.showsPassword(window))
            window.type("\r")
            try await window.wait(for: "who is signed in") { screen in
                screen.text.contains("Ann Example") && screen.lines[0].hasSuffix("Signed in as ann")
            }
            window.type("\u{1B}[B\r")
            try await window.wait(for: "Bob Builder")
            window.type("\u{1B}")
            try await window.wait(for: "Ann Example")
            window.type("q")
        }
    }

    @Test func escape_asksBeforeUnsavedTextIsLost() async throws {
        try await TerminalSession(["--open", "app://profile/ann/edit"]).run { window in
            try await window.wait(for: "Home › Sign in")
            window.type("ann\tsecret\r")
            try await window.wait(for: "Edit profile")
            window.type("!")
            try await window.wait(for: "Ann Example!")
            for answer in ["n", "\u{1B}"] {
                window.type("\u{1B}")
                try await window.wait(for: "Discard the unsaved display name?")
                window.type(answer)
                try await window.wait(for: "the form") { !$0.text.contains("Discard") }
                #expect(window.screen.text.contains("Ann Example!"))
            }
            window.type("\u{1B}")
            try await window.wait(for: "Discard the unsaved display name?")
            window.type("y")
            try await window.wait(for: "the first screen") { $0.lines[0].hasPrefix(" Home  ") }
            window.type("q")
        }
    }

    /// Whether the typed password can be read: once it may be, in the form's hint.
    private static func showsPassword(_ window: PseudoTerminal) -> Bool {
        window.screen.text.components(separatedBy: "secret").count > 2
    }

    /// The first text typed after the session has ended is a password: it must not be readable anywhere.
    @Test(arguments: [false, true])
    func passwordOfAKnownUser_isTypedFirst_andNeverReadable(inLines: Bool) async throws {
        let session = try TerminalSession(["--open", "app://sign-in?userName=ann"], inLines: inLines)
        try await session.run { window in
            try await window.wait(for: inLines ? "\nPassword:" : "Password:")
            // As soon as a user can, but no sooner.
            try await Task.sleep(for: .milliseconds(100))
            var hasShown = false
            window.type("secret")
            for _ in 0..<20 {
                try await Task.sleep(for: .milliseconds(10))
                hasShown = hasShown || Self.showsPassword(window)
            }
            window.type("\r")
            try await window.wait(forRow: "Sign out", "ann")
            #expect(!hasShown)
            #expect(!Self.showsPassword(window))
            window.type(inLines ? "q\r" : "q")
        }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/cmdline")))
    func password_isNotInTheProcessList() async throws {
        let session = try TerminalSession(["--open", "app://sign-in?userName=ann"])
        try await session.run { window in
            try await window.wait(for: "Password:")
            window.type("secret\r")
            try await window.wait(forRow: "Sign out", "ann")
            for name in ["cmdline", "environ"] {
                let path = "/proc/\(session.app.processIdentifier)/\(name)"
                let shown = try FileHandle(forReadingFrom: URL(filePath: path)).readToEnd() ?? Data()
                #expect(!shown.isEmpty)
                #expect(shown.range(of: Data("secret".utf8)) == nil)
            }
            window.type("q")
        }
    }
}
