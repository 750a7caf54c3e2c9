import Foundation
import RouterServiceInterface
import StorageInterface
import Testing

@testable import StorageImplementation

/// Programs that are killed while they save lose nothing that was reported as saved.
@Suite(.timeLimit(.minutes(5)))
struct KilledProgramTests {
    /// `STORAGE_KILLS=<count>` kills more programs.
    private static let kills = number(fromEnvironment: "STORAGE_KILLS", otherwise: 20)

    @Test func killedProgram_hasSavedWhatItReported_andNoPartOfATransaction() async throws {
        for seed in 0..<Self.kills {
            let folder = try TestFolder()
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = folder.path as String, seed = seed as Int] in
                try await Self.saveUntilKilled(in: path, seed)
            }
            let reported = try folder["reported"].count
            let numbers = try LogStore(in: folder.path).values.numbers
            let saved = numbers["last"] ?? 0
            #expect(saved >= reported, "kill \(seed)")
            let names = (0..<7).filter { $0 < saved }.map { saved - $0 }
            #expect(
                numbers == names.reduce(into: saved == 0 ? [:] : ["last": saved]) { $0["\($1 % 7)"] = $1 },
                "kill \(seed)")
        }
    }

    /// Saves one transaction after another, each of two values, and reports each with a byte in a file.
    private static func saveUntilKilled(in path: String, _ seed: Int) async throws {
        var random = SeededNumbers(state: UInt64(seed))
        let (last, pause) = (
            Int.random(in: 1..<40, using: &random), UInt32.random(in: 0..<2_000, using: &random)
        )
        let store = try LogStore(in: path, minimumCompaction: 300)
        let reported = open("\(path)/reported", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        for count in 1... {
            if count == last {
                Thread.detachNewThread {
                    usleep(pause)
                    kill(getpid(), SIGKILL)
                }
            }
            try await store.transaction { values in
                try values.set(count, for: number("last"))
                try values.set(count, for: number("\(count % 7)"))
            }
            try #require(write(reported, "\n", 1) == 1)
        }
    }

    /// Killed before the new log takes the place of the old one.
    @Test func interruptedCompaction_leavesTheLogAndNoOtherFile() async throws {
        let folder = try TestFolder()
        try await LogStore(in: folder.path).save(1, as: "a")
        let new = LogFormat.log(of: ["a": Data("2".utf8)]).bytes
        for count in 0...new.count {
            try folder.write(new[..<count], to: "log.new")
            #expect(try LogStore(in: folder.path).values.numbers == ["a": 1])
            #expect(try folder.files == ["log"])
        }
    }
}
