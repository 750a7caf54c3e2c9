import Foundation
import RouterServiceInterface
import StorageInterface
import Testing

@testable import StorageImplementation

/// A failure to write is reported, and earlier saved values stay.
@Suite(.timeLimit(.minutes(5)))
struct FullDiskTests {
    /// A limit of the size of files lets the system write a part of the bytes, and then nothing.
    @Test func logThatCannotGrow_keepsWhatItHasAndGoesOnWhenThereIsRoomAgain() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            for limit in stride(from: 0, to: 600, by: 13) { try await Self.fill(upTo: limit) }
        }
    }

    private static func fill(upTo limit: Int) async throws {
        let folder = try TestFolder()
        let store = try LogStore(in: folder.path, minimumCompaction: 1 << 16)
        try setLimit(limit)
        var saved: [Identifier: Int] = [:]
        let failure = await #expect(throws: Storage.Failure.self) {
            while true {
                let count = saved.count
                try await store.save(count, as: "name \(count)")
                saved["name \(count)"] = count
            }
        }
        #expect(failure == .notSaved(path: "\(folder.path)/log", reason: "File too large"))
        #expect(
            failure?.errorDescription == """
                The change could not be saved in \(folder.path)/log: File too large. What was saved before is kept. \
                Correct that, and save again.
                """)
        #expect(try store.values.numbers == saved)
        #expect(try folder.content.values == store.values.encoded)
        #expect(try folder.content.end.count == folder["log"].count)
        try setLimit(1 << 20)
        try await store.save(-1, as: "later")
        saved["later"] = -1
        #expect(try folder.content.values == store.values.encoded)
        #expect(try store.values.numbers == saved)
    }

    /// The log without its damage does not fit on the disk.
    @Test(arguments: [(10, 100), (100, 10)])
    func damagedLog_thatCannotBeReplaced_staysAsItIs(intact: Int, damaged: Int) async {
        await #expect(processExitsWith: .success) {
            [intact = intact as Int, damaged = damaged as Int] in
            signal(SIGXFSZ, SIG_IGN)
            let folder = try TestFolder()
            let values: [Identifier: Data] = ["a": Data(repeating: UInt8(ascii: "1"), count: intact)]
            let log = LogFormat.log(of: values).bytes + Array(repeating: 1, count: damaged)
            try folder.write(log, to: "log")
            try Self.setLimit(60)
            let failure = #expect(throws: Storage.Failure.self) { try LogStore(in: folder.path) }
            #expect(failure == .unusable(path: "\(folder.path)/log", reason: "File too large"))
            #expect(try folder["log"] == log)
            #expect(try folder.files == ["log"])
            try Self.setLimit(1 << 20)
            let store = try LogStore(in: folder.path)
            #expect(
                store.values.damage == [try LogReader.read(log).report(keptIn: "\(folder.path)/damaged-1")])
            #expect(try folder["damaged-1"] == log)
            #expect(store.values.undamaged == values)
        }
    }

    private static func setLimit(_ count: Int) throws {
        var limit = rlimit()
        try #require(getrlimit(1, &limit) == 0)  // RLIMIT_FSIZE
        limit.rlim_cur = rlim_t(count)
        try #require(setrlimit(1, &limit) == 0)
    }

    @Test func compactionThatFails_failsNoTransactionAndIsTriedAgain() async throws {
        let folder = try TestFolder()
        let (damaged, reports) = AsyncStream<any Storage.Store>.makeStream()
        let store = try LogStore(in: folder.path, minimumCompaction: 200, reports: reports)
        // No file can be created under the name of a folder.
        let new = "\(folder.path)/log.new"
        try FileManager.default.createDirectory(atPath: new, withIntermediateDirectories: false)
        for value in 0..<20 { try await store.save(value, as: "a") }
        #expect(try folder["log"].count > 500)
        #expect(await damaged.first { @Sendable _ in true } === store)
        let report = """
            \(folder.path)/log holds values that were removed or replaced, because it could not be written again: Is \
            a directory.
            """
        #expect(store.values.damage == [report])
        try await store.transaction { $0.damage = [] }
        try FileManager.default.removeItem(atPath: new)
        for value in 0..<40 { try await store.save(value, as: "a") }
        #expect(try folder["log"].count < 500)
        #expect(try folder.content.values == ["a": Data("39".utf8)])
    }

    /// If a part of a record can neither be saved nor taken back, the content of the file is unknown.
    @Test func logInAnUnknownState_isNotWrittenUntilItIsOpenedAgain() async throws {
        let folder = try TestFolder()
        var store: LogStore? = try LogStore(in: folder.path)
        try await store?.save(1, as: "a")
        let log = try #require(descriptor(of: "\(folder.path)/log"))
        let (kept, readOnly) = (dup(log), open("\(folder.path)/log", O_RDONLY))
        try #require(dup2(readOnly, log) == log)
        let first = Storage.Failure.notSaved(path: "\(folder.path)/log", reason: "Bad file descriptor")
        await #expect(throws: first) {
            try await store?.save(2, as: "a")
        }
        try #require(dup2(kept, log) == log)
        let failure = await #expect(throws: Storage.Failure.self) { try await store?.save(3, as: "a") }
        #expect(failure?.errorDescription?.contains("only when the program is restarted") == true)
        #expect(try store?.values.numbers == ["a": 1])
        store = nil
        try await LogStore(in: folder.path).save(4, as: "a")
        #expect(try LogStore(in: folder.path).values.numbers == ["a": 4])
        [kept, readOnly].forEach { close($0) }
    }

    /// The descriptor with which this process has a file open.
    private func descriptor(of path: String) -> Int32? {
        var (wanted, found) = (stat(), stat())
        guard stat(path, &wanted) == 0 else { return nil }
        return (0..<1024).first {
            fstat($0, &found) == 0 && found.st_ino == wanted.st_ino && found.st_dev == wanted.st_dev
        }
    }
}
