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

    @Test(arguments: ["a link", "a link to nothing", "a pipe", "a folder"])
    func whatIsNoFile_inThePlaceOfTheLock_isLeftAlone(kind: String) async throws {
        let (lock, other) = ("\(data)/App.lock", "\(folder)/other")
        switch kind {
        case "a pipe": mkfifo(lock, 0o600)
        case "a folder": mkdir(lock, 0o700)
        default: symlink(other, lock)
        }
        if kind == "a link" { try "kept".write(toFile: other, atomically: false, encoding: .utf8) }
        for result in [try await run(), try await run("--send", "app://profile")] {
            let message =
                "App: \(lock) is a link, or not a file of yours. Remove it, or use another folder with --data.\n"
            #expect(result.errors == message)
            #expect(result.status == 1)
            #expect(result.output.isEmpty)
        }
        let content = try? String(contentsOfFile: other, encoding: .utf8)
        #expect(content == (kind == "a link" ? "kept" : nil))
    }

    @Test func hardLinkToAFileOfSomethingElse_inThePlaceOfTheLock_keepsItsContent() async throws {
        try "My thesis\n".write(toFile: "\(folder)/thesis", atomically: false, encoding: .utf8)
        try FileManager.default.linkItem(atPath: "\(folder)/thesis", toPath: "\(data)/App.lock")
        #expect(try await run().status == 0)
        #expect(try String(contentsOfFile: "\(folder)/thesis", encoding: .utf8) == "My thesis\n")
    }

    @Test(.enabled(if: getuid() == 0))
    func fileOfAnotherUser_inThePlaceOfTheLock_isLeftAlone() async throws {
        try "kept".write(toFile: "\(data)/App.lock", atomically: false, encoding: .utf8)
        chown("\(data)/App.lock", 12345, 12345)
        let result = try await run()
        #expect(result.errors.contains("is a link, or not a file of yours"))
        #expect(result.status == 1)
        #expect(try String(contentsOfFile: "\(data)/App.lock", encoding: .utf8) == "kept")
    }

    @Test(arguments: [(0o700, false), (0o755, false), (0o770, true), (0o707, true), (0o1777, true)])
    func folderThatOthersCanWrite_isReportedAtTheStart(mode: Int, isReported: Bool) async throws {
        chmod(data, mode_t(mode))
        let result = try await run()
        let warning =
            "App: Your data is in \(data), which other users can write to. Keep them out with chmod go-w.\n"
        #expect(result.errors == (isReported ? warning : ""))
        #expect(result.status == 0)
    }

    @Test(.enabled(if: getuid() == 0))
    func folderOfAnotherUser_isReportedAtTheStart() async throws {
        chown(data, 12345, 12345)
        let result = try await run()
        #expect(result.errors.hasPrefix("App: Your data is in \(data), which belongs to another user."))
    }
}
