import DisplayTesting
import Foundation
import Testing

/// The App as a server: its start and its data.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ServeTests {
    private let folder = DataFolder()

    @Test func folder_hasOneServer() async throws {
        try await ServerProcess.run(["--data", folder.path]) { _ in
            let second = try await BuiltProgram.app.run(["--data", folder.path, "--serve", "0"])
            #expect(
                second.errors
                    == "App: The data in \(folder.path)/user-server%2fembedded cannot be used: another program uses it. "
                    + "Correct that, or choose another folder.\n")
            #expect(second.output.isEmpty)
            #expect(second.status == 1)
        }
    }

    @Test func port_hasOneServer() async throws {
        try await ServerProcess.run { address in
            let port = try #require(address.port)
            let second = try await BuiltProgram.app.run(["--data", folder.path, "--serve", "\(port)"])
            #expect(
                second.errors
                    == "App: Port \(port) cannot be used: Address already in use. Choose another with --serve PORT, or "
                    + "0 for a free one.\n")
            #expect(second.output.isEmpty)
            #expect(second.status == 1)
        }
    }

    @Test func configuration_thatIsMissingAtTheStart_isNamed() async throws {
        for (file, reason) in [
            ("\(folder.path)/none", "No such file or directory"), ("/", "it is not a file"),
        ] {
            let result = try await BuiltProgram.app.run([
                "--data", folder.path, "--serve", "0", "--configuration", file,
            ])
            #expect(result.errors == "App: The configuration in \(file) cannot be read: \(reason).\n")
            #expect(result.output.isEmpty)
            #expect(result.status == 1)
        }
    }

    @Test func damage_isPrintedOnce() async throws {
        try await ServerProcess.run(["--data", folder.path]) { _ in }
        let record = URL(filePath: "\(folder.path)/user-server%2fembedded/server/record.json")
        #expect(FileManager.default.fileExists(atPath: record.path))
        try Data("damage".utf8).write(to: record)
        let errors = URL(filePath: "\(folder.path)/errors")
        try Data().write(to: errors)
        let handle = try FileHandle(forWritingTo: errors)
        func printed() throws -> String { try String(contentsOf: errors, encoding: .utf8) }
        try await ServerProcess.run(["--data", folder.path], errors: handle) { _ in
            while try !printed().hasSuffix("\n") { try await Task.sleep(for: .milliseconds(20)) }
        }
        let report = try printed()
        #expect(
            report.hasPrefix("App: The stored value 'server/record' cannot be read (it has another format)."))
        try await ServerProcess.run(["--data", folder.path], errors: handle) { _ in
            try await Task.sleep(for: .milliseconds(300))
        }
        #expect(try printed() == report)
    }
}
