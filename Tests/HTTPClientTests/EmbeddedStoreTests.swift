import Foundation
import HTTPClientInterface
import RouterServiceInterface
import StorageInterface
import StorageTesting
import Testing

@testable import HTTPClientEmbedded

/// What the backend inside the program keeps in its store, and what it does when that fails.
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
        try await first.save(deleted, "Tea")
        try await first.send(.delete, "notes", deleted, condition: .version("2"))

        // Nothing of the sessions is stored, so a token of the first run means nothing to the second.
        let stranger = EmbeddedUserClient(
            EmbeddedClient(stores: stores, clock: standingClock, distance: { 1 }), token: first.token)
        await #expect(throws: HTTP.Failure.status(401, body: #"{"error":"Sign in first."}"#)) {
            try await stranger.page()
        }
        let second = try await EmbeddedUserClient(stores: stores)
        let (before, page) = (try await first.page(), try await second.page())
        #expect(page.server == before.server)
        #expect(page.notes.map { $0["title"] } == ["Milk"])
        #expect(page.deleted == [deleted])
        #expect(page.next == nil)
        let user = try await second.send(.get, "users", "ann")
        #expect(String(decoding: user.body, as: UTF8.self).contains("Anna"))
        // The counter goes on, so that no version is given twice.
        #expect(try await second.save(UUID().uuidString, "Rice") == "4")
    }

    @Test func otherStores_areAnotherServer() async throws {
        let first = try await EmbeddedUserClient(stores: stores).page().server
        let second = try await EmbeddedUserClient(stores: FakeStores()).page().server
        #expect(first != second)
    }

    @Test func userStores_areNotTouched() async throws {
        let ann = try await EmbeddedUserClient(stores: stores)
        try await ann.save(UUID().uuidString, "Milk")
        #expect(stores["ann"].values.encoded.isEmpty)
        #expect(stores[""].values.encoded.isEmpty)
        #expect(!store.values.encoded.isEmpty)
    }

    @Test func onlyWhatChanged_isWritten() async throws {
        let ann = try await EmbeddedUserClient(stores: stores)
        for number in 1...3 { try await ann.save(UUID().uuidString, "\(number)") }
        let id = UUID().uuidString
        let before = store.values.encoded
        _ = try await ann.page()
        _ = try await ann.send(.get, "users", "ann")
        #expect(store.values.encoded == before)
        try await ann.save(id, "4")
        let changed = store.values.encoded.filter { before[$0.key] != $0.value }
        #expect(changed.keys.sorted() == ["server/notes/ann/\(id)/4", "server/record"])
        try await ann.send(.delete, "notes", id, condition: .version("4"))
        let left = store.values.encoded.filter { before[$0.key] == nil }
        #expect(left.keys.sorted() == ["server/notes/ann/\(id)/5/deleted"])
    }

    @Test func changeThatCannotBeStored_isAFailureInStoragesWords_andDidNotHappen() async throws {
        let ann = try await EmbeddedUserClient(stores: stores)
        let id = UUID().uuidString
        try await ann.save(id, "Milk")
        let failure = Storage.Failure.notSaved(path: "log", reason: "No space left on device")
        store.failure = failure
        let reason = failure.localizedDescription
        await #expect(throws: HTTP.Failure.unreachable(reason: reason)) {
            try await ann.save(UUID().uuidString, "Tea")
        }
        await #expect(throws: HTTP.Failure.unreachable(reason: reason)) {
            try await ann.send(.put, "users", "ann", body: ["displayName": "Anna"])
        }
        await #expect(throws: HTTP.Failure.unreachable(reason: reason)) {
            try await ann.send(.delete, "notes", id, condition: .version("1"))
        }
        store.failure = nil
        let page = try await ann.page()
        #expect(page.notes.map { $0["title"] } == ["Milk"])
        #expect(page.deleted.isEmpty)
        #expect(try await ann.save(UUID().uuidString, "Rice") == "2")
        let user = try await ann.send(.get, "users", "ann")
        #expect(String(decoding: user.body, as: UTF8.self).contains("Ann Example"))
    }

    @Test func storeThatCannotBeOpened_isAFailureInStoragesWords() async throws {
        stores.failure = .inUse(path: "/folder")
        let reason = Storage.Failure.inUse(path: "/folder").localizedDescription
        await #expect(throws: HTTP.Failure.unreachable(reason: reason)) {
            _ = try await EmbeddedUserClient(stores: stores)
        }
        stores.failure = nil
        _ = try await EmbeddedUserClient(stores: stores).page()
    }

    @Test func damagedNote_hidesNoOther_andIsNotListedAsDeleted() async throws {
        let first = try await EmbeddedUserClient(stores: stores)
        for number in 1...3 { try await first.save(UUID().uuidString, "\(number)") }
        let damaged = try #require(store.values.encoded.keys.first { $0.text.hasSuffix("/2") })
        try await store.transaction { try $0.set("?", for: Storage.Key<String>(damaged)) }
        let page = try await EmbeddedUserClient(stores: stores).page()
        #expect(page.notes.map { $0["title"] } == ["3", "1"])
        #expect(page.deleted.isEmpty)
    }

    @Test func requestsAtOnce_areFulfilledOneAfterAnother() async throws {
        let ann = try await EmbeddedUserClient(stores: stores)
        try await withThrowingTaskGroup { group in
            for number in 1...50 { group.addTask { try await ann.save(UUID().uuidString, "\(number)") } }
            try await group.waitForAll()
        }
        #expect(
            try await ann.page().notes.compactMap { $0["version"] } == (1...50).reversed().map(String.init))
    }

    private func clock(at seconds: Double) -> @Sendable () -> Date {
        { Date(timeIntervalSince1970: seconds) }
    }

    @Test func versions_areTheTime_andGrowWhereTheClockDoesNot() async throws {
        var versions: [String?] = []
        for seconds in [1_764_226_593.123, 1_764_226_593.123, 0, 1_764_226_594, -5] {
            let ann = try await EmbeddedUserClient(stores: stores, clock: clock(at: seconds))
            versions.append(try await ann.save(UUID().uuidString, "Milk"))
        }
        #expect(
            versions == [
                "1764226593123", "1764226593124", "1764226593125", "1764226594000", "1764226594001",
            ])
    }

    @Test func pages_haveTheNewestVersion_alsoOfADeletion_andOfOthers() async throws {
        let (ann, id) = (try await EmbeddedUserClient(stores: stores), UUID().uuidString)
        #expect(try await ann.page().newest == "0")
        try await ann.save(id, "Milk")
        #expect(try await ann.page().newest == "1")
        try await ann.send(.delete, "notes", id, condition: .version("1"))
        let bob = try await EmbeddedUserClient(stores: stores, user: "bob")
        #expect(try await bob.page().newest == "2")
    }

    @Test func gap_isRecordedAtTheFirstSaveAfterEachStart_unlessItIsNone() async throws {
        func start(at seconds: Double) async throws -> EmbeddedUserClient {
            try await EmbeddedUserClient(stores: stores, clock: clock(at: seconds))
        }
        let first = try await start(at: 5)
        #expect(try await first.page().gaps.isEmpty)
        for _ in 1...3 { try await first.save(UUID().uuidString, "Milk") }
        let successor = try await start(at: 5)
        try await successor.save(UUID().uuidString, "Milk")
        #expect(try await successor.page().gaps == [["0", "5000"]])
        let later = try await start(at: 9)
        for _ in 1...2 { try await later.save(UUID().uuidString, "Milk") }
        #expect(try await later.page().gaps == [["0", "5000"], ["5003", "9000"]])
        for seconds in 10...120 { try await start(at: Double(seconds)).save(UUID().uuidString, "Milk") }
        let gaps = try await later.page().gaps
        #expect(gaps.count == 100)
        #expect(gaps.first == ["20000", "21000"])
        #expect(gaps.last == ["119000", "120000"])
    }

    /// The restored data know nothing of the lost version, which is between the two of the gap.
    ///
    /// Where the clock is behind, because it was ahead or has gone back, versions are kept apart by the distance.
    @Test(arguments: [([5.0, 6, 7], "6000", "7000"), ([5, 4, 4], "5070", "5300")])
    func restoredBackup_givesNoVersionAgain_andHasAGapAroundWhatItLost(
        seconds: [Double], lost: String, next: String
    ) async throws {
        let first = try await EmbeddedUserClient(stores: stores, clock: clock(at: seconds[0]))
        try await first.save(UUID().uuidString, "Milk")
        let backup = store.values.encoded
        let second = try await EmbeddedUserClient(stores: stores, clock: clock(at: seconds[1]), distance: 70)
        #expect(try await second.save(UUID().uuidString, "Tea") == lost)
        let restored = FakeStores()
        try await restored[EmbeddedClient.storeName].copy(backup)
        let third = try await EmbeddedUserClient(
            stores: restored, clock: clock(at: seconds[2]), distance: 300)
        #expect(try await third.page().newest == "5000")
        #expect(try await third.save(UUID().uuidString, "Rice") == next)
        #expect(try await third.page().gaps == [["0", "5000"], ["5000", next]])
    }

    @Test func gap_ofASaveThatFailed_isRecordedByTheNextOne() async throws {
        let ann = try await EmbeddedUserClient(stores: stores, clock: clock(at: 5))
        _ = try await ann.send(.put, "users", "ann", body: ["displayName": "Anna"])
        store.failure = .notSaved(path: "log", reason: "No space left on device")
        await #expect(throws: HTTP.Failure.self) { try await ann.save(UUID().uuidString, "Milk") }
        store.failure = nil
        try await ann.save(UUID().uuidString, "Milk")
        #expect(try await ann.page().gaps == [["0", "5000"]])
    }

    @Test func storeOfAnEarlierVersion_whichCounted_opensAsBefore() async throws {
        let server = UUID().uuidString
        let record = #"{"server":"\#(server)","displayNames":{"ann":"Anna","bob":"Bob"},"versionsGiven":7}"#
        let note = #"{"id":"A","title":"Milk","text":"","changed":"2026-01-01T00:00:00Z","version":"7"}"#
        try await store.copy(
            ["server/record": record, "server/notes/ann/A/7": note].mapValues { Data($0.utf8) })
        let ann = try await EmbeddedUserClient(stores: stores, clock: clock(at: 5))
        let page = try await ann.page()
        #expect(page.server.uuidString == server)
        #expect(page.notes.map { $0["title"] } == ["Milk"])
        #expect(page.newest == "7")
        #expect(page.gaps.isEmpty)
        #expect(try await ann.save(UUID().uuidString, "Tea") == "5000")
        #expect(try await ann.page().gaps == [["7", "5000"]])
    }

    @Test func pages_haveEachNoteOnce_theNewestFirst() async throws {
        try await store.transaction { values in
            for version in 1...1000 {
                let id = UUID().uuidString
                let note = EmbeddedNote(id: id, title: "", text: "", changed: "", version: "\(version)")
                try values.set(note, for: Storage.Key("server/notes/ann/\(id)/\(version)"))
            }
        }
        let ann = try await EmbeddedUserClient(stores: stores)
        var (versions, next): ([Int], String?) = ([], nil)
        repeat {
            let page = try await ann.page(next.map { ["after": $0] } ?? [:])
            #expect(page.notes.count == 100)
            versions += page.notes.compactMap { $0["version"].flatMap(Int.init) }
            next = page.next
        } while next != nil
        #expect(versions == (1...1000).reversed())
    }

    /// A page takes a time that does not depend on the number of the other notes.
    @Test func pagesOfManyNotes_areFoundInLinearTime() {
        func time(of count: Int) -> Duration {
            var notes = EmbeddedNotes()
            for version in 1...count {
                notes.add(.init(user: "ann", id: "\(version)", version: version, isDeletion: false))
            }
            let times = (0..<5).map { _ in
                let start = processorTime()
                var found = 0
                for page in stride(from: count + 1, to: 1, by: -100) {
                    found += notes.changes(of: "ann", before: page).prefix(100).count
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

/// Ann, signed in at an embedded backend.
private struct EmbeddedUserClient: Sendable {
    let client: EmbeddedClient
    let token: String

    init(_ client: EmbeddedClient, token: String) {
        (self.client, self.token) = (client, token)
    }

    init(
        stores: FakeStores, clock: @escaping @Sendable () -> Date = standingClock, distance: Int = 1,
        user: String = "ann"
    ) async throws {
        client = EmbeddedClient(stores: stores, clock: clock, distance: { distance })
        let body = Data(#"{"user":"\#(user)","password":"secret"}"#.utf8)
        let answer = try await client.send(HTTP.Request(.post, ["session"], body: body))
        token = try #require(try answer.decoded(as: [String: String].self)["token"])
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

    /// Saves a new note, and returns its version.
    @discardableResult
    func save(_ id: String, _ title: String) async throws -> String? {
        let answer = try await send(
            .put, "notes", id, condition: .absent, body: ["title": title, "text": ""])
        return try answer.decoded(as: [String: String].self)["version"]
    }

    func page(_ query: [String: String] = [:]) async throws -> NotesPage {
        try await send(.get, "notes", query: query).decoded(as: NotesPage.self)
    }
}

extension FakeStore {
    /// Adds the record and the notes of another store.
    fileprivate func copy(_ encoded: [Identifier: Data]) async throws {
        let others = Storage.Values(encoded: encoded)
        try await transaction { values in
            try values.set(others.value(for: EmbeddedBackend.Record.key), for: EmbeddedBackend.Record.key)
            for key in others.keys(of: EmbeddedNote.self, withPrefix: "server/notes/") {
                try values.set(others.value(for: key), for: key)
            }
        }
    }
}
