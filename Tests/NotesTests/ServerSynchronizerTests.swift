import Foundation
import HTTPClientInterface
import HTTPClientTesting
import NotesInterface
import NotesTesting
import RouterServiceInterface
import Testing

@testable import NotesImplementation

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ServerSynchronizerTests {
    private let session = Session()
    private let client = FakeHTTPClient()
    private let retries = Pauses()
    private let tea = UUID()
    private let milk = UUID()

    private func synchronizer(of library: StoredLibrary) -> ServerSynchronizer {
        ServerSynchronizer(client: client, author: session.author, library: library, sleep: retries.sleep)
    }

    /// A note that follows the versions before it.
    private func json(_ id: UUID, _ title: String, version: Int, text: String = "") -> String {
        let former = (1..<max(1, version)).map { #""\#($0)""# }.joined(separator: ",")
        return
            #"{"id":"\#(id.uuidString)","title":"\#(title)","text":"\#(text)","changed":"2026-11-23T09:30:00Z","#
            + #""version":"\#(version)","former":[\#(former)]}"#
    }

    /// Prepares the notes that the server lists, once or several times; the position of a further page, if there is one.
    ///
    /// A deletion follows the versions 1 to 9 of its note.
    private func list(
        _ notes: String..., deleted: [UUID] = [], next: String? = nil, server: String = "one", times: Int = 1
    ) {
        let former = (1...9).map { #""\#($0)""# }.joined(separator: ",")
        let deleted = deleted.map { #"{"id":"\#($0)","former":[\#(former)]}"# }.joined(separator: ",")
        let page =
            #"{"server":"\#(server)","notes":[\#(notes.joined(separator: ","))],"deleted":[\#(deleted)],"#
            + #""position":"\#(next ?? "end")","hasMore":\#(next != nil)}"#
        for _ in 1...times { client.respond(.get, "notes", json: page) }
    }

    /// A library that has been synchronised with the server before.
    private func knownLibrary() async throws -> StoredLibrary {
        let library = try await session.library()
        try await library.belong(toServer: "one")
        return library
    }

    private func titles(_ library: StoredLibrary) -> Set<String> { Set(library.notes.map(\.note.title)) }

    private func paths(_ method: HTTP.Method) -> [String] {
        client.requests.filter { $0.method == method }.map { $0.path.joined(separator: "/") }
    }

    private func failure(of synchronizer: ServerSynchronizer) throws -> String {
        let reason = if case .failed(let reason) = synchronizer.state { reason } else { nil as String? }
        return try #require(reason, "\(synchronizer.state)")
    }

    @Test func unsentNote_isSent_andTheServersNotesAreRead() async throws {
        let library = try await knownLibrary()
        try await library.save(Notes.Note(id: tea, title: "Tea", text: "Green"), replacing: nil)
        client.respond(
            .put, "notes/\(tea.uuidString)", status: 201, json: json(tea, "Tea", version: 2, text: "Green"))
        list(json(tea, "Tea", version: 2, text: "Green"), json(milk, "Milk", version: 1), times: 3)
        let synchronizer = synchronizer(of: library)
        await synchronizer.synchronize(all: false)
        #expect(synchronizer.state == .idle)
        #expect(library.unsentCount == 0)
        #expect(titles(library) == ["Tea", "Milk"])
        let save = try #require(client.requests.first { $0.method == .put })
        #expect(save.condition == .absent)
        #expect(save.token == "token of ann")
        let body = try JSONDecoder().decode([String: String].self, from: try #require(save.body))
        #expect(body == ["title": "Tea", "text": "Green"])
    }

    @Test func reading_beginsWhereTheLastOneEnded() async throws {
        let library = try await knownLibrary()
        let synchronizer = synchronizer(of: library)
        list(json(tea, "Tea", version: 1))
        await synchronizer.synchronize(all: false)
        list(json(milk, "Milk", version: 2))
        await synchronizer.synchronize(all: false)
        #expect(client.requests.map(\.query) == [[:], ["since": "end"]])
        #expect(titles(library) == ["Tea", "Milk"])
    }

    /// The server was restarted, perhaps with other data.
    @Test func positionThatTheServerDoesNotKnow_hasEverythingReadAgain() async throws {
        let library = try await knownLibrary()
        let synchronizer = synchronizer(of: library)
        list(json(tea, "Tea", version: 1))
        await synchronizer.synchronize(all: false)
        client.respond(.get, "notes", status: 410, json: #"{"error":"Gone."}"#)
        list(json(tea, "Tea", version: 1), json(milk, "Milk", version: 1))
        await synchronizer.synchronize(all: false)
        #expect(client.requests.map(\.query) == [[:], ["since": "end"], [:]])
        #expect(titles(library) == ["Tea", "Milk"])
        #expect(synchronizer.state == .idle)
    }

    @Test func allPages_areRead_andOnlyWhatWasDeletedIsGone() async throws {
        let library = try await knownLibrary()
        let gone = UUID()
        let synchronizer = synchronizer(of: library)
        list(json(gone, "Gone", version: 2), json(tea, "Tea", version: 3))
        await synchronizer.synchronize(all: false)
        #expect(titles(library) == ["Tea", "Gone"])
        list(json(tea, "Tea", version: 3), next: "3")
        list(json(milk, "Milk", version: 1), deleted: [gone])
        await synchronizer.synchronize(all: true)
        #expect(titles(library) == ["Tea", "Milk"])
        #expect(synchronizer.state == .idle)
        #expect(client.requests.map(\.query).suffix(2) == [[:], ["since": "3"]])
        list(deleted: [milk])
        await synchronizer.synchronize(all: false)
        #expect(titles(library) == ["Tea"], "a deletion is found without reading all")
    }

    /// A note may change while the pages are read, and is on a later page then.
    @Test func noteThatIsDeletedWhilePagesAreRead_isGone() async throws {
        let library = try await knownLibrary()
        list(json(tea, "Tea", version: 1), json(milk, "Milk", version: 1), next: "1")
        list(json(milk, "Cold milk", version: 2), deleted: [tea])
        let synchronizer = synchronizer(of: library)
        await synchronizer.synchronize(all: true)
        #expect(synchronizer.state == .idle)
        #expect(titles(library) == ["Cold milk"])
    }

    @Test func noteThatTheServerHasLost_isSentAgain() async throws {
        let library = try await knownLibrary()
        let synchronizer = synchronizer(of: library)
        list(json(milk, "Milk", version: 1), json(tea, "Tea", version: 2))
        await synchronizer.synchronize(all: false)
        list(json(milk, "Milk", version: 1), times: 2)
        client.respond(.put, "notes/\(tea.uuidString)", status: 201, json: json(tea, "Tea", version: 1))
        list(json(tea, "Tea", version: 1), times: 2)
        await synchronizer.synchronize(all: true)
        #expect(synchronizer.state == .idle)
        #expect(titles(library) == ["Tea", "Milk"])
        #expect(client.requests.filter { $0.method == .put }.map(\.condition) == [.absent])
        #expect(library.note(tea)?.status == .sent)
    }

    @Test func changeOfANoteThatTheServerHasLost_isSentAsANewNote() async throws {
        let library = try await knownLibrary()
        try await library.receive([server(tea, "1")])
        let mine = Notes.Note(id: tea, title: "Black tea", text: "")
        try await library.save(mine, replacing: library.note(tea)?.note)
        client.respond(.put, "notes/\(tea.uuidString)", status: 404, json: #"{"error":"There is no note."}"#)
        client.respond(.put, "notes/\(tea.uuidString)", status: 201, json: json(tea, "Black tea", version: 1))
        list(times: 3)
        list(json(tea, "Black tea", version: 1))
        let synchronizer = synchronizer(of: library)
        await synchronizer.synchronize(all: false)
        #expect(client.requests.filter { $0.method == .put }.map(\.condition) == [.version("1"), .absent])
        #expect(library.note(tea)?.status == .sent)
        #expect(synchronizer.state == .idle)
    }

    @Test func noteWrittenForOneServer_isNeverSentToAnother_unlessTheUserWantsIt() async throws {
        let library = try await knownLibrary()
        try await library.save(Notes.Note(id: tea, title: "Tea", text: ""), replacing: nil)
        let synchronizer = synchronizer(of: library)
        list(json(milk, "Milk", version: 1), server: "two", times: 4)
        for _ in 1...2 {
            await synchronizer.synchronize(all: true)
            #expect(synchronizer.state == .otherServer(unknown: 1))
        }
        #expect(paths(.put).isEmpty)
        #expect(titles(library) == ["Tea"])
        client.respond(.put, "notes/\(tea.uuidString)", status: 201, json: json(tea, "Tea", version: 2))
        list(json(milk, "Milk", version: 1), json(tea, "Tea", version: 2), server: "two", times: 3)
        try await synchronizer.decide(.upload)
        #expect(paths(.put).count == 1)
        #expect(titles(library) == ["Tea", "Milk"])
        #expect(synchronizer.state == .idle)
        #expect(library.serverID == "two")
    }

    @Test func notesThatNoServerHad_belongToTheFirst() async throws {
        let library = try await session.library()
        try await library.save(Notes.Note(id: tea, title: "Tea", text: ""), replacing: nil)
        client.respond(.put, "notes/\(tea.uuidString)", status: 201, json: json(tea, "Tea", version: 1))
        list(json(tea, "Tea", version: 1), times: 2)
        await synchronizer(of: library).synchronize(all: false)
        #expect(library.serverID == "one")
        #expect(paths(.put).count == 1)
    }

    @Test func saveWhoseResponseWasLost_isNoConflictWithTheNextOne() async throws {
        let library = try await knownLibrary()
        try await library.receive([server(tea, "1")])
        let synchronizer = synchronizer(of: library)
        func save(_ title: String) async throws {
            let original = try #require(library.note(tea)).note
            let note = Notes.Note(id: tea, title: title, text: "", version: original.version)
            try await library.save(note, replacing: original)
        }
        try await save("Green tea")
        list(json(tea, "tea", version: 1))
        client.fail(.put, "notes/\(tea.uuidString)", with: .timedOut(seconds: 10))
        await synchronizer.synchronize(all: false)
        try await save("Black tea")
        // The program may have been restarted meanwhile.
        let later = try await Session(stores: session.stores).library()
        #expect(later.unsentChanges.first?.attempts.count == 1)

        list(json(tea, "Green tea", version: 2))
        let conflict = #"{"error":"The note was changed.","note":\#(json(tea, "Green tea", version: 2))}"#
        client.respond(.put, "notes/\(tea.uuidString)", status: 412, json: conflict)
        client.respond(.put, "notes/\(tea.uuidString)", json: json(tea, "Black tea", version: 3))
        list(json(tea, "Black tea", version: 3), times: 2)
        await synchronizer.synchronize(all: false)
        #expect(library.note(tea)?.status == .sent)
        #expect(library.note(tea)?.note.title == "Black tea")
        #expect(client.requests.last { $0.method == .put }?.condition == .version("2"))
    }

    @Test func deletionOfWhatTheServerNoLongerHas_isDone() async throws {
        let library = try await knownLibrary()
        try await library.receive([server(tea, "7")])
        try await library.delete(tea)
        client.respond(
            .delete, "notes/\(tea.uuidString)", status: 404, json: #"{"error":"There is no note."}"#)
        list(json(tea, "Tea", version: 7))
        list(times: 2)
        let synchronizer = synchronizer(of: library)
        await synchronizer.synchronize(all: false)
        #expect(synchronizer.state == .idle)
        #expect(library.unsentCount == 0)
    }

    @Test func deletionOfANote_whoseSaveDidNotReachTheServer_isDone() async throws {
        let library = try await knownLibrary()
        try await library.save(Notes.Note(id: tea, title: "Tea", text: ""), replacing: nil)
        let synchronizer = synchronizer(of: library)
        list()
        client.fail(.put, "notes/\(tea.uuidString)", with: .timedOut(seconds: 10))
        await synchronizer.synchronize(all: false)
        try await library.save(Notes.Note(id: milk, title: "Milk", text: ""), replacing: nil)
        try await library.delete(tea)
        #expect(library.unsentCount == 2, "the save may have reached it")
        client.fail(.put, "notes/\(milk.uuidString)", with: .status(422, body: ""))
        list(times: 3)
        await synchronizer.synchronize(all: true)
        #expect(library.unsentCount == 1)
        #expect(titles(library) == ["Milk"])
    }

    private func server(_ id: UUID, _ version: String) -> ServerNote {
        ServerNote(Notes.Note(id: id, title: "Tea", text: "", changed: .distantPast), version)
    }

    @Test func unsentChange_outlivesADeletionElsewhere() async throws {
        let library = try await knownLibrary()
        try await library.receive([server(tea, "1")])
        let original = try #require(library.note(tea)).note
        var mine = original
        mine.title = "Black tea"
        try await library.save(mine, replacing: original)
        client.respond(.put, "notes/\(tea.uuidString)", status: 404, json: #"{"error":"There is no note."}"#)
        list(json(tea, "Tea", version: 1))
        list(deleted: [tea], times: 2)
        let synchronizer = synchronizer(of: library)
        await synchronizer.synchronize(all: false)
        #expect(library.note(tea)?.status == .conflict(theirs: nil))
        #expect(library.note(tea)?.note.title == "Black tea")
        try await library.resolve(tea, by: .keepMine)
        client.respond(.put, "notes/\(tea.uuidString)", status: 201, json: json(tea, "Black tea", version: 3))
        list(json(tea, "Black tea", version: 3), times: 2)
        await synchronizer.synchronize(all: false)
        #expect(library.note(tea)?.status == .sent)
        #expect(client.requests.contains { $0.condition == .absent })
    }

    @Test func conflict_keepsBothVersions_andIsNotSentAgain() async throws {
        let library = try await knownLibrary()
        try await library.save(Notes.Note(id: tea, title: "Tea", text: ""), replacing: nil)
        let conflict =
            #"{"error":"The note was changed meanwhile.","note":\#(json(tea, "Cocoa", version: 5))}"#
        client.respond(.put, "notes/\(tea.uuidString)", status: 412, json: conflict)
        list(json(tea, "Cocoa", version: 5), times: 3)
        let synchronizer = synchronizer(of: library)
        await synchronizer.synchronize(all: false)
        list(json(tea, "Cocoa", version: 5))
        await synchronizer.synchronize(all: false)
        #expect(paths(.put).count == 1)
        #expect(synchronizer.state == .idle)
        guard case .conflict(let theirs?) = library.note(tea)?.status else {
            Issue.record("\(String(describing: library.note(tea)))")
            return
        }
        #expect(theirs.title == "Cocoa")
        #expect(library.note(tea)?.note.title == "Tea")
    }

    @Test func deletion_isSentWithTheVersion() async throws {
        let library = try await knownLibrary()
        try await library.receive([server(tea, "7")])
        try await library.delete(tea)
        let synchronizer = synchronizer(of: library)
        client.respond(.delete, "notes/\(tea.uuidString)", status: 204)
        list(json(tea, "Tea", version: 7))
        list(deleted: [tea])
        await synchronizer.synchronize(all: false)
        #expect(client.requests.first { $0.method == .delete }?.condition == .version("7"))
        #expect(library.unsentCount == 0)
        #expect(library.notes.isEmpty)
    }

    @Test func deletionOfANoteThatWasChangedElsewhere_keepsIt_andIsReported() async throws {
        let library = try await knownLibrary()
        try await library.receive([server(tea, "7")])
        try await library.delete(tea)
        let current = json(tea, "Green tea", version: 8)
        client.respond(
            .delete, "notes/\(tea.uuidString)", status: 412,
            json: #"{"error":"The note was changed meanwhile.","note":\#(current)}"#)
        list(json(tea, "Tea", version: 7))
        list(current, times: 2)
        let synchronizer = synchronizer(of: library)
        await synchronizer.synchronize(all: false)
        #expect(library.notes.map(\.note.title) == ["Green tea"])
        #expect(library.unsentCount == 0)
        let reason = try failure(of: synchronizer)
        #expect(reason.hasPrefix("'Green tea' could not be synchronised. It was changed elsewhere"))
    }

    @Test(arguments: [
        (HTTP.Failure.status(422, body: #"{"error":"Not this one."}"#), "Not this one."),
        (.status(500, body: ""), "The server responded with status 500."),
        (
            .invalidRequest(reason: "the version holds characters that a header cannot"),
            "The request cannot be sent: the version holds characters that a header cannot."
        ),
    ])
    func noteThatTheServerRefuses_isNamed_keepsNoOtherFromBeingSent_andIsSentAgain(
        failure: HTTP.Failure, reason: String
    ) async throws {
        let library = try await knownLibrary()
        try await library.save(
            Notes.Note(id: tea, title: "Tea", text: "", changed: .distantPast), replacing: nil)
        try await library.save(Notes.Note(id: milk, title: "Milk", text: ""), replacing: nil)
        let synchronizer = synchronizer(of: library)
        client.respond(.put, "notes/\(milk.uuidString)", status: 201, json: json(milk, "Milk", version: 1))
        client.fail(.put, "notes/\(tea.uuidString)", with: failure)
        list(json(milk, "Milk", version: 1), times: 2)
        await synchronizer.synchronize(all: false)
        #expect(synchronizer.state == .failed(reason: "'Tea' could not be synchronised. \(reason)"))
        #expect(library.note(tea)?.status == .unsent)
        #expect(library.note(milk)?.status == .sent)
        client.respond(.put, "notes/\(tea.uuidString)", status: 201, json: json(tea, "Tea", version: 1))
        list(json(milk, "Milk", version: 1), json(tea, "Tea", version: 1), times: 2)
        #expect(await retries.end() == [ServerSynchronizer.retryDuration])
        await eventually { synchronizer.state == .idle }
        #expect(library.unsentCount == 0)
    }

    @Test func notesThatTheServerRefuses_areCounted() async throws {
        let library = try await knownLibrary()
        for (id, time) in [(tea, 1.0), (milk, 2)] {
            let note = Notes.Note(
                id: id, title: "\(time)", text: "", changed: Date(timeIntervalSince1970: time))
            try await library.save(note, replacing: nil)
            client.respond(.put, "notes/\(id.uuidString)", status: 422)
        }
        list(times: 2)
        let synchronizer = synchronizer(of: library)
        await synchronizer.synchronize(all: false)
        #expect(try failure(of: synchronizer).hasPrefix("'1.0' and 1 more could not be synchronised. "))
    }

    @Test func failureOfTheConnection_keepsWhatIsUnsent_andIsTriedAgain() async throws {
        let library = try await knownLibrary()
        try await library.save(Notes.Note(id: tea, title: "Tea", text: ""), replacing: nil)
        list()
        client.fail(.put, "notes/\(tea.uuidString)", with: .unreachable(reason: "refused"))
        let synchronizer = synchronizer(of: library)
        await synchronizer.synchronize(all: false)
        #expect(synchronizer.state == .offline(reason: "The server cannot be reached (refused)."))
        #expect(library.unsentCount == 1)
        client.respond(.put, "notes/\(tea.uuidString)", status: 200, json: json(tea, "Tea", version: 1))
        list(json(tea, "Tea", version: 1), times: 3)
        #expect(await retries.end() == [ServerSynchronizer.retryDuration])
        await eventually { library.unsentCount == 0 }
        #expect(library.notes.count == 1, "nothing is doubled")
    }

    @Test func nobodySignedIn_orSomebodyElse_sendsNothing() async throws {
        let library = try await knownLibrary()
        for user: String? in [nil, "bob"] {
            session.author.id = user
            let synchronizer = synchronizer(of: library)
            #expect(synchronizer.state == .signedOut, "before the first attempt")
            synchronizer.begin(all: false)
            #expect(synchronizer.state == .signedOut, "whenever a frame is drawn")
            await synchronizer.synchronize(all: false)
            #expect(synchronizer.state == .signedOut)
        }
        #expect(client.requests.isEmpty)
    }

    @Test func endedSession_isReported() async throws {
        let synchronizer = synchronizer(of: try await knownLibrary())
        client.respond(.get, "notes", status: 401, json: #"{"error":"Sign in first."}"#)
        await synchronizer.synchronize(all: false)
        #expect(synchronizer.state == .signedOut)
        #expect(session.author.expired == ["token of ann"])
    }

    @Test func requestWhileOneRuns_isFollowedByAnother() async throws {
        let interrupting = InterruptingClient(client)
        let synchronizer = ServerSynchronizer(
            client: interrupting, author: session.author, library: try await knownLibrary())
        interrupting.beforeTheFirstResponse = { synchronizer.begin(all: false) }
        list(times: 2)
        synchronizer.begin(all: false)
        #expect(synchronizer.state == .running)
        await synchronizer.synchronize(all: false)
        #expect(client.requests.count == 2)
        #expect(synchronizer.state == .idle)
    }

    /// A response that makes no sense, and the path that the message names.
    @Test(arguments: [
        (
            #"{"server":"one","notes":[{"id":"1","title":"","text":"","changed":"2026-11-23T09:30:00Z","version":"1"}],"deleted":[],"position":"","hasMore":false}"#,
            "notes[0].id"
        ),
        (
            #"{"server":"one","notes":[{"title":"","text":"","changed":"2026-11-23T09:30:00Z","version":"1"}],"deleted":[],"position":"","hasMore":false}"#,
            "notes[0].id"
        ),
        (
            #"{"server":"one","notes":[{"id":"00000000-0000-4000-8000-000000000001","title":"","text":"","changed":"soon","#
                + #""version":"1"}],"deleted":[],"position":"","hasMore":false}"#,
            "notes[0].changed"
        ),
        ("[]", "(the whole body)"), (#"{"notes":[],"deleted":[]}"#, "server"),
        (#"{"server":"one","notes":[],"deleted":[],"position":7,"hasMore":false}"#, "position"),
    ])
    func listThatMakesNoSense_isAnError(body: String, place: String) async throws {
        let library = try await knownLibrary()
        for _ in 1...2 { client.respond(.get, "notes", json: body) }
        let synchronizer = synchronizer(of: library)
        await synchronizer.synchronize(all: false)
        let reason = try failure(of: synchronizer)
        #expect(reason.contains("'\(place)'"))
        #expect(library.notes.isEmpty)
    }

    /// The server had the note in version 8, and its data are restored from a backup that has version 5.
    @Test func noteOfARestoredServer_isAConflict() async throws {
        let library = try await knownLibrary()
        let synchronizer = synchronizer(of: library)
        list(json(milk, "Milk", version: 3), json(tea, "Black tea", version: 8))
        await synchronizer.synchronize(all: false)
        #expect(library.note(tea)?.status == .sent)
        client.respond(.get, "notes", status: 410, json: #"{"error":"Gone."}"#)
        list(json(milk, "Milk", version: 3), json(tea, "Tea", version: 5))
        await synchronizer.synchronize(all: false)
        let listed = try #require(library.note(tea))
        #expect(listed.note.title == "Black tea")
        #expect(listed.note.version == "8")
        guard case .conflict(let theirs?) = listed.status else {
            Issue.record("\(listed.status)")
            return
        }
        #expect(theirs.title == "Tea")
        #expect(theirs.version == "5")
        #expect(library.note(milk)?.status == .sent)
        #expect(library.outbox.isEmpty)
        try await library.resolve(tea, by: .keepMine)
        #expect(library.unsentChanges.map(\.base) == ["5"])
    }

    @Test func draft_isNoPartOfTheQuestionAboutUnknownNotes() async throws {
        for decision in Notes.Decision.allCases {
            let session = Session()
            let library = try await session.library()
            try await library.belong(toServer: "one")
            try await library.receive([server(tea, "1")])
            let draft = Notes.Draft(title: "", text: "not for the server", original: nil)
            library.keep(draft, of: milk)
            let change = Notes.Draft(title: "Tea", text: "typed", original: library.note(tea)?.note)
            library.keep(change, of: tea)
            await library.storeDrafts()
            #expect(library.ids == [tea])
            try await library.decide(decision, about: [tea], forServer: "two")
            #expect(library.note(milk)?.draft == draft, "\(decision)")
            #expect(library.note(milk)?.status == .draft, "\(decision)")
            #expect(library.note(tea)?.draft?.text == "typed", "\(decision)")
            #expect(library.outbox == (decision == .upload ? [tea] : []), "\(decision)")
        }
    }

    @Test(arguments: [200, 412])
    func responseAboutAnotherNote_isAnError_andNothingIsLost(status: Int) async throws {
        let library = try await knownLibrary()
        try await library.save(Notes.Note(id: tea, title: "Tea", text: ""), replacing: nil)
        let other = json(milk, "Milk", version: 1)
        client.respond(
            .put, "notes/\(tea.uuidString)", status: status,
            json: status == 200 ? other : #"{"error":"x","note":\#(other)}"#)
        list(times: 3)
        let synchronizer = synchronizer(of: library)
        await synchronizer.synchronize(all: false)
        #expect(
            synchronizer.state
                == .failed(
                    reason:
                        "'Tea' could not be synchronised. The server responded with the note \(milk) instead of "
                        + "\(tea). Try again later."))
        #expect(library.note(milk) == nil)
        #expect(library.note(tea)?.status == .unsent)
    }

    @Test func pagesWithoutEnd_areAnError() async throws {
        let synchronizer = synchronizer(of: try await knownLibrary())
        for number in 0...ServerSynchronizer.maximumPages { list(next: "\(number)") }
        await synchronizer.synchronize(all: false)
        #expect(
            synchronizer.state == .failed(reason: "The server's list of notes does not end. Try again later.")
        )
        #expect(client.requests.count == ServerSynchronizer.maximumPages)
    }
}

/// Does something while the first request waits for its response.
@MainActor
private final class InterruptingClient: HTTP.Client {
    var beforeTheFirstResponse: (() -> Void)?
    private let client: any HTTP.Client

    init(_ client: any HTTP.Client) { self.client = client }

    @MainActor
    func send(_ request: HTTP.Request) async throws -> HTTP.Response {
        beforeTheFirstResponse?()
        beforeTheFirstResponse = nil
        return try await client.send(request)
    }
}
