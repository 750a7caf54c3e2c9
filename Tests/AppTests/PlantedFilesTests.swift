import DisplayTesting
import Foundation
import Testing

@testable import App

/// What other users, or a copy, may have put into the folder with the App's data.
@MainActor
@Suite(.timeLimit(.minutes(5)))
final class PlantedFilesTests {
    private let folder = FileManager.default.temporaryDirectory.appending(component: "planted-\(UUID())").path

    init() throws {
        try FileManager.default.createDirectory(
            atPath: "\(folder)/data", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private var data: String { "\(folder)/data" }

    private func run(_ arguments: String...) async throws -> ProgramResult {
        try await BuiltProgram.app.run(["--data", data] + arguments, input: ["q"])
    }

    @Test(arguments: ["a link", "a link to nothing", "a pipe", "a folder", "a file"])
    func whatIsNoSocket_inThePlaceOfTheSocket_isLeftAlone(kind: String) async throws {
        let (socket, other) = ("\(data)/App.socket", "\(folder)/other")
        switch kind {
        case "a pipe": mkfifo(socket, 0o600)
        case "a folder": mkdir(socket, 0o700)
        case "a file": try "kept".write(toFile: socket, atomically: false, encoding: .utf8)
        default: symlink(other, socket)
        }
        if kind == "a link" { try "kept".write(toFile: other, atomically: false, encoding: .utf8) }
        let before = try FileManager.default.attributesOfItem(atPath: socket)[.systemFileNumber] as? Int
        let result = try await run()
        #expect(result.errors.isEmpty)
        #expect(result.status == 0)
        let after = try FileManager.default.attributesOfItem(atPath: socket)[.systemFileNumber] as? Int
        #expect(before == after)
        let content = try? kind == "a pipe" ? nil : String(contentsOfFile: socket, encoding: .utf8)
        #expect(content == (["a link", "a file"].contains(kind) ? "kept" : nil))
        #expect(kind == "a link" || !FileManager.default.fileExists(atPath: other))
        #expect(try await run("--send", "app://profile").errors == "App: No App uses the data in \(data).\n")
    }

    @Test(arguments: [(0o700, false), (0o755, false), (0o770, true), (0o707, true), (0o1777, true)])
    func folderThatOthersCanWrite_isReportedAtTheStart(mode: Int, isReported: Bool) async throws {
        chmod(data, mode_t(mode))
        let result = try await run()
        let warning =
            "Your data is in \(data), which other users can write to. Keep them out with chmod go-w.\n"
        #expect(result.errors == (isReported ? "App: \(warning)" : ""))
        #expect(result.output.hasPrefix(isReported ? "! \(warning)== Home" : "== Home"))
        #expect(result.status == 0)
    }

    @Test(.enabled(if: getuid() == 0))
    func folderOfAnotherUser_isReportedAtTheStart() async throws {
        chown(data, 12345, 12345)
        let result = try await run()
        #expect(result.errors.hasPrefix("App: Your data is in \(data), which belongs to another user."))
    }
}
