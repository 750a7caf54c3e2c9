import DisplayTesting
import Foundation
import Testing

/// The file of a kept stack: how the program ends, earlier contents of the file, and other users of it.
@MainActor
@Suite(.timeLimit(.minutes(5)))
final class StackFileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(component: "\(UUID())")
    private var file: URL { folder.appending(component: "stack.json") }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func stored() throws -> String { try String(contentsOf: file, encoding: .utf8) }

    private func mode(of file: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    }

    /// Lines that sign in, each with the output that follows.
    private let signIn = [
        (FirstScreen.profile, "\n│ User name:"), ("ann", "\n│ Password:"), ("secret", "Reload"),
    ]

    private func type(_ lines: [(String, String)], into window: PseudoTerminal) async throws {
        try await window.wait(for: "== Home ==")
        for (line, prompt) in lines {
            window.type(line + "\r")
            try await window.wait(for: prompt)
        }
    }

    /// The file is written a moment after the screen is drawn.
    private func wait(forFileWith text: String, beside window: PseudoTerminal) async throws {
        try await window.wait(for: "a file with \(text)") { _ in (try? stored().contains(text)) == true }
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGKILL])
    func signal_leavesTheStackAndTheUnsavedText_andNoOtherFile(signal: Int32) async throws {
        try await TerminalSession(["--restore", file.path]).run(endingBy: signal) { window in
            // Keys before the stack is restored, here an empty one, are ignored.
            try await wait(forFileWith: "home.overview", beside: window)
            try await window.signIn()
            try await window.wait(for: "Edit display name")
            window.type("\r")
            try await window.wait(for: "Edit profile")
            window.type(" the Great")
            try await window.wait(for: "Ann Example the Great")
            try await wait(
                forFileWith: #"{\"draft\":\"Ann Example the Great\"}"#, beside: window)
        }
        #expect(try !stored().contains("secret"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["stack.json"])

        try await TerminalSession(["--restore", file.path]).run { window in
            try await window.wait(for: "Home › Sign in")
            window.type("ann\tsecret\r")
            try await window.wait(for: "Ann Example the Great")
            window.type("\u{3}")
        }
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func signal_leavesTheStackInLineModeToo(signal: Int32) async throws {
        let session = try TerminalSession(["--restore", file.path], rows: 40, inLines: true)
        try await session.run(endingBy: signal) { window in
            try await type(signIn + [("2", "Bob Builder")], into: window)
            try await wait(forFileWith: #"{\"user\":\"bob\"}"#, beside: window)
        }
    }

    @Test(arguments: [0o600, 0o640])
    func file_keepsItsMode_andANewOneIsForItsOwnerAlone(mode: Int) async throws {
        _ = try await BuiltProgram.app.run(["--restore", file.path])
        #expect(try self.mode(of: file) == 0o600)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        _ = try await BuiltProgram.app.run(
            ["--restore", file.path], input: [FirstScreen.profile, "ann", "secret", "2"])
        #expect(try self.mode(of: file) == mode)
        #expect(try stored().contains("bob"))
    }

    @Test func symbolicLink_staysOne() async throws {
        let link = folder.appending(component: "link.json")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        _ = try await BuiltProgram.app.run(["--restore", link.path])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == file.path)
        #expect(try stored().contains("home.overview"))
    }

    @Test func secondAppOnTheSameFile_saysSo_andLeavesItAlone() async throws {
        try await TerminalSession(["--restore", file.path]).run { window in
            try await window.wait(for: " Home")
            let second = try await BuiltProgram.app.run(["--restore", file.path], input: ["q"])
            #expect(
                second.errors == "App: The stack cannot be kept in \(file.path): Another App uses this file. "
                    + "Quit that one, or name another file.\n")
            #expect(second.output.isEmpty)
            #expect(second.status == 1)
            window.type("q")
        }
        #expect(try stored().contains("home.overview"))
    }

    /// The file must not get the number of the closed descriptor.
    @Test(arguments: [">&-", "2>&-", "<&-"])
    func descriptorThatIsClosed_isNotThatOfTheFile(closed: String) async throws {
        let script = #"exec "$0" --ephemeral --restore "$1" \#(closed)"#
        let result = try await BuiltProgram(path: URL(filePath: "/bin/sh")).run(
            ["-c", script, BuiltProgram.app.path.path, file.path])
        #expect(try !stored().contains("=="))
        let isUnwritable = closed == ">&-"
        #expect(
            result.errors
                == (isUnwritable
                    ? "App: The output cannot be written: Bad file descriptor. Check where it is redirected to.\n"
                    : ""))
        #expect(result.status == (isUnwritable ? 1 : 0))
    }

    /// A program may be killed at any moment, also while it writes.
    @Test func file_holdsAWholeStack_wheneverTheAppWasKilled() async throws {
        let first = Data(#"{"entries":[{"route":"home.overview","style":"root"}]}"#.utf8)
        for moment in 0..<20 {
            try first.write(to: file)
            let session = try TerminalSession(["--restore", file.path], rows: 40, inLines: true)
            try await session.run(endingBy: SIGKILL) { window in
                try await type(signIn, into: window)
                window.type(String(repeating: "1\r:q\r0\r", count: 30))
                try await Task.sleep(for: .milliseconds(2 * moment))
            }
            let stack = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: [Any]]
            #expect(stack?["entries"]?.isEmpty == false)
        }
    }
}
