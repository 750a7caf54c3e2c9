import Foundation
import StorageInterface
import Testing

@testable import StorageImplementation

/// The files of a store in its folder, and the access to them.
@Suite(.timeLimit(.minutes(5)))
struct FolderStoreTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func mode(of name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")[.posixPermissions] as? Int
    }

    @Test func folder_isCreatedWithTheFirstStore_andIsItsOwnersAlone() async throws {
        let stores = FolderStores(in: Storage.Folder(path: "\(folder.path)/state/app"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        let store = try await stores.store(of: "ann B")
        try await store.save(1, as: "a")
        let user = "state/app/user-ann%20%42"
        for name in ["state", "state/app", user, "\(user)/numbers"] { #expect(try mode(of: name) == 0o700) }
        #expect(try mode(of: "\(user)/numbers/a.json") == 0o600)
        #expect(try folder.files == ["\(user)/numbers/a.json"])
        #expect(try folder["\(user)/numbers/a.json"] == "1")
    }

    @Test func store_thatIsOpenedAgain_hasEverything() async throws {
        let stores = FolderStores(in: Storage.Folder(path: folder.path))
        try await stores.store(of: "ann").save(1, as: "a")
        try await stores.store(of: "ann").save(2, as: "B/\n\0🙂")
        try await stores.store(of: "ann").save(nil, as: "a")
        let store = try await FolderStores(in: Storage.Folder(path: folder.path)).store(of: "ann")
        #expect(try await store.numbers.isEmpty)
        #expect(try await store.value(for: number("B/\n\0🙂")) == 2)
    }

    /// Neither another program's file nor one that was being written when a program was killed.
    @Test func filesThatAreNoValues_areLeftOut() async throws {
        for file in ["numbers/log", "numbers/A.json", "new/7"] { try folder.write("1", to: file) }
        let store = try FolderStore(in: folder.path)
        #expect(try await store.numbers.isEmpty)
        #expect(try !folder.files.contains("new/7"))
    }

    /// Systems allow 255 bytes in the name of a folder.
    @Test func longNamesOfUsers_haveStoresOfTheirOwn() async throws {
        let stores = FolderStores(in: Storage.Folder(path: folder.path))
        let users =
            [190, 195, 200, 201, 400].map { String(repeating: "a", count: $0) }
            + ["🙂", "я"].map { String(repeating: $0, count: 200) }
        for (number, user) in users.enumerated() { try await stores.store(of: user).save(number, as: "a") }
        for user in users.dropLast() { try await stores.store(of: user).removeAll() }
        for (number, user) in users.enumerated() {
            let numbers = try await stores.store(of: user).numbers
            #expect(numbers == (number == users.count - 1 ? ["a": number] : [:]))
        }
    }

    @Test(arguments: [
        ("link/data", "No such file or directory"), ("link", "it is a link, or belongs to another user"),
        ("file/store", "Not a directory"),
    ])
    func folderThatCannotBeMade_isRefusedWithAMessage(path: String, reason: String) throws {
        symlink("\(folder.path)/nothing", "\(folder.path)/link")
        try folder.write("", to: "file")
        let path = "\(folder.path)/\(path)"
        let failure = #expect(throws: Storage.Failure.self) { try FolderStore(in: path) }
        #expect(failure == .unusable(path: path, reason: reason))
        #expect(
            failure?.errorDescription == """
                The data in \(path) cannot be used: \(reason). Correct that, or choose another folder.
                """)
    }

    @Test func secondStore_ofAnOpenFolder_isRefused() async throws {
        var first: FolderStore? = try FolderStore(in: folder.path)
        let failure = Storage.Failure.unusable(path: folder.path, reason: "another program uses it")
        #expect(throws: failure) { try FolderStore(in: folder.path) }
        try await first?.save(1, as: "a")
        first = nil
        #expect(try await FolderStore(in: folder.path).numbers == ["a": 1])
    }

    @Test func folderThatIsRemoved_isMadeAgain() async throws {
        let stores = FolderStores(in: Storage.Folder(path: "\(folder.path)/data"))
        let store = try await stores.store(of: "ann")
        for (count, path) in ["data", "data/user-ann", "data/user-ann/numbers"].enumerated() {
            try await store.save(0, as: "before")
            try FileManager.default.removeItem(atPath: "\(folder.path)/\(path)")
            try await store.save(count, as: "a")
            #expect(try await store.numbers == ["a": count])
        }
    }

    /// Other users may be able to write the folder.
    @Test func linkInThePlaceOfAFile_isNotFollowed() async throws {
        let other = try TestFolder()
        try other.write("7", to: "file")
        try folder.write("1", to: "numbers/b.json")
        symlink("\(other.path)/file", "\(folder.path)/numbers/a.json")
        let store = try FolderStore(in: folder.path)
        #expect(try await store.numbers == ["b": 1])
        symlink("\(other.path)/file", "\(folder.path)/numbers/b2.json")
        try await store.save(2, as: "b2")
        try store.removeAll()
        #expect(try other["file"] == "7")
    }

    @Test(.enabled(if: getuid() == 0))
    func fileOfAnotherUser_isNotRead() async throws {
        try await FolderStore(in: folder.path).save(1, as: "a")
        chown("\(folder.path)/numbers/a.json", 12345, 12345)
        #expect(try await FolderStore(in: folder.path).numbers.isEmpty)
    }

    @Test func largeValue_isSaved() async throws {
        let (store, text) = (try FolderStore(in: folder.path), String(repeating: "x", count: 5_000_000))
        try await store.set(text, for: Storage.Key("large/a"))
        #expect(try await store.value(for: Storage.Key<String>("large/a")) == text)
        let failure = #expect(throws: Storage.Failure.self) {
            try store.write(as: "large/a", isSynchronized: true) { Data(count: 70_000_000) }
        }
        #expect(failure == .notSaved(path: "\(folder.path)/large/a.json", reason: "File too large"))
        #expect(try await store.value(for: Storage.Key<String>("large/a")) == text)
    }

    /// As many as users may have notes; times of the processor are compared, in a process of its own.
    @Test func tenThousandValues_areWrittenAndReadInLinearTime() async {
        await #expect(processExitsWith: .success) {
            func time(_ count: Int) async throws -> clock_t {
                let folder = try TestFolder()
                let start = clock()
                let store = try FolderStore(in: folder.path)
                for value in 0..<count {
                    try store.setNow(value, for: number("\(value)"), isSynchronized: false)
                }
                #expect(try await store.numbers.count == count)
                return clock() - start
            }
            // Other programs may take the processor's caches meanwhile.
            for _ in 1...3 where try await time(10_000) < 8 * time(2_500) { return }
            Issue.record("Four times as many values take more than eight times as long.")
        }
    }
}
