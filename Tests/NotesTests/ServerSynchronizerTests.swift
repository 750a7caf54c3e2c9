import Foundation
import HTTPClientInterface
import HTTPClientTesting
import NotesInterface
import NotesTesting
import Testing

@testable import NotesImplementation

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ServerSynchronizerTests {
    private let session = Session()
    private let client = FakeHTTPClient()
    private let retries = Pauses()
    private let tea = UUID()
    private let milk = UUID()

    private func synchronizer(of library: StoredLibrary) -> ServerSynchronizer {
        ServerSynchronizer(client: client, author: session.author, library: library, sleep: retries.sleep)
    }

    private func json(_ id: UUID, _ title: String, version: Int, text: String = "") -> String {
        #"{"id":"\#(id.uuidString)","title":"\#(title)","text":"\#(text)","changed":"2026-11-23T09:30:00Z","#
            + #""version":"\#(version)"}"#
    }

    /// Prepares the notes that the server lists.
    private func list(_ notes: String..., next: String? = nil) {
        let next = next.map { #","next":"\#($0)""# } ?? ""
        client.answer(.get, "notes", json: #"{"notes":[\#(notes.joined(separator: ","))]\#(next)}"#)
    }

    /// Prepares the answers to the first reading, which looks twice.
    private func listTwice(_ notes: String...) {
        for _ in 1...2 { list(notes.joined(separator: ",")) }
    }

    private func titles(_ library: StoredLibrary) -> Set<String> { Set(library.entries.map(\.note.title)) }

    private func paths(_ method: HTTP.Method) -> [String] {
        client.requests.filter { $0.method == method }.map { $0.path.joined(separator: "/") }
    }

    @Test func unsentNote_isSent_andTheServersNotesAreRead() async throws {
        let library = try await session.library()
        try await library.save(Notes.Note(id: tea, title: "Tea", text: "Green"), replacing: nil)
        client.answer(
            .put, "notes/\(tea.uuidString)", status: 201, json: json(tea, "Tea", version: 2, text: "Green"))
        listTwice(json(tea, "Tea", version: 2, text: "Green"), json(milk, "Milk", version: 1))
        let synchronizer = synchronizer(of: library)
        await synchronizer.synchronize(all: false)
        #expect(synchronizer.state == .idle)
        #expect(library.unsentCount == 0 && titles(library) == ["Tea", "Milk"])
        let save = try #require(client.requests.first)
        #expect(save.condition == .absent && save.token == HTTP.Secret("token of ann"))
        let body = try JSONDecoder().decode([String: String].self, from: try #require(save.body))
        #expect(body == ["title": "Tea", "text": "Green"])
    }

    @Test func reading_endsAtWhatHasNotChanged() async throws {
        let library = try await session.library()
        let synchronizer = synchronizer(of: library)
        listTwice(json(tea, "Tea", version: 1))
        await synchronizer.synchronize(all: false)
        list(json(milk, "Milk", version: 2), json(tea, "Tea", version: 1), next: "1")
        await synchronizer.synchronize(all: false)
        #expect(client.requests.count == 3, "the next page is not asked for")
        #expect(titles(library) == ["Tea", "Milk"])
    }

    @Test func allPages_areRead_andWhatIsNotOnThemIsGone() async throws {
        let library = try await session.library()
        let (gone, moved) = (UUID(), UUID())
        let synchronizer = synchronizer(of: library)
        listTwice(
            json(tea, "Tea", version: 3), json(gone, "Gone", version: 2), json(moved, "Moved", version: 1))
        await synchronizer.synchronize(all: false)
        #expect(titles(library) == ["Tea", "Gone", "Moved"])
        // While the pages are read, a note is saved that would have been on the second.
        list(json(tea, "Tea", version: 3), next: "3")
        list(json(milk, "Milk", version: 0))
        list(json(moved, "Moved on", version: 4), json(tea, "Tea", version: 3))
        await synchronizer.synchronize(all: true)
        #expect(titles(library) == ["Tea", "Milk", "Moved on"])
        #expect(client.requests.map(\.query).suffix(3) == [[:], ["after": "3"], [:]])
    }

    @Test func unsentChange_outlivesADeletionElsewhere() async throws {
        let library = try await session.library()
        try await library.receive([
            ServerNote(id: tea, title: "Tea", text: "", changed: .distantPast, version: "1")
        ])
        let original = try #require(library.entry(tea)).note
        var mine = original
        mine.title = "Black tea"
        try await library.save(mine, replacing: original)
        client.answer(.put, "notes/\(tea.uuidString)", status: 404, json: #"{"error":"There is no note."}"#)
        listTwice()
        let synchronizer = synchronizer(of: library)
        await synchronizer.synchronize(all: false)
        #expect(library.entry(tea)?.status == .conflict(theirs: nil))
        #expect(library.entry(tea)?.note.title == "Black tea")
        try await library.resolve(tea, by: .keepMine)
        client.answer(.put, "notes/\(tea.uuidString)", status: 201, json: json(tea, "Black tea", version: 3))
        list(json(tea, "Black tea", version: 3))
        await synchronizer.synchronize(all: false)
        #expect(library.entry(tea)?.status == .sent && client.requests.contains { $0.condition == .absent })
    }

    @Test func conflict_keepsBothVersions_andIsNotSentAgain() async throws {
        let library = try await session.library()
        try await library.save(Notes.Note(id: tea, title: "Tea", text: ""), replacing: nil)
        let conflict =
            #"{"error":"The note was changed meanwhile.","note":\#(json(tea, "Cocoa", version: 5))}"#
        client.answer(.put, "notes/\(tea.uuidString)", status: 412, json: conflict)
        listTwice(json(tea, "Cocoa", version: 5))
        let synchronizer = synchronizer(of: library)
        await synchronizer.synchronize(all: false)
        list(json(tea, "Cocoa", version: 5))
        await synchronizer.synchronize(all: false)
        #expect(paths(.put).count == 1 && synchronizer.state == .idle)
        guard case .conflict(let theirs?) = library.entry(tea)?.status else {
            Issue.record("\(String(describing: library.entry(tea)))")
            return
        }
        #expect(theirs.title == "Cocoa" && library.entry(tea)?.note.title == "Tea")
    }

    @Test func deletion_isSentWithTheVersion() async throws {
        let library = try await session.library()
        try await library.receive([
            ServerNote(id: tea, title: "Tea", text: "", changed: .distantPast, version: "7")
        ])
        try await library.delete(tea)
        let synchronizer = synchronizer(of: library)
        listTwice(json(tea, "Tea", version: 7))
        await synchronizer.synchronize(all: false)
        #expect(paths(.delete).isEmpty && library.entries.isEmpty, "it can be undone")
        await session.pauses.end()
        await eventually { library.deleted == nil }
        client.answer(.delete, "notes/\(tea.uuidString)", status: 204)
        list()
        await synchronizer.synchronize(all: false)
        #expect(client.requests.first { $0.method == .delete }?.condition == .version("7"))
        #expect(library.unsentCount == 0 && library.entries.isEmpty)
    }

    @Test func deletionOfANoteThatWasChangedElsewhere_keepsIt_andIsReported() async throws {
        let library = try await session.library()
        try await library.receive([
            ServerNote(id: tea, title: "Tea", text: "", changed: .distantPast, version: "7")
        ])
        try await library.delete(tea)
        await session.pauses.end()
        await eventually { library.deleted == nil }
        let current = json(tea, "Green tea", version: 8)
        client.answer(
            .delete, "notes/\(tea.uuidString)", status: 412,
            json: #"{"error":"The note was changed meanwhile.","note":\#(current)}"#)
        listTwice(current)
        let synchronizer = synchronizer(of: library)
        await synchronizer.synchronize(all: false)
        #expect(library.entries.map(\.note.title) == ["Green tea"] && library.unsentCount == 0)
        guard case .failed(let reason) = synchronizer.state else {
            Issue.record("\(synchronizer.state)")
            return
        }
        #expect(reason.hasPrefix("'Green tea' was changed elsewhere, so it was not deleted."))
    }

    @Test func noteThatTheServerRefuses_isReported_andKeepsNoOtherFromBeingSent() async throws {
        let library = try await session.library()
        try await library.save(
            Notes.Note(id: tea, title: "Tea", text: "", changed: .distantPast), replacing: nil)
        try await library.save(Notes.Note(id: milk, title: "Milk", text: ""), replacing: nil)
        client.answer(.put, "notes/\(tea.uuidString)", status: 422, json: #"{"error":"Not this one."}"#)
        client.answer(.put, "notes/\(milk.uuidString)", status: 201, json: json(milk, "Milk", version: 1))
        listTwice(json(milk, "Milk", version: 1))
        let synchronizer = synchronizer(of: library)
        await synchronizer.synchronize(all: false)
        #expect(synchronizer.state == .failed(reason: "Not this one."))
        #expect(library.entry(tea)?.status == .unsent && library.entry(milk)?.status == .sent)
    }

    @Test func failureOfTheConnection_keepsWhatIsUnsent_andIsTriedAgain() async throws {
        let library = try await session.library()
        try await library.save(Notes.Note(id: tea, title: "Tea", text: ""), replacing: nil)
        client.fail(.put, "notes/\(tea.uuidString)", with: .unreachable(reason: "refused"))
        let synchronizer = synchronizer(of: library)
        await synchronizer.synchronize(all: false)
        #expect(synchronizer.state == .offline(reason: "The server cannot be reached (refused)."))
        #expect(library.unsentCount == 1)
        client.answer(.put, "notes/\(tea.uuidString)", status: 200, json: json(tea, "Tea", version: 1))
        listTwice(json(tea, "Tea", version: 1))
        #expect(await retries.end() == [ServerSynchronizer.retryDuration])
        await eventually { library.unsentCount == 0 }
        #expect(library.entries.count == 1, "nothing is doubled")
    }

    @Test func nobodySignedIn_orSomebodyElse_sendsNothing() async throws {
        let library = try await session.library()
        let synchronizer = synchronizer(of: library)
        for user in [nil, "bob"] {
            session.author.id = user
            await synchronizer.synchronize(all: false)
            #expect(synchronizer.state == .signedOut)
        }
        #expect(client.requests.isEmpty)
    }

    @Test func endedSession_isReported() async throws {
        let synchronizer = synchronizer(of: try await session.library())
        client.answer(.get, "notes", status: 401, json: #"{"error":"Sign in first."}"#)
        await synchronizer.synchronize(all: false)
        #expect(synchronizer.state == .signedOut && session.author.expired == ["token of ann"])
    }

    @Test func requestWhileOneRuns_isFollowedByAnother() async throws {
        let interrupting = InterruptingClient(client)
        let synchronizer = ServerSynchronizer(
            client: interrupting, author: session.author, library: try await session.library())
        interrupting.beforeTheFirstAnswer = { synchronizer.begin(all: false) }
        listTwice()
        list()
        synchronizer.begin(all: false)
        #expect(synchronizer.state == .running)
        await synchronizer.synchronize(all: false)
        #expect(client.requests.count == 3 && synchronizer.state == .idle)
    }

    /// An answer that makes no sense, and the message that reports it.
    @Test(arguments: [
        (
            #"{"notes":[{"id":"1","title":"","text":"","changed":"2026-11-23T09:30:00Z","version":"1"}]}"#,
            "notes[0].id"
        ),
        (
            #"{"notes":[{"title":"","text":"","changed":"2026-11-23T09:30:00Z","version":"1"}]}"#,
            "notes[0].id"
        ),
        (
            #"{"notes":[{"id":"00000000-0000-4000-8000-000000000001","title":"","text":"","changed":"soon","#
                + #""version":"1"}]}"#,
            "notes[0].changed"
        ),
        ("[]", "(the whole body)"), (#"{"notes":[],"next":7}"#, "next"),
    ])
    func listThatMakesNoSense_isAnError(body: String, place: String) async throws {
        let library = try await session.library()
        client.answer(.get, "notes", json: body)
        let synchronizer = synchronizer(of: library)
        await synchronizer.synchronize(all: false)
        guard case .failed(let reason) = synchronizer.state else {
            Issue.record("\(synchronizer.state)")
            return
        }
        #expect(reason.contains("'\(place)'") && library.entries.isEmpty)
    }

    @Test(arguments: [200, 412])
    func answerAboutAnotherNote_isAnError_andNothingIsLost(status: Int) async throws {
        let library = try await session.library()
        try await library.save(Notes.Note(id: tea, title: "Tea", text: ""), replacing: nil)
        let other = json(milk, "Milk", version: 1)
        client.answer(
            .put, "notes/\(tea.uuidString)", status: status,
            json: status == 200 ? other : #"{"error":"x","note":\#(other)}"#)
        let synchronizer = synchronizer(of: library)
        await synchronizer.synchronize(all: false)
        #expect(
            synchronizer.state
                == .failed(
                    reason: "The server answered with the note \(milk) instead of \(tea). Try again later."))
        #expect(library.entry(tea)?.status == .unsent && library.entry(milk) == nil)
    }

    @Test func pagesWithoutEnd_areAnError() async throws {
        let synchronizer = synchronizer(of: try await session.library())
        for _ in 1...3 { list(next: "7") }
        await synchronizer.synchronize(all: false)
        #expect(
            synchronizer.state
                == .failed(reason: "The server sends the same notes again and again. Try again later."))
    }
}

/// Does something while the first request waits for its answer.
@MainActor
private final class InterruptingClient: HTTP.Client {
    var beforeTheFirstAnswer: (() -> Void)?
    private let client: any HTTP.Client

    init(_ client: any HTTP.Client) { self.client = client }

    func send(_ request: HTTP.Request) async throws -> HTTP.Response {
        beforeTheFirstAnswer?()
        beforeTheFirstAnswer = nil
        return try await client.send(request)
    }
}
