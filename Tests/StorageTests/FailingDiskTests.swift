import Foundation
import StorageInterface
import Synchronization
import Testing

@testable import StorageImplementation

/// A full disk, a folder that cannot be written, a slow disk, and a loss of power.
@Suite(.timeLimit(.minutes(5)))
struct FailingDiskTests {
    /// A limit of the size of files lets the system write a part of the bytes, and then nothing.
    @Test func valueThatDoesNotFit_leavesTheOldOne_andIsSavedWhenThereIsRoomAgain() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            let folder = try TestFolder()
            let (store, key) = (try FolderStore(in: folder.path), Storage.Key<String>("texts/a"))
            for limit in stride(from: 8, to: 600, by: 37) {
                try Self.setLimit(1 << 20)
                try await store.set("before", for: key)
                try Self.setLimit(limit)
                let long = String(repeating: "x", count: limit)
                let failure = await #expect(throws: Storage.Failure.self) {
                    try await store.set(long, for: key)
                }
                let path = "\(folder.path)/texts/a.json"
                #expect(failure == .notSaved(path: path, reason: "File too large"))
                #expect(
                    failure?.errorDescription == """
                        The change could not be saved in \(path): File too large. Earlier saved data is kept. Correct \
                        that, and save again.
                        """)
                #expect(try await store.value(for: key) == "before")
                #expect(try folder.files == ["texts/a.json"])
                try Self.setLimit(1 << 20)
                try await store.set(long, for: key)
                #expect(try await store.value(for: key) == long)
            }
        }
    }

    private static func setLimit(_ count: Int) throws {
        var limit = rlimit()
        try #require(getrlimit(1, &limit) == 0)  // RLIMIT_FSIZE
        limit.rlim_cur = rlim_t(count)
        try #require(setrlimit(1, &limit) == 0)
    }

    /// The process gives up the rights of root, which may write everything.
    @Test func folderThatBecomesReadOnly_canBeRead_andIsWrittenWhenItCanBeAgain() async {
        await #expect(processExitsWith: .success) {
            let folder = try TestFolder()
            if getuid() == 0 {
                try #require(chown(folder.path, 12345, 12345) == 0)
                try #require(setgid(12345) == 0 && setuid(12345) == 0)
            }
            let store = try FolderStore(in: folder.path)
            try await store.save(1, as: "a")
            try folder.write("no number", to: "numbers/b.json")
            let folders = [folder.path, "\(folder.path)/numbers", "\(folder.path)/new"]
            for path in folders { chmod(path, 0o500) }
            let failure = await #expect(throws: Storage.Failure.self) { try await store.save(2, as: "a") }
            let path = "\(folder.path)/numbers/a.json"
            #expect(failure == .notSaved(path: path, reason: "Permission denied"))
            await #expect(throws: Storage.Failure.self) { try await store.save(nil, as: "a") }
            #expect(throws: Storage.Failure.self) { try store.removeAll() }
            #expect(try await store.numbers == ["a": 1], "also where what is damaged cannot be set aside")
            for path in folders { chmod(path, 0o700) }
            try await store.save(2, as: "a")
            #expect(try await store.numbers["a"] == 2)
        }
    }

    /// A value that is written now, as a draft is when the program ends, does not wait for values that are being written.
    @Test func slowWrite_delaysNoOther_andReplacesNoLaterOne() async throws {
        let folder = try TestFolder()
        let isSlow = Atomic(true)
        let (waiting, slow) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let store = try FolderStore(in: folder.path) { _ in
            guard isSlow.exchange(false, ordering: .relaxed) else { return }
            waiting.signal()
            slow.wait()
        }
        let first = Task { try await store.save(1, as: "a") }
        await withCheckedContinuation { isWaiting in
            Thread.detachNewThread {
                waiting.wait()
                isWaiting.resume()
            }
        }
        try store.setNow(2, for: number("b"), isSynchronized: true)
        try store.setNow(2, for: number("a"), isSynchronized: false)
        #expect(try folder["numbers/a.json"] == "2")
        slow.signal()
        try await first.value
        #expect(try await store.numbers == ["a": 2, "b": 2])
        #expect(try folder.files == ["numbers/a.json", "numbers/b.json"])
    }

    /// A thread that pauses between taking a value and writing it would replace a later value.
    @Test func valueThatIsTakenLast_isKept() async throws {
        let folder = try TestFolder()
        let store = try FolderStore(in: folder.path)
        let isSet = DispatchSemaphore(value: 0)
        func slowValue() -> Int {
            Thread.detachNewThread {
                try? store.setNow(2, for: number("a"), isSynchronized: false)
                isSet.signal()
            }
            usleep(50_000)
            return 1
        }
        try store.setNow(slowValue(), for: number("a"), isSynchronized: true)
        await withCheckedContinuation { isDone in
            Thread.detachNewThread {
                isSet.wait()
                isDone.resume()
            }
        }
        #expect(try await store.numbers == ["a": 2])
    }

    @Test func writeThatIsUnderWay_whenEverythingIsRemoved_leavesNothing() async throws {
        let folder = try TestFolder()
        let removal = Mutex<(@Sendable () -> Void)?>(nil)
        let store = try FolderStore(in: folder.path) { _ in removal.withLock { $0.take() }?() }
        removal.withLock { $0 = { try? store.removeAll() } }
        try? store.setNow(1, for: number("a"), isSynchronized: true)
        #expect(try await store.numbers.isEmpty)
        #expect(try folder.files.isEmpty)
    }

    /// A file takes its place after it is synchronised, and its folder is synchronised after that.
    @Test func value_isOnTheDiskBeforeItReplacesAnother() async throws {
        let folder = try TestFolder()
        let path = "\(folder.path)/numbers/a.json"
        let contents = Mutex<[String?]>([])
        let store = try FolderStore(in: folder.path) { file throws(SystemError) in
            contents.withLock { $0.append(try? String(contentsOfFile: path, encoding: .utf8)) }
            try file.synchronize()
        }
        try await store.save(1, as: "a")
        #expect(contents.withLock { $0.prefix(2) } == [nil, "1"])
        contents.withLock { $0 = [] }
        try await store.save(2, as: "a")
        try await store.save(nil, as: "a")
        #expect(contents.withLock { $0 } == ["1", "2", nil])
        try await store.save(3, as: "a", isSynchronized: false)
        #expect(contents.withLock { $0.count } == 3, "a copy of what a server has is not waited for")
    }

    /// A loss of power takes a saved value with its folder, if a write that did not wait for the disk created the folder and
    /// its name was not synchronised since: here, or by a program that was killed.
    @Test(arguments: [false, true])
    func namesOfFolders_areOnTheDisk_withTheFirstSavedValue(isOpenedAgain: Bool) async throws {
        let folder = try TestFolder()
        let synchronized = Mutex<[UInt64]>([])
        func open() throws -> FolderStore {
            try FolderStore(in: "\(folder.path)/data/user") { file throws(SystemError) in
                var status = stat()
                fstat(file.descriptor, &status)
                synchronized.withLock { $0.append(UInt64(status.st_ino)) }
            }
        }
        /// The files and folders that were synchronised since the last call, without the folders above the test's.
        func names() throws -> [String] {
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path) + [""]
            let paths = Dictionary(
                uniqueKeysWithValues: try names.map { name in
                    var status = stat()
                    try #require(lstat("\(folder.path)/\(name)", &status) == 0)
                    return (UInt64(status.st_ino), name)
                })
            return synchronized.withLock { numbers in
                defer { numbers = [] }
                return numbers.compactMap { paths[$0] }
            }
        }
        var store: FolderStore? = try open()
        try await store?.save(1, as: "a", isSynchronized: false)
        #expect(try names() == [])
        if isOpenedAgain {
            store = nil
            store = try open()
        }
        let folders = ["data/user/numbers", "data/user", "data", ""]
        try await store?.save(2, as: "b")
        #expect(try names() == ["data/user/numbers/b.json"] + folders)
        try await store?.save(3, as: "c")
        #expect(try names() == ["data/user/numbers/c.json", "data/user/numbers"], "once")
        for removed in ["data/user/numbers", "data"] {
            try FileManager.default.removeItem(atPath: "\(folder.path)/\(removed)")
            try await store?.save(4, as: "a", isSynchronized: false)
            try await store?.save(5, as: "b")
            #expect(try names() == ["data/user/numbers/b.json"] + folders, "and again")
        }
    }

    @Test func failureToSynchronise_isReported_andKeepsTheOldValue() async throws {
        let folder = try TestFolder()
        let fails = Atomic(false)
        let store = try FolderStore(in: folder.path) { _ throws(SystemError) in
            if fails.load(ordering: .relaxed) { throw SystemError(code: EIO) }
        }
        try await store.save(1, as: "a")
        fails.store(true, ordering: .relaxed)
        let failure = await #expect(throws: Storage.Failure.self) { try await store.save(2, as: "a") }
        let path = "\(folder.path)/numbers/a.json"
        #expect(failure == .notSaved(path: path, reason: "Input/output error"))
        #expect(try await store.numbers == ["a": 1])
        #expect(try folder.files == ["numbers/a.json"])
    }

    /// `STORAGE_KILLS=<count>` kills more programs.
    private static let kills = number(fromEnvironment: "STORAGE_KILLS", otherwise: 20)

    @Test func killedProgram_hasSavedWhatItReported_andNoPartOfAValue() async throws {
        for seed in 0..<Self.kills {
            let folder = try TestFolder()
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = folder.path as String, seed = seed as Int] in
                try await Self.saveUntilKilled(in: path, seed)
            }
            let reported = try folder["reported"].utf8.count
            let stores = FolderStores(in: Storage.Folder(path: folder.path))
            let values = try await stores.store(of: "").values(of: [Int].self, in: "lists/")
            #expect(values.values.allSatisfy { Set($0).count == 1 && $0.count == 500 }, "kill \(seed)")
            let saved = values.values.compactMap(\.first).max() ?? 0
            #expect(saved >= reported, "kill \(seed)")
            for number in max(1, saved - 6)...max(1, saved) where saved > 0 {
                #expect(values["lists/\(number % 7)"]?.first == number, "kill \(seed)")
            }
            #expect(try folder.files.allSatisfy { $0.hasPrefix("user-/lists/") || $0 == "reported" })
        }
    }

    /// Saves one value after another, and reports each with a byte in a file.
    private static func saveUntilKilled(in path: String, _ seed: Int) async throws {
        var random = SeededNumbers(state: UInt64(seed))
        let last = Int.random(in: 1..<40, using: &random)
        let pause = UInt32.random(in: 0..<2_000, using: &random)
        let store = try await FolderStores(in: Storage.Folder(path: path)).store(of: "")
        let reported = open("\(path)/reported", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        for count in 1... {
            if count == last {
                Thread.detachNewThread {
                    usleep(pause)
                    kill(getpid(), SIGKILL)
                }
            }
            let list = [Int](repeating: count, count: 500)
            try await store.set(list, for: Storage.Key("lists/\(count % 7)"))
            try #require(write(reported, "\n", 1) == 1)
        }
    }
}
