import DisplayTesting
import Foundation
import Testing

/// The file of a kept stack: what ends the program, what the file was before, and who else uses it.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct StackFileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(component: "\(UUID())")
    private var file: URL { folder.appending(component: "stack.json") }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func stored() throws -> String { try String(contentsOf: file, encoding: .utf8) }

    private func mode(of file: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGKILL])
    func signal_leavesTheStackAndTheUnsavedText_andNoOtherFile(signal: Int32) async throws {
        try await TerminalSession(["--restore", file.path]).run(endingBy: signal) { window in
            try await window.wait(for: "You are not signed in.")
            window.type("\r")
            try await window.wait(for: "Profile › Sign in")
            window.type("ann\tsecret\r")
            try await window.wait(for: "Edit display name")
            window.type("\r")
            try await window.wait(for: "Edit profile")
            window.type(" the Great")
            try await window.wait(for: "Ann Example the Great")
        }
        #expect(try stored().contains(#""state" : "{\"draft\":\"Ann Example the Great\"}""#))
        #expect(try !stored().contains("secret"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["stack.json"])

        try await TerminalSession(["--restore", file.path]).run { window in
            try await window.wait(for: "Profile › Sign in")
            window.type("ann\tsecret\r")
            try await window.wait(for: "Ann Example the Great")
            window.type("\u{3}")
        }
        try FileManager.default.removeItem(at: folder)
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func signal_leavesTheStackInLineModeToo(signal: Int32) async throws {
        let session = try TerminalSession(["--restore", file.path], rows: 40, inLines: true)
        try await session.run(endingBy: signal) { window in
            try await window.wait(for: "You are not signed in.")
            for (line, prompt) in [
                ("1", "\nUser name:"), ("ann", "\nPassword:"), ("secret", "Sign out"), ("2", "Bob Builder"),
            ] {
                window.type(line + "\r")
                try await window.wait(for: prompt)
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        #expect(try stored().contains(#""user" : "bob""#))
        try FileManager.default.removeItem(at: folder)
    }

    @Test(arguments: [0o600, 0o640])
    func file_keepsItsMode_andANewOneIsForItsOwnerAlone(mode: Int) async throws {
        _ = try await BuiltProgram.app.run(["--restore", file.path])
        #expect(try self.mode(of: file) == 0o600)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        _ = try await BuiltProgram.app.run(["--restore", file.path], input: ["1", "ann", "secret", "2"])
        #expect(try self.mode(of: file) == mode && stored().contains("bob"))
        try FileManager.default.removeItem(at: folder)
    }

    @Test func symbolicLink_staysOne() async throws {
        let link = folder.appending(component: "link.json")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        _ = try await BuiltProgram.app.run(["--restore", link.path])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == file.path)
        #expect(try stored().contains("profile.overview"))
        try FileManager.default.removeItem(at: folder)
    }

    @Test func secondAppOnTheSameFile_saysSo_andLeavesItAlone() async throws {
        try await TerminalSession(["--restore", file.path]).run { window in
            try await window.wait(for: "You are not signed in.")
            let second = try await BuiltProgram.app.run(["--restore", file.path], input: ["q"])
            #expect(
                second.errors == "App: The stack cannot be kept in \(file.path): Another App uses this file. "
                    + "Quit that one, or name another file.\n")
            #expect(second.output.isEmpty && second.status == 1)
            window.type("q")
        }
        #expect(try stored().contains("profile.overview"))
        try FileManager.default.removeItem(at: folder)
    }

    /// A program may be killed at any moment, so a reader must always find a stack.
    @Test func file_holdsAWholeStackAtEachMoment() async throws {
        try Data(#"{"entries":[{"route":"profile.overview","style":{"name":"root"}}]}"#.utf8).write(to: file)
        let reader = Task.detached { [file] in
            var torn: [String] = []
            while !Task.isCancelled {
                // In one piece, as what is left of a killed program is read.
                let descriptor = open(file.path, O_RDONLY)
                var bytes = [UInt8](repeating: 0, count: 4096)
                let count = read(descriptor, &bytes, bytes.count)
                let data = Data(bytes.prefix(count))
                close(descriptor)
                if (try? JSONSerialization.jsonObject(with: data)) == nil {
                    torn.append(String(decoding: data, as: UTF8.self))
                }
                await Task.yield()
            }
            return torn
        }
        let input = ["1", "ann", "secret"] + (0..<40).flatMap { _ in ["2", "0"] }
        _ = try await BuiltProgram.app.run(["--restore", file.path], input: input)
        reader.cancel()
        #expect(await reader.value.isEmpty)
        try FileManager.default.removeItem(at: folder)
    }
}
