import DisplayTesting
import Foundation
import Testing

/// The built App full-screen, from the first key to the last.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct FullScreenTests {
    private let folder = DataFolder()

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

    /// A second Enter after the sign-in must not sign out, and the first frame of the notes is the same at each start.
    @Test func focus_isOnTheFirstEntryAfterTheSignIn_andAfterARestartOnTheButtonThatSignsIn() async throws {
        try await TerminalSession(["--data", folder.path]).run { window in
            try await window.signIn(opening: nil)
            try await window.wait(for: "› \(FirstScreen.first)")
            window.type(FirstScreen.keys(choosing: FirstScreen.notes))
            try await window.wait(for: "› [ New note ]")
            window.type("q")
        }
        for _ in 0..<3 {
            try await TerminalSession(["--data", folder.path]).run { window in
                try await window.wait(for: " Home")
                window.type(FirstScreen.notes)
                try await window.wait(for: "› [ Sign in ]")
                window.type("q")
            }
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
}
