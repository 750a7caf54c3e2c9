import Foundation
import Testing

/// Damaged data is reported by the built program, until the user has seen it.
@Suite(.timeLimit(.minutes(5)))
final class DamagedDataTests {
    private let folder = FileManager.default.temporaryDirectory.appending(component: "\(UUID())").path

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func run(_ input: String...) async throws -> String {
        let result = try await BuiltProgram.app.run(["--data", folder], input: input)
        #expect(result.errors.isEmpty && result.status == 0)
        return result.output
    }

    @Test func damage_ofTheProgramsStore_isReportedInEachRunUntilItIsConfirmed() async throws {
        _ = try await run("q")
        let log = "\(folder)/user-/log"
        let handle = try FileHandle(forWritingTo: URL(filePath: log))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("damage".utf8))
        try handle.close()
        let question = """
            A part of the stored data cannot be read: 1 change is lost. The 6 unreadable bytes are kept in \
            \(folder)/user-/damaged-1. Stop reporting this? (y/n) 
            """
        #expect(try await run("n", "q").hasPrefix(question))
        #expect(try await run("y", "q").hasPrefix(question))
        #expect(try await !run("q").contains("(y/n)"))
    }
}
