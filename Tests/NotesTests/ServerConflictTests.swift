import Foundation
import HTTPClientInterface
import HTTPClientTesting
import NotesInterface
import NotesTesting
import RouterServiceInterface
import Testing

@testable import NotesImplementation

/// The server has other versions than the notes here, has lost notes, or is another server.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ServerConflictTests {
    private let session = Session()
    private let tea = UUID()
    private let milk = UUID()

    private var client: FakeHTTPClient { session.client }

    @Test func conflict_keepsBothVersions_andIsNotSentAgain() async throws {
        let (library, synchronizer) = try await session.synchronized()
        try await library.save(Notes.Note(id: tea, title: "Tea", text: ""), replacing: nil)
        client.refuse(.put, tea, because: json(tea, "Cocoa", version: 5))
        client.list(json(tea, "Cocoa", version: 5), times: 3)
        await synchronizer.synchronize(all: false)
        client.list(json(tea, "Cocoa", version: 5))
        await synchronizer.synchronize(all: false)
        #expect(client.conditions.count == 1)
        #expect(synchronizer.state == .idle)
        guard case .conflict(let theirs?) = library.note(tea)?.status else {
            Issue.record("\(String(describing: library.note(tea)))")
            return
        }
        #expect(theirs.title == "Cocoa")
        #expect(library.note(tea)?.note.title == "Tea")
    }

    @Test func unsentChange_outlivesADeletionElsewhere() async throws {
        let (library, synchronizer) = try await session.synchronized(.sent("Tea", id: tea))
        let original = try #require(library.note(tea)).note
        var mine = original
        mine.title = "Black tea"
        try await library.save(mine, replacing: original)
        client.fail(.put, "notes/\(tea)", with: .status(404, body: ""))
        client.list(json(tea, "Tea", version: 1))
        client.list(deleted: [tea], times: 2)
        await synchronizer.synchronize(all: false)
        #expect(library.note(tea)?.status == .conflict(theirs: nil))
        #expect(library.note(tea)?.note.title == "Black tea")
        try await library.resolve(tea, by: .keepMine)
        client.accept(tea, "Black tea", version: 3)
        client.list(json(tea, "Black tea", version: 3), times: 2)
        await synchronizer.synchronize(all: false)
        #expect(library.note(tea)?.status == .sent)
        #expect(client.requests.contains { $0.condition == .absent })
    }

    @Test func deletionOfANoteThatWasChangedElsewhere_keepsIt_andIsReported() async throws {
        let (library, synchronizer) = try await session.synchronized(.sent("Tea", id: tea, version: "7"))
        try await library.delete(tea)
        let current = json(tea, "Green tea", version: 8)
        client.refuse(.delete, tea, because: current)
        client.list(json(tea, "Tea", version: 7))
        client.list(current, times: 2)
        await synchronizer.synchronize(all: false)
        #expect(library.titles == ["Green tea"])
        #expect(library.unsentCount == 0)
        let reason = "'Green tea' could not be synchronised. It was changed elsewhere"
        #expect(try synchronizer.failure.hasPrefix(reason))
    }

    @Test func noteThatTheServerHasLost_isSentAgain() async throws {
        let (library, synchronizer) = try await session.synchronized()
        client.list(json(milk, "Milk", version: 1), json(tea, "Tea", version: 2))
        await synchronizer.synchronize(all: false)
        client.list(json(milk, "Milk", version: 1), times: 2)
        client.accept(tea, "Tea", version: 1)
        client.list(json(tea, "Tea", version: 1), times: 2)
        await synchronizer.synchronize(all: true)
        #expect(synchronizer.state == .idle)
        #expect(Set(library.titles) == ["Tea", "Milk"])
        #expect(client.conditions == [.absent])
        #expect(library.note(tea)?.status == .sent)
    }

    @Test func changeOfANoteThatTheServerHasLost_isSentAsANewNote() async throws {
        let (library, synchronizer) = try await session.synchronized(.sent("Tea", id: tea))
        let mine = Notes.Note(id: tea, title: "Black tea", text: "")
        try await library.save(mine, replacing: library.note(tea)?.note)
        client.fail(.put, "notes/\(tea)", with: .status(404, body: ""))
        client.accept(tea, "Black tea", version: 1)
        client.list(times: 3)
        client.list(json(tea, "Black tea", version: 1))
        await synchronizer.synchronize(all: false)
        #expect(client.conditions == [.version("1"), .absent])
        #expect(library.note(tea)?.status == .sent)
        #expect(synchronizer.state == .idle)
    }

    /// The server had the note in version 8, and its data are restored from a backup that has version 5.
    @Test func noteOfARestoredServer_isAConflict() async throws {
        let (library, synchronizer) = try await session.synchronized()
        client.list(json(milk, "Milk", version: 3), json(tea, "Black tea", version: 8))
        await synchronizer.synchronize(all: false)
        #expect(library.note(tea)?.status == .sent)
        client.fail(.get, "notes", with: .status(410, body: ""))
        client.list(json(milk, "Milk", version: 3), json(tea, "Tea", version: 5))
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

    @Test func noteWrittenForOneServer_isNeverSentToAnother_unlessTheUserWantsIt() async throws {
        let (library, synchronizer) = try await session.synchronized()
        try await library.save(Notes.Note(id: tea, title: "Tea", text: ""), replacing: nil)
        client.list(json(milk, "Milk", version: 1), server: "two", times: 4)
        for _ in 1...2 {
            await synchronizer.synchronize(all: true)
            #expect(synchronizer.state == .otherServer(unknown: 1))
        }
        #expect(client.conditions.isEmpty)
        #expect(library.titles == ["Tea"])
        client.accept(tea, "Tea", version: 2)
        client.list(json(milk, "Milk", version: 1), json(tea, "Tea", version: 2), server: "two", times: 3)
        try await synchronizer.decide(.upload)
        #expect(client.conditions.count == 1)
        #expect(Set(library.titles) == ["Tea", "Milk"])
        #expect(synchronizer.state == .idle)
        #expect(library.serverID == "two")
    }

    @Test(arguments: Notes.Decision.allCases)
    func draft_isNoPartOfTheQuestionAboutUnknownNotes(decision: Notes.Decision) async throws {
        let (library, _) = try await session.synchronized(.sent("Tea", id: tea))
        let draft = Notes.Draft(title: "", text: "not for the server", original: nil)
        library.keep(draft, of: milk)
        let change = Notes.Draft(title: "Tea", text: "typed", original: library.note(tea)?.note)
        library.keep(change, of: tea)
        await library.storeDrafts()
        #expect(library.ids == [tea])
        try await library.decide(decision, about: [tea], forServer: "two")
        #expect(library.note(milk)?.draft == draft)
        #expect(library.note(milk)?.status == .draft)
        #expect(library.note(tea)?.draft?.text == "typed")
        #expect(library.outbox == (decision == .upload ? [tea] : []))
    }
}
