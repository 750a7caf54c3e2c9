import Foundation
import StorageInterface
import Testing

@testable import StorageImplementation

/// The files of a log in its folder, and the access to them.
@Suite(.timeLimit(.minutes(1)))
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
        for name in ["log", "lock"] { #expect(try mode(of: "\(user)/\(name)") == 0o600) }
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
        #expect(store.damage == nil)
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
        #expect(try folder.files == ["lock", "log"])
    }

    @Test func secondStore_isRefusedWithAMessage() async throws {
        let store = try LogStore(in: folder.path)
        let failure = #expect(throws: Storage.Failure.self) { try LogStore(in: folder.path) }
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
        #expect(try folder.files == ["lock", "log"])
    }

    @Test func folderThatIsAFile_isRefusedWithAMessage() throws {
        try folder.write([], to: "file")
        let path = "\(folder.path)/file/store"
        let failure = #expect(throws: Storage.Failure.self) { try LogStore(in: path) }
        #expect(
            failure?.errorDescription == """
                The data in \(path) cannot be used: Not a directory. Correct that, or choose another folder.
                """)
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
        #expect(result == 7 && calls == 3)
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
        #expect(LogFormat.read(log).values == ["a": Data("1".utf8)])
        let values = ["a": Data("1".utf8), "b": Data("22".utf8)]
        #expect(LogFormat.size(of: values) == LogFormat.log(of: values).bytes.count)
    }
}
