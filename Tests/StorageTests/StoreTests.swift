import Foundation
import RouterServiceInterface
import RouterServiceTesting
import StorageInterface
import StorageTesting
import Testing

@testable import StorageImplementation

/// The behaviour of every kind of store.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct StoreTests {
    enum Kind: CaseIterable {
        case folder, fake
    }

    private struct Note: Codable, Equatable {
        var title: String
    }

    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func stores(_ kind: Kind) throws -> any Storage.Stores {
        let modules =
            switch kind {
            case .folder: RecordedModules(StorageModule(), FolderModule(path: folder.path))
            case .fake: RecordedModules(FakeStorageModule())
            }
        #expect(modules.lifetimes.first == .singleton)
        return try modules.resolve((any Storage.Stores).self)
    }

    private struct FolderModule: Module {
        let path: String

        func register(in registrar: Registrar) {
            registrar.register(Storage.Folder.self, lifetime: .singleton) { Storage.Folder(path: path) }
        }
    }

    @Test(arguments: Kind.allCases)
    func values_areSet_replaced_andRemoved(kind: Kind) async throws {
        let stores = try self.stores(kind)
        #expect(!stores.hasStore(of: "ann"))
        // snippet: values
        let tea = Storage.Key<Note>("notes/17")
        let store = try await stores.store(of: "ann")
        try await store.set(Note(title: "Tea"), for: tea)
        let saved = try await store.value(for: tea)
        // snippet: end
        #expect(saved == Note(title: "Tea"))
        #expect(stores.hasStore(of: "ann"))
        try await store.set(Note(title: "Milk"), for: tea)
        try await store.set(Note(title: "Odd"), for: Storage.Key<Note>("notes/\n\0🙂/x"))
        #expect(try await store.values(of: Note.self, in: "notes/") == ["notes/17": Note(title: "Milk")])
        #expect(try await store.value(for: Storage.Key<Note>("notes/\n\0🙂/x")) == Note(title: "Odd"))
        try await store.set(nil, for: tea)
        #expect(try await store.value(for: tea) == nil)
        #expect(try await store.values(of: Note.self, in: "notes/").isEmpty)
        #expect(try await store.values(of: Note.self, in: "nothing/").isEmpty)
    }

    /// A program may end without another turn of its main actor.
    @Test(arguments: Kind.allCases)
    func value_isThere_asSoonAsItWasSetNow(kind: Kind) async throws {
        let store = try await stores(kind).store(of: "ann")
        try store.setNow(1, for: number("a"), isSynchronized: false)
        #expect(try await store.numbers == ["a": 1])
    }

    @Test(arguments: Kind.allCases)
    func users_haveStoresOfTheirOwn_eachOneOnly(kind: Kind) async throws {
        let stores = try stores(kind)
        let users = ["ann", "Ann", "", ".", "../ann", "user-ann", "ann%", "Änn 🙂", "a\0b", "+", "%"]
        var opened: [any Storage.Store] = []
        for (index, user) in users.enumerated() {
            opened.append(try await stores.store(of: user))
            try await opened[index].save(index, as: "a")
        }
        for (index, user) in users.enumerated() {
            let store = try await stores.store(of: user)
            #expect(store === opened[index])
            #expect(try await store.numbers == ["a": index])
        }
    }

    /// `é` of one scalar and of two is one name.
    @Test(arguments: Kind.allCases)
    func namesThatDifferOnlyByTheirNormalForm_areOneUser(kind: Kind) async throws {
        let stores = try stores(kind)
        let composed = try await stores.store(of: "Ren\u{E9}")
        try await composed.save(1, as: "a")
        #expect(try await stores.store(of: "Rene\u{301}") === composed)
    }

    /// The files are found again by stores that were not open, and their text has one form.
    @Test func filesOfNamesThatDifferOnlyByTheirNormalForm_areTheSame() async throws {
        let (composed, decomposed) = (Storage.Key<Note>("notes/\u{E9}"), Storage.Key<Note>("notes/e\u{301}"))
        try await stores(.folder).store(of: "Ren\u{E9}").set(Note(title: "Tea"), for: composed)
        let store = try await stores(.folder).store(of: "Rene\u{301}")
        #expect(try await store.value(for: decomposed) == Note(title: "Tea"))
        #expect(try folder.files == ["user-%52en%c3%a9/notes/%c3%a9.json"])
        try folder.write(#"{"title":"e\#u{301} e\u0301"}"#, to: "user-%52en%c3%a9/notes/%c3%a9.json")
        let title = try #require(try await store.value(for: composed)).title
        #expect(Array(title.unicodeScalars) == Array("\u{E9} \u{E9}".unicodeScalars))
    }

    @Test(arguments: Kind.allCases)
    func erasedStore_isEmpty_andGoesOn(kind: Kind) async throws {
        let store = try await stores(kind).store(of: "ann")
        try await store.save(1, as: "a")
        #expect(try await store.value(for: Storage.Key<Note>("numbers/a")) == nil)
        try await store.save(2, as: "b")
        try store.removeAll()
        #expect(try await store.numbers.isEmpty)
        if kind == .folder { #expect(try folder.files.isEmpty, "nothing that was set aside is left") }
        try await store.save(3, as: "c")
        #expect(try await store.numbers == ["c": 3])
    }

    @Test func valueWithoutJSON_isAnError_andLeavesTheOldOne() async throws {
        let (store, key) = (try await stores(.folder).store(of: "ann"), Storage.Key<Double>("numbers/a"))
        try await store.set(1, for: key)
        await #expect(throws: Storage.Failure.self) { try await store.set(.nan, for: key) }
        #expect(try await store.value(for: key) == 1)
    }

    @Test func fake_failsAsPrepared_andSetsAside() async throws {
        let stores = FakeStores()
        let full = Storage.Failure.notSaved(path: "ann", reason: "No space left on device")
        let store = try await stores.store(of: "ann")
        stores["ann"].failure = full
        await #expect(throws: full) { try await store.save(1, as: "a") }
        #expect(throws: full) { try store.removeAll() }
        await #expect(throws: full) { try await stores.store(of: "ann") }
        stores["ann"].failure = nil
        try await store.save(1, as: "a")
        #expect(try await store.value(for: Storage.Key<Note>("numbers/a")) == nil)
        #expect(await stores.damage.first { @Sendable _ in true } == "numbers/a")
    }
}
