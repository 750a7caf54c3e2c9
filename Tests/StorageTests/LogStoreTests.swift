import Foundation
import RouterServiceInterface
import StorageInterface
import Testing

@testable import StorageImplementation

/// The files of a log in its folder, and the access to them.
@Suite(.timeLimit(.minutes(5)))
struct LogStoreTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func mode(of name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")[.posixPermissions] as? Int
    }

    @Test func folder_isCreatedWithTheFirstStoreAndIsItsOwnersAlone() async throws {
        let stores = LogStores(in: Storage.Folder(path: "\(folder.path)/state/app"))
        #expect(try folder.files.isEmpty)
        let store = try await stores.store(of: "ann B")
        try await store.save(1, as: "a")
        let user = "state/app/user-ann%20%42"
        for name in ["state", "state/app", user] { #expect(try mode(of: name) == 0o700) }
        #expect(try mode(of: "\(user)/log") == 0o600)
    }

    @Test func store_thatIsOpenedAgain_hasEverything() async throws {
        let stores = LogStores(in: Storage.Folder(path: folder.path))
        try await stores.store(of: "ann").transaction { values in
            try values.set(1, for: number("a"))
            try values.set("\n\0🙂", for: Storage.Key("b/\n\0🙂"))
        }
        try await stores.store(of: "ann").transaction { $0.removeValue(for: number("a")) }
        let store = try await LogStores(in: Storage.Folder(path: folder.path)).store(of: "ann")
        #expect(try store.values.value(for: number("a")) == nil)
        #expect(try store.values.value(for: Storage.Key<String>("b/\n\0🙂")) == "\n\0🙂")
        #expect(store.values.damage.isEmpty)
    }

    @Test func transactionThatChangesNothing_writesNothing() async throws {
        let store = try LogStore(in: folder.path)
        let before = try folder["log"]
        try await store.transaction { $0.removeValue(for: number("a")) }
        #expect(try folder["log"] == before)
    }

    @Test func removingEverything_leavesNothingOfItInTheFolder() async throws {
        let store = try LogStore(in: folder.path)
        try await store.transaction { try $0.set("in the log", for: Storage.Key("a")) }
        #expect(try String(decoding: folder["log"], as: UTF8.self).contains("in the log"))
        try await store.transaction { $0.removeAll() }
        #expect(try folder["log"] == LogFormat.header().bytes)
        #expect(try folder.files == ["log"])
    }

    /// Times of the processor are compared, in a process of its own, because other tests use processors and disk meanwhile.
    @Test func transaction_costsItsChanges_notAllValues() async {
        await #expect(processExitsWith: .success) {
            let folder = try TestFolder()
            let store = try LogStore(in: folder.path)
            try await store.transaction { values in
                for count in 0..<100_000 { try values.set(0, for: number("\(count)")) }
            }
            try await store.save(1, as: "0")
            let (all, start) = (store.values.encoded, clock())
            for count in 0..<100 {
                var copy = all
                copy["\(count)"] = nil
            }
            let copied = clock()
            for count in 0..<100 { try await store.save(1, as: "\(count)") }
            #expect(clock() - copied < copied - start)
        }
    }

    @Test func folderThatIsRemoved_isWrittenAgain() async throws {
        let stores = LogStores(in: Storage.Folder(path: "\(folder.path)/data"))
        let store = try await stores.store(of: "ann")
        try await store.save(1, as: "a")
        for path in ["data", "data/user-ann", "data/user-ann/log"] {
            try FileManager.default.removeItem(atPath: "\(folder.path)/\(path)")
            try await store.save(2, as: Identifier(path))
            let log = try LogReader.read(folder["data/user-ann/log"])
            #expect(log.values == store.values.encoded, "\(path)")
            #expect(log.isIntact, "\(path)")
            #expect(throws: Storage.Failure.self, "the new folder is locked") {
                try LogStore(in: "\(folder.path)/data/user-ann")
            }
        }
        #expect(try store.values.numbers.count == 4)
    }

    @Test func folderOfAnotherProgram_isNotOverwritten() async throws {
        let store = try LogStore(in: "\(folder.path)/a")
        try FileManager.default.moveItem(atPath: "\(folder.path)/a", toPath: "\(folder.path)/b")
        try await LogStore(in: "\(folder.path)/a").save(1, as: "other")
        let failure = await #expect(throws: Storage.Failure.self) { try await store.save(2, as: "a") }
        #expect(failure == .notSaved(path: "\(folder.path)/a/log", reason: "Stale file handle"))
        #expect(try LogReader.read(folder["a/log"]).values == ["other": Data("1".utf8)])
        #expect(store.values.encoded.isEmpty)
    }

    @Test func longUserNames_haveFoldersOfTheirOwn() async throws {
        let long = String(repeating: "ä", count: 60)
        let users = [
            long, long + "log", long + "b", String(repeating: "a", count: 250),
            String(repeating: "a", count: 251),
        ]
        let stores = LogStores(in: Storage.Folder(path: folder.path))
        for (index, user) in users.enumerated() {
            try await stores.store(of: Identifier(user)).save(index, as: "a")
        }
        for (index, user) in users.enumerated() {
            #expect(try await stores.store(of: Identifier(user)).values.numbers == ["a": index])
        }
        #expect(LogStores.folderPath(of: Identifier(users[3])) == "user-" + users[3])
        #expect(LogStores.folderPath(of: Identifier(users[4])) == "user-" + users[3] + "/+a")
        let failure = await #expect(throws: Storage.Failure.self) {
            try await stores.store(of: Identifier(String(repeating: "a", count: 5000)))
        }
        #expect(failure?.errorDescription?.contains("cannot be used: File name too long.") == true)
    }

    @Test(arguments: [
        ("link/data", "No such file or directory"), ("link", "it is a link, or belongs to another user"),
        ("/proc/x", "No such file or directory"), ("file/store", "Not a directory"),
    ])
    func folderThatCannotBeMade_isRefusedWithAMessage(path: String, reason: String) throws {
        symlink("\(folder.path)/nothing", "\(folder.path)/link")
        try folder.write([], to: "file")
        let path = path.hasPrefix("/") ? path : "\(folder.path)/\(path)"
        let failure = #expect(throws: Storage.Failure.self) { try LogStore(in: path) }
        #expect(failure == .unusable(path: path, reason: reason))
        #expect(
            failure?.errorDescription == """
                The data in \(path) cannot be used: \(reason). Correct that, or choose another folder.
                """)
    }

    /// Other users may be able to write the folder.
    @Test func linkInThePlaceOfAFile_isNotFollowed() async throws {
        let other = try TestFolder()
        try other.write("kept".utf8, to: "file")
        symlink("\(other.path)/file", "\(folder.path)/log")
        let failure = #expect(throws: Storage.Failure.self) { try LogStore(in: folder.path) }
        let reason = "it is a link, or belongs to another user"
        #expect(failure == .unusable(path: "\(folder.path)/log", reason: reason))

        try FileManager.default.removeItem(atPath: "\(folder.path)/log")
        let store = try LogStore(in: folder.path, minimumCompaction: 0)
        for name in ["log.new", "damaged-1"] { symlink("\(other.path)/file", "\(folder.path)/\(name)") }
        try await store.save(1, as: "a")
        try await store.save(2, as: "a")
        try await store.erase()
        #expect(try other["file"] == Array("kept".utf8))
        #expect(try !folder.files.contains("damaged-1"))
    }

    @Test(.enabled(if: getuid() == 0))
    func logOfAnotherUser_isNotUsed() async throws {
        try await LogStore(in: folder.path).save(1, as: "a")
        chown("\(folder.path)/log", 12345, 12345)
        let failure = #expect(throws: Storage.Failure.self) { try LogStore(in: folder.path) }
        let reason = "it is a link, or belongs to another user"
        #expect(failure == .unusable(path: "\(folder.path)/log", reason: reason))
    }

    @Test func largeValue_isSaved_andATooLargeTransactionIsRefused() async throws {
        let store = try LogStore(in: folder.path)
        let text = String(repeating: "x", count: 5_000_000)
        try await store.transaction { try $0.set(text, for: Storage.Key("large")) }
        let before = try folder["log"].count
        let failure = await #expect(throws: Storage.Failure.self) {
            try await store.transaction { values in
                for count in 0..<60 { try values.set(text, for: Storage.Key("\(count)")) }
            }
        }
        #expect(failure?.errorDescription?.contains("more than 256 MiB") == true)
        #expect(try folder["log"].count == before)
        #expect(store.values.encoded.count == 1)
        #expect(try folder.content.values == store.values.encoded)
    }

    @Test func opening_takesTimeInProportionToTheValues() async {
        await #expect(processExitsWith: .success) {
            let folder = try TestFolder()
            func time(_ count: Int) throws -> clock_t {
                let values = (0..<count).map { (Identifier("notes/\($0)"), Data(repeating: 32, count: 300)) }
                try folder.write(LogFormat.log(of: Dictionary(uniqueKeysWithValues: values)).bytes, to: "log")
                let start = clock()
                #expect(try folder.content.values.count == count)
                return clock() - start
            }
            let few = try time(10_000)
            #expect(try time(40_000) < 8 * few)
        }
    }

    /// Of 1 GB that are mostly a hole, no more than pieces are read.
    @Test func sparseLog_takesLittleMemory() async throws {
        try await LogStore(in: folder.path).save(1, as: "a")
        try #require(truncate("\(folder.path)/log", 1_000_000_000) == 0)
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            // In kilobytes or bytes, by the platform; a new process begins with those of its parent.
            func mostMemory() -> Int {
                var usage = rusage()
                getrusage(0, &usage)  // RUSAGE_SELF
                return usage.ru_maxrss
            }
            let before = mostMemory()
            let store = try LogStore(in: path)
            #expect(try store.values.value(for: number("a")) == 1)
            #expect(store.values.damage.count == 1)
            #expect(
                store.values.damage.first?.contains(" The \(1_000_000_000 - 46) unreadable bytes ") == true)
            #expect(mostMemory() < 2 * before)
        }
        var status = stat()
        try #require(stat("\(folder.path)/damaged-1", &status) == 0)
        #expect(status.st_size == 1_000_000_000)
        #expect(status.st_blocks < 100)
    }

    @Test func erasing_removesTheTextOfTheUser_alsoWhereNoFileCanBeMade() async throws {
        let store = try LogStore(in: folder.path)
        for value in 0..<3 {
            try await store.transaction { try $0.set("secret \(value)", for: Storage.Key("a")) }
        }
        for name in ["damaged-1", "damaged-2"] { try folder.write("secret".utf8, to: name) }
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/log.new", withIntermediateDirectories: false)
        try await store.erase()
        #expect(try folder.files == ["log", "log.new"])
        #expect(try folder["log"] == LogFormat.header().bytes)
        #expect(store.values.encoded.isEmpty)
        try await store.save(1, as: "b")
        #expect(try folder.content.values == ["b": Data("1".utf8)])
    }

    @Test func erasing_reportsWhatItCouldNotRemove() async throws {
        let store = try LogStore(in: folder.path)
        try await store.save(1, as: "a")
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/damaged-1", withIntermediateDirectories: false)
        try folder.write("secret".utf8, to: "damaged-2")
        let path = "\(folder.path)/damaged-1"
        let failure = await #expect(throws: Storage.Failure.self) { try await store.erase() }
        #expect(failure == .notRemoved(path: path, reason: "Is a directory"))
        #expect(
            failure?.errorDescription
                == "The data in \(path) could not be removed: Is a directory. Remove that file.")
        #expect(try folder.files == ["damaged-1", "log"])
        #expect(try folder.content.values.isEmpty)
        #expect(store.values.encoded.isEmpty)
    }

    /// What is saved does not depend on the time.
    @Test func clockThatGoesBack_changesNothing() async throws {
        try await LogStore(in: folder.path).save(1, as: "a")
        for time in [0, 4_000_000_000] {
            for file in ["log", ""] {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: Double(time))],
                    ofItemAtPath: "\(folder.path)/\(file)")
            }
            let store = try LogStore(in: folder.path)
            #expect(try store.values.value(for: number("a")) == 1)
            try await store.save(time, as: "\(time)")
        }
        #expect(
            try LogStore(in: folder.path).values.numbers == ["a": 1, "0": 0, "4000000000": 4_000_000_000])
    }

    @Test func secondStore_isRefusedWithAMessage() async throws {
        let store = try LogStore(in: folder.path)
        #expect(try folder.files == ["log"], "and no file of a lock, which may be removed")
        let failure = #expect(throws: Storage.Failure.inUse(path: folder.path)) {
            try LogStore(in: folder.path)
        }
        #expect(
            failure?.errorDescription == """
                The data in \(folder.path) is used by another program. Quit that one, or choose another folder.
                """)
        try await store.save(1, as: "a")
        #expect(try store.values.numbers == ["a": 1])
    }

    @Test func secondProcess_isRefused_andFindsEverythingLater() async throws {
        var store: LogStore? = try LogStore(in: folder.path)
        try await store?.save(1, as: "a")
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            #expect(throws: Storage.Failure.inUse(path: path)) { try LogStore(in: path) }
        }
        #expect(store != nil)
        store = nil
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            let store = try LogStore(in: path)
            #expect(try store.values.numbers == ["a": 1])
        }
    }

    @Test(arguments: [LogFormat.version + 1, .max])
    func newerFormat_isRefusedAndStaysAsItIs(version: UInt32) throws {
        let log = LogFormat.header(version: version).bytes + Array("anything".utf8)
        try folder.write(log, to: "log")
        let path = "\(folder.path)/log"
        let failure = #expect(throws: Storage.Failure.newerFormat(path: path, version: version)) {
            try LogStore(in: folder.path)
        }
        #expect(
            failure?.errorDescription == """
                The data in \(path) has format \(version), which this version cannot read. Use the version that wrote \
                it, or choose another folder.
                """)
        #expect(try folder["log"] == log)
        #expect(try folder.files == ["log"])
    }

    @Test func folderOfAnotherUser_isRefused() async throws {
        try await LogStore(in: folder.path).save(1, as: "a")
        let log = try folder["log"]
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: "\(folder.path)/log")
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            // An administrator may do everything.
            if geteuid() == 0 { try #require(setuid(65534) == 0) }
            let failure = #expect(throws: Storage.Failure.self) { try LogStore(in: path) }
            #expect(failure?.errorDescription?.contains("cannot be used: Permission denied.") == true)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        #expect(try folder["log"] == log)
    }

    @Test func call_thatASignalInterrupts_isMadeAgain() throws {
        var calls = 0
        let result = try SystemError.check {
            calls += 1
            errno = EINTR
            return calls < 3 ? -1 : 7
        }
        #expect(result == 7)
        #expect(calls == 3)
        let error = #expect(throws: SystemError.self) {
            try SystemError.check {
                errno = ENOSPC
                return -1
            }
        }
        #expect(error?.reason == "No space left on device")
    }

    /// The check value of CRC-32 in catalogues, and the exact bytes of a log: both are for ever.
    @Test func format_isWhatItWas() throws {
        #expect(LogFormat.checksum(Array("123456789".utf8)[...]) == 0xCBF4_3926)
        let header = LogFormat.header()
        let log = header.bytes + LogFormat.record([("a", Data("1".utf8)), ("b", nil)], at: header.end).bytes
        let text = log.map { String(format: "%02x", $0) }.joined()
        #expect(
            text == "535753544f52450a" + "01000000" + "c16746f5"
                + "2300000000000000" + "0100000000000000" + "61" + "0100000000000000" + "31"
                + "0100000000000000" + "62" + "ffffffffffffffff" + "e74f9319")
        #expect(try LogReader.read(log).values == ["a": Data("1".utf8)])
        let values: [Identifier: Data] = ["a": Data("1".utf8), "b": Data("22".utf8)]
        #expect(LogFormat.size(of: values) == LogFormat.log(of: values).bytes.count)
    }
}
