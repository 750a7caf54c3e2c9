import DisplayTesting
import Foundation
import Testing

/// The built App on a pseudo-terminal, typed at and looked at as by a person.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct FullScreenTests {
    private let window: PseudoTerminal
    private let app: Process
    private let settings: [UInt8]

    init() throws {
        window = try PseudoTerminal(columns: 60, rows: 20)
        settings = window.settings
        app = Process()
        app.executableURL = try BuiltProgram.app.path
        app.environment = ["TERM": "xterm-256color"]
        app.standardInput = FileHandle(fileDescriptor: window.programSide)
        app.standardOutput = FileHandle(fileDescriptor: window.programSide)
    }

    @Test func wholeFlow_worksByKeysAndLeavesTheTerminalAsItWas() async throws {
        try await session { window in
            try await window.wait(for: "You are not signed in.")
            #expect(!window.screen.text.contains("Signed in as"))
            window.type("\r")
            try await window.wait(for: "Profile › Sign in")
            window.type("ann\tsecret")
            try await window.wait(for: "Password: │••••••")
            #expect(!window.screen.text.contains("secret"))
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
        #expect(app.terminationReason == .exit && app.terminationStatus == 0)
    }

    @Test func openedURL_isShownAfterTheSignIn_andGoesBackToTheFirstScreen() async throws {
        app.arguments = ["--open", "app://profile/bob"]
        try await session { window in
            try await window.wait(for: "Profile › Sign in")
            window.type("ann\tsecret\r")
            try await window.wait(for: "Bob Builder")
            #expect(window.screen.lines[0].hasPrefix(" Profile › Profile of bob"))
            window.type("\u{1B}")
            try await window.wait(for: "the first screen") { $0.lines[0].hasPrefix(" Profile  ") }
            window.type("q")
        }
        #expect(app.terminationReason == .exit && app.terminationStatus == 0)
    }

    @Test func controlC_quitsAlsoWhileTyping() async throws {
        try await session { window in
            try await window.wait(for: "You are not signed in.")
            window.type("\r")
            try await window.wait(for: "Profile › Sign in")
            window.type("q\u{3}")
        }
        #expect(app.terminationReason == .exit && app.terminationStatus == 0)
    }

    @Test func resizing_drawsAnew() async throws {
        try await session { window in
            try await window.wait(for: "You are not signed in.")
            window.resize(columns: 30, rows: 8)
            _ = kill(app.processIdentifier, SIGWINCH)
            try await window.wait(for: "the smaller frame") { screen in
                screen.lines.count == 8 && screen.text.contains("You are not signed in.")
            }
            window.type("q")
        }
    }

    @Test func terminationFromOutside_restoresTheTerminal() async throws {
        try await session { window in
            try await window.wait(for: "You are not signed in.")
            _ = kill(app.processIdentifier, SIGTERM)
        }
        #expect(app.terminationReason == .uncaughtSignal && app.terminationStatus == SIGTERM)
    }

    /// Runs the App while a person does something that ends it; checks that the terminal is as it was.
    private func session(_ person: (PseudoTerminal) async throws -> Void) async throws {
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        app.terminationHandler = { _ in ended.finish() }
        try app.run()
        do {
            try await person(window)
            try await window.wait(for: "the old screen") { !$0.isAlternate && $0.showsCursor }
        } catch {
            _ = kill(app.processIdentifier, SIGKILL)
            throw error
        }
        for await _ in ends {}
        #expect(window.settings == settings)
        #expect(window.screen.unknown.isEmpty)
    }
}
