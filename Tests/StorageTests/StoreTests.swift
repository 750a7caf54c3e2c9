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
        case log, inMemory, fake
    }

    private struct Note: Codable, Equatable {
        var title: String
    }

    private struct Refusal: Error {}

    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func stores(_ kind: Kind) throws -> any Storage.Stores {
        let modules =
            switch kind {
            case .log: RecordedModules(StorageModule(), FolderModule(path: folder.path))
            case .inMemory: RecordedModules(StorageModule())
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
    func transaction_setsAndRemovesSeveralValues(kind: Kind) async throws {
        let stores = try self.stores(kind)
        let (note, draft) = (Storage.Key<Note>("notes/17"), Storage.Key<String>("drafts/17"))
        try await stores.store(of: "ann").transaction { try $0.set("Te", for: draft) }
        // snippet: transaction
        let store = try await stores.store(of: "ann")
        try await store.transaction { values in
            values.removeValue(for: draft)
            try values.set(Note(title: "Tea"), for: note)
        }
        let saved = try store.values.value(for: note)
        // snippet: end
        #expect(saved == Note(title: "Tea"))
        #expect(try await store.transaction { try $0.value(for: note)?.title.count } == 3)
        #expect(try store.values.value(for: draft) == nil)
    }

    @Test(arguments: Kind.allCases)
    func transaction_whoseBodyThrows_changesNothing(kind: Kind) async throws {
        let store = try await stores(kind).store(of: "ann")
        try await store.save(1, as: "a")
        await #expect(throws: Refusal.self) {
            try await store.transaction { values in
                values.removeAll()
                try values.set(2, for: number("b"))
                throw Refusal()
            }
        }
        #expect(try store.values.numbers == ["a": 1])
    }

    @Test(arguments: Kind.allCases)
    func transactions_runOneAfterAnother(kind: Kind) async throws {
        let store = try await stores(kind).store(of: "ann")
        try await withThrowingTaskGroup { group in
            for _ in 0..<50 {
                group.addTask {
                    try await store.transaction {
                        try $0.set(($0.value(for: number("a")) ?? 0) + 1, for: number("a"))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try store.values.numbers == ["a": 50])
    }

    @Test(arguments: Kind.allCases)
    func users_haveStoresOfTheirOwn_eachOneOnly(kind: Kind) async throws {
        let stores = try stores(kind)
        let users: [Identifier] = [
            "ann", "Ann", "", ".", "../ann", "user-ann", "ann%", "Änn 🙂", "a\0b", "\u{E9}", "e\u{301}",
        ]
        var opened: [any Storage.Store] = []
        for (index, user) in users.enumerated() {
            opened.append(try await stores.store(of: user))
            try await opened[index].save(index, as: "a")
        }
        for (index, user) in users.enumerated() {
            let store = try await stores.store(of: user)
            #expect(store === opened[index])
            #expect(try store.values.numbers == ["a": index])
        }
    }

    @Test func keys_areThoseWithThePrefixInOrder() throws {
        var values = Storage.Values()
        for name: Identifier in ["notes/2", "notes/10", "note", "drafts/1", "notes/"] {
            try values.set(0, for: number(name))
        }
        let names = values.keys(of: Int.self, withPrefix: "notes/").map(\.name)
        #expect(names == ["notes/", "notes/10", "notes/2"])
        values.removeAll()
        #expect(values.keys(of: Int.self, withPrefix: "").isEmpty)
    }

    @Test func valueOfAnotherType_isUndecodableAndSaysWhere() throws {
        var values = Storage.Values()
        try values.set(["title": 1], for: Storage.Key("notes/1"))
        let failure = #expect(throws: Storage.Failure.self) {
            try values.value(for: Storage.Key<Note>("notes/1"))
        }
        guard case .undecodable("notes/1", "Note", let reason) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(reason.contains("Path: title."))
        let message = failure?.errorDescription ?? ""
        #expect(message.hasPrefix("The stored value 'notes/1' is not a Note. "))
        #expect(message.hasSuffix(reason))
    }

    @Test func valueWithoutJSON_isUnencodableAndLeavesTheOldOne() throws {
        let key = Storage.Key<Double>("a")
        var values = Storage.Values()
        try values.set(1, for: key)
        let failure = #expect(throws: Storage.Failure.self) { try values.set(.nan, for: key) }
        #expect(failure?.errorDescription?.hasPrefix("The Double for 'a' cannot be stored: ") == true)
        #expect(try values.value(for: key) == 1)
    }

    @Test(arguments: Kind.allCases)
    func valueThatIsSetAside_keepsItsBytes_andIsReportedUntilTheUserHasSeenIt(kind: Kind) async throws {
        let (stores, key) = (try stores(kind), Storage.Key<Note>("notes/1"))
        let store = try await stores.store(of: "ann")
        for text in ["one", "two"] {
            try await store.transaction { values in
                try values.set(text, for: Storage.Key(key.name))
                #expect(values.intactValue(for: key) == nil)
            }
        }
        #expect(try store.values.value(for: key) == nil)
        for (name, text) in [("damaged/notes/1" as Identifier, "one"), ("damaged/notes/1+", "two")] {
            #expect(try store.values.value(for: Storage.Key<String>(name)) == text)
        }
        let report = try #require(store.values.damage.first)
        #expect(report.hasPrefix("The stored value 'notes/1' is not a Note. "))
        #expect(store.values.damage == [report, report])
        #expect(await stores.damaged.first { @Sendable _ in true } === store)
        try await store.transaction { $0.damage.removeAll { $0 == report } }
        #expect(store.values.damage.isEmpty)
        #expect(store.values.encoded.keys.sorted() == ["damaged/notes/1", "damaged/notes/1+"])
    }

    @Test(arguments: Kind.allCases)
    func erasedStore_isEmpty_andGoesOn(kind: Kind) async throws {
        let store = try await stores(kind).store(of: "ann")
        try await store.transaction { values in
            try values.set(1, for: number("a"))
            #expect(values.intactValue(for: Storage.Key<String>("a")) == nil)
        }
        try await store.erase()
        #expect(store.values.encoded.isEmpty)
        try await store.save(2, as: "b")
        #expect(try store.values.numbers == ["b": 2])
    }

    @Test func values_inATransaction_areThoseBeforeWithTheChanges() throws {
        var values = Storage.Values(encoded: ["a/1": Data("1".utf8), "a/2": Data("2".utf8)])
        values.removeValue(for: number("a/1"))
        values.removeValue(for: number("a/9"))
        try values.set(3, for: number("a/3"))
        #expect(try values.numbers == ["a/2": 2, "a/3": 3])
        #expect(values.changes == ["a/1": nil, "a/3": Data("3".utf8)])
        values.removeAll()
        #expect(values.encoded.isEmpty)
        #expect(values.changes == ["a/1": nil, "a/2": nil, "a/3": nil])
        try values.set(4, for: number("a/1"))
        #expect(try values.numbers == ["a/1": 4])
    }

    @Test func fake_failsAsPrepared() async throws {
        let stores = FakeStores()
        let full = Storage.Failure.notSaved(path: "log", reason: "No space left on device")
        let store = try await stores.store(of: "ann")
        stores["ann"].failure = full
        await #expect(throws: full) { try await store.save(1, as: "a") }
        await #expect(throws: full) { try await store.erase() }
        #expect(try store.values.numbers.isEmpty)
        stores.failure = .inUse(path: "user-ann")
        await #expect(throws: Storage.Failure.inUse(path: "user-ann")) { try await stores.store(of: "ann") }
    }
}
