import Foundation
import HTTPClientInterface
import RouterServiceInterface
import StorageInterface
import StorageTesting
import Testing

@testable import HTTPClientEmbedded

/// What the backend inside the program stores, and what it does when that fails.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct EmbeddedStoreTests {
    private let stores = FakeStores()
    private var store: FakeStore { stores[EmbeddedClient.storeName] }

    @Test func restart_keepsNamesNotesDeletionsAndTheServer_butNoSessions() async throws {
        let first = try await EmbeddedUserClient(stores: stores)
        try await first.send(.put, "users", "ann", body: ["displayName": "Anna"])
        let (kept, deleted) = (UUID().uuidString, UUID().uuidString)
        try await first.save(kept, "Milk")
        let version = try await first.save(deleted, "Tea")
        try await first.send(.delete, "notes", deleted, condition: .version(version))

        // Nothing of the sessions is stored, so a token of the first run means nothing to the second.
        let stranger = EmbeddedUserClient(EmbeddedClient(stores: stores), token: first.token)
        await #expect(throws: HTTP.Failure.status(401, body: #"{"error":"Sign in first."}"#)) {
            try await stranger.page()
        }
        let second = try await EmbeddedUserClient(stores: stores)
        let (before, page) = (try await first.page(), try await second.page())
        #expect(page.server == before.server)
        #expect(page.notes.map(\.title) == ["Milk"])
        #expect(page.deleted.map(\.id) == [deleted])
        #expect(page.deleted.first?.former == [version])
        #expect(!page.hasMore)
        let user = try await second.send(.get, "users", "ann")
        #expect(String(decoding: user.body, as: UTF8.self).contains("Anna"))
    }

    @Test func sessions_outliveTheClientInMemory_andNamesAndNotesToo() async throws {
        let first = try await EmbeddedUserClient(stores: stores)
        try await first.send(.put, "users", "ann", body: ["displayName": "Anna"])
        try await first.save(UUID().uuidString, "Milk")
        let next = EmbeddedClient(stores: stores)
        next.restore(first.client.savedState)
        let second = EmbeddedUserClient(next, token: first.token)
        let user = try await second.send(.get, "users", "ann")
        #expect(String(decoding: user.body, as: UTF8.self).contains("Anna"))
        #expect(try await second.page().notes.map(\.title) == ["Milk"])
        #expect(try await EmbeddedUserClient(next).token != first.token)
    }

    @Test func otherStores_areAnotherServer_andUserStoresAreNotTouched() async throws {
        let ann = try await EmbeddedUserClient(stores: stores)
        try await ann.save(UUID().uuidString, "Milk")
        let other = try await EmbeddedUserClient(stores: FakeStores()).page().server
        #expect(try await ann.page().server != other)
        #expect(stores["ann"].values.isEmpty)
        #expect(stores[""].values.isEmpty)
    }

    /// Requests may come before the store was opened, all at once.
    @Test func server_hasOneIdentifier_fromItsFirstRequestsOn() async throws {
        let client = EmbeddedClient(stores: stores)
        _ = try await withThrowingTaskGroup { group in
            for _ in 1...20 { group.addTask { try await client.open() } }
            try await group.waitForAll()
        }
        let server = try await EmbeddedUserClient(client).page().server
        #expect(try await EmbeddedUserClient(stores: stores).page().server == server)
    }

    @Test func onlyWhatChanged_isWritten() async throws {
        let ann = try await EmbeddedUserClient(stores: stores)
        for number in 1...3 { try await ann.save(UUID().uuidString, "\(number)") }
        let (id, before) = (UUID().uuidString, store.values)
        _ = try await ann.page()
        _ = try await ann.send(.get, "users", "ann")
        #expect(store.values == before)
        let version = try await ann.save(id, "4")
        #expect(changes(since: before) == ["server/notes/ann/\(id.lowercased())"])
        try await ann.send(.delete, "notes", id, condition: .version(version))
        #expect(changes(since: before) == ["server/notes/ann/\(id.lowercased())"])
    }

    private func changes(since before: [String: Data]) -> [String] {
        store.values.filter { before[$0.key] != $0.value }.keys.sorted()
    }

    @Test func changeThatCannotBeStored_isAFailureInStoragesWords_andDidNotHappen() async throws {
        let ann = try await EmbeddedUserClient(stores: stores)
        let id = UUID().uuidString
        let version = try await ann.save(id, "Milk")
        let failure = Storage.Failure.notSaved(path: "server", reason: "No space left on device")
        store.failure = failure
        let reason = failure.localizedDescription
        await #expect(throws: HTTP.Failure.unreachable(reason: reason)) {
            try await ann.save(UUID().uuidString, "Tea")
        }
        await #expect(throws: HTTP.Failure.unreachable(reason: reason)) {
            try await ann.send(.put, "users", "ann", body: ["displayName": "Anna"])
        }
        await #expect(throws: HTTP.Failure.unreachable(reason: reason)) {
            try await ann.send(.delete, "notes", id, condition: .version(version))
        }
        store.failure = nil
        let page = try await ann.page()
        #expect(page.notes.map(\.title) == ["Milk"])
        #expect(page.deleted.isEmpty)
        let user = try await ann.send(.get, "users", "ann")
        #expect(String(decoding: user.body, as: UTF8.self).contains("Ann Example"))
    }

    @Test func storeThatCannotBeOpened_isAFailureInStoragesWords() async throws {
        let failure = Storage.Failure.unusable(path: "/folder", reason: "another program uses it")
        store.failure = failure
        let client = EmbeddedClient(stores: stores)
        let reason = failure.localizedDescription
        let unreachable = HTTP.Failure.unreachable(reason: reason)
        await #expect(throws: unreachable) { _ = try await EmbeddedUserClient(client) }
        #expect(unreachable.errorDescription == "The server cannot be reached: \(reason)")
        store.failure = nil
        _ = try await EmbeddedUserClient(client).page()
    }

    @Test func damagedNote_hidesNoOther_andIsNotListedAsDeleted() async throws {
        let (first, damaged) = (try await EmbeddedUserClient(stores: stores), UUID().uuidString)
        try await first.save(UUID().uuidString, "1")
        try await first.save(damaged, "2")
        try await first.save(UUID().uuidString, "3")
        store.values["server/notes/ann/\(damaged.lowercased())"] = Data("?".utf8)
        let page = try await EmbeddedUserClient(stores: stores).page()
        #expect(Set(page.notes.map(\.title)) == ["1", "3"])
        #expect(page.deleted.isEmpty)
    }

    @Test func requestsAtOnce_areFulfilledOneAfterAnother() async throws {
        let ann = try await EmbeddedUserClient(stores: stores)
        try await withThrowingTaskGroup { group in
            for number in 1...50 { group.addTask { try await ann.save(UUID().uuidString, "\(number)") } }
            try await group.waitForAll()
        }
        #expect(try await ann.page().notes.compactMap { Int($0.version) } == Array(1...50))
    }

    @Test func versions_areNeverDrawnTwice_andEachSaveNamesThoseBefore() async throws {
        let ann = try await EmbeddedUserClient(EmbeddedClient(stores: stores))
        let id = UUID().uuidString
        var versions = [try await ann.save(id, "0")]
        for number in 1...60 {
            versions.append(try await ann.save(id, "\(number)", if: .version(try #require(versions.last))))
        }
        #expect(Set(versions).count == 61)
        let former = try #require(try await ann.page().notes.first).former
        #expect(former == Array(versions.dropLast().suffix(EmbeddedNote.maximumFormer).reversed()))
    }

    /// The data of a server are restored from a backup, and go on from there.
    @Test func restoredBackup_repeatsNoVersion_andItsPositionsAreNew() async throws {
        let (first, id) = (try await EmbeddedUserClient(EmbeddedClient(stores: stores)), UUID().uuidString)
        let version = try await first.save(id, "Milk")
        let (backup, position) = (store.values, try await first.page().position)
        let lost = try await first.save(id, "Tea", if: .version(version))
        let restored = FakeStores()
        restored[EmbeddedClient.storeName].values = backup
        let second = try await EmbeddedUserClient(EmbeddedClient(stores: restored))
        await #expect(throws: HTTP.Failure.self) { try await second.page(["since": position]) }
        let saved = try await second.save(id, "Rice", if: .version(version))
        #expect(saved != lost)
        #expect(try await second.page().notes.first?.former == [version])
    }

    @Test func pages_haveEachNoteOnce_andThoseSavedMeanwhileAtTheEnd() async throws {
        let ann = try await EmbeddedUserClient(stores: stores)
        let ids = (0..<250).map { _ in UUID().uuidString }
        var versions: [String: String] = [:]
        for id in ids { versions[id] = try await ann.save(id, "") }
        var (found, page) = ([String](), try await ann.page())
        #expect(page.notes.count == 100)
        // Of the first page, which was read, and of the last.
        for id in [ids[3], ids[240]] { try await ann.save(id, "again", if: .version(versions[id] ?? "")) }
        while true {
            found += page.notes.map(\.id)
            if !page.hasMore { break }
            page = try await ann.page(["since": page.position])
        }
        #expect(found == ids.filter { $0 != ids[240] } + [ids[3], ids[240]])
        #expect(try await ann.page(["since": page.position]).notes.isEmpty)
    }

    /// A page takes a time that does not depend on the number of the other notes.
    @Test func pagesOfManyNotes_areFoundInLinearTime() {
        func time(of count: Int) -> Duration {
            let notes = EmbeddedNotes(
                (1...count).map {
                    EmbeddedNote(
                        id: "\($0)", title: "", text: "", changed: "", version: "", former: [],
                        isDeleted: false)
                })
            let times = (0..<5).map { _ in
                let start = processorTime()
                var found = 0
                for page in stride(from: 0, to: count, by: 100) {
                    found += notes.changes(after: page).prefix(100).count { _ in true }
                }
                #expect(found == count)
                return processorTime() - start
            }
            return times.min() ?? .zero
        }
        let (few, many) = (time(of: 10_000), time(of: 80_000))
        #expect(many < few * 24, "8 times as many take 8 times as long, and not 64")
    }
}

/// A user who is signed in at an embedded backend.
private struct EmbeddedUserClient: Sendable {
    let client: EmbeddedClient
    let token: String

    init(_ client: EmbeddedClient, token: String) {
        self.client = client
        self.token = token
    }

    init(_ client: EmbeddedClient, user: String = "ann") async throws {
        let body = Data(#"{"user":"\#(user)","password":"secret"}"#.utf8)
        let response = try await client.send(HTTP.Request(.post, ["session"], body: body))
        self.init(client, token: try #require(try response.decoded(as: [String: String].self)["token"]))
    }

    init(stores: FakeStores) async throws {
        try await self.init(EmbeddedClient(stores: stores, drawVersion: counting()))
    }

    @discardableResult
    func send(
        _ method: HTTP.Method, _ path: String..., query: [String: String] = [:],
        condition: HTTP.Condition? = nil, body: [String: String]? = nil
    ) async throws -> HTTP.Response {
        try await client.send(
            HTTP.Request(
                method, path, query: query, token: token, condition: condition,
                body: try body.map { try JSONEncoder().encode($0) }))
    }

    /// Saves a note, and returns its version.
    @discardableResult
    func save(
        _ id: String, _ title: String, if condition: HTTP.Condition = .absent
    ) async throws -> String {
        let response = try await send(
            .put, "notes", id, condition: condition, body: ["title": title, "text": ""])
        return try response.decoded(as: PageNote.self).version
    }

    func page(_ query: [String: String] = [:]) async throws -> NotesPage {
        try await send(.get, "notes", query: query).decoded(as: NotesPage.self)
    }
}
