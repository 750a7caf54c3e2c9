import Foundation
import NotesInterface
import RouterServiceInterface
import StorageInterface
import StorageTesting
import Testing

@testable import NotesImplementation

/// The events of a note, here or on the server, one after the other.
struct StoredNoteTests {
    private let id = UUID()

    /// A note that follows the versions before it, which are numbers.
    private func server(_ version: Int, _ title: String = "Tea", text: String = "") -> ServerNote {
        ServerNote(
            id: id, title: title, text: text, changed: Date(timeIntervalSince1970: 0),
            version: "\(version)", former: (1..<max(version, 1)).map { "\($0)" })
    }

    private func mine(_ title: String, version: String? = nil) -> Notes.Note {
        Notes.Note(id: id, title: title, text: "", changed: Date(timeIntervalSince1970: 60), version: version)
    }

    /// A note that the server has in version 1, and the user has changed.
    private func changed(to title: String = "Coffee") throws -> StoredNote {
        var note = StoredNote(id: id)
        note.receive(server(1))
        note.save(mine(title, version: "1"), replacing: try #require(note.listed).note)
        return note
    }

    @Test func newNote_isUnsent_untilTheServerHasIt() throws {
        var note = StoredNote(id: id)
        note.save(mine("Tea"), replacing: nil)
        #expect(note.listed?.status == .unsent)
        #expect(note.change?.base == nil)
        note.accept(server(1), for: try #require(note.change))
        #expect(note.listed == Notes.ListedNote(note: server(1).note, status: .sent))
    }

    @Test func changeOfANote_isOfTheVersionThatTheUserBeganWith() throws {
        #expect(try changed().change?.base == "1")
        #expect(try changed().listed?.status == .unsent)
        #expect(try changed(to: "Tea").listed?.status == .sent, "there is nothing to send")
    }

    @Test func changeElsewhere_isAConflict_andEachChoiceEndsIt() throws {
        var note = try changed()
        note.receive(server(2, "Juice"))
        #expect(note.listed?.note.title == "Coffee")
        #expect(note.listed?.status == .conflict(theirs: server(2, "Juice").note))
        var (kept, dropped) = (note, note)
        kept.resolve(keepsMine: true)
        #expect(kept.listed?.status == .unsent)
        #expect(kept.change?.base == "2")
        dropped.resolve(keepsMine: false)
        #expect(dropped.listed == Notes.ListedNote(note: server(2, "Juice").note, status: .sent))
    }

    @Test func conflict_staysOne_whereTheServerLosesItsSide() throws {
        var note = try changed()
        note.receive(server(2, "Juice"))
        note.receive(server(1))
        #expect(note.listed?.status == .conflict(theirs: server(2, "Juice").note), "neither side is lost")
        var (kept, dropped) = (note, note)
        kept.resolve(keepsMine: true)
        kept.receive(server(1))
        #expect(kept.listed?.note.title == "Coffee")
        #expect(kept.listed?.status == .conflict(theirs: server(1).note))
        dropped.resolve(keepsMine: false)
        dropped.receive(server(1))
        #expect(dropped.listed?.note.title == "Juice")
        #expect(dropped.listed?.status == .conflict(theirs: server(1).note))
    }

    @Test func acceptedSave_ofWhichTheServerHasSomethingElse_isAConflict() throws {
        var note = try changed()
        note.accept(server(2, "Juice"), for: try #require(note.change))
        #expect(note.listed?.note.title == "Coffee")
        #expect(note.listed?.status == .conflict(theirs: server(2, "Juice").note))
    }

    @Test func deletionElsewhere_isAConflict_andEachChoiceEndsIt() throws {
        var note = try changed()
        note.receive(ServerDeletion(id: id, former: ["1"]))
        #expect(note.listed?.status == .conflict(theirs: nil))
        var (kept, dropped) = (note, note)
        kept.resolve(keepsMine: true)
        #expect(kept.listed?.status == .unsent, "it is sent as a new one")
        #expect(kept.change?.base == nil, "it is sent as a new one")
        dropped.resolve(keepsMine: false)
        #expect(dropped.listed == nil)
    }

    @Test func saveWhoseResponseWasLost_isNoConflict() throws {
        var note = try changed()
        note.receive(server(2, "Coffee"))
        #expect(note.listed?.status == .sent)
    }

    @Test func noteThatTheServerHasFromHere_isNoConflict_andIsDeletedWhereTheUserDidThat() throws {
        var note = StoredNote(id: id)
        note.save(mine("Coffee"), replacing: nil)
        note.attempt()
        var (changed, deleted) = (note, note)
        changed.save(mine("Cocoa"), replacing: try #require(note.listed).note)
        changed.receive(server(1, "Coffee"))
        #expect(changed.listed?.status == .unsent)
        #expect(changed.change?.base == "1")
        changed.receive(server(2, "Juice"))
        #expect(changed.isInConflict)
        deleted.delete()
        deleted.receive(server(1, "Coffee"))
        #expect(deleted.listed == nil)
        #expect(deleted.change?.base == "1")
        #expect(deleted.sendableChange != nil)
    }

    @Test func changeWhileTheLastOneIsSent_followsIt() throws {
        var note = try changed()
        let sending = try #require(note.change)
        note.save(mine("Cocoa", version: "1"), replacing: try #require(note.listed).note)
        note.accept(server(2, "Coffee"), for: sending)
        #expect(note.listed?.note.title == "Cocoa")
        #expect(note.listed?.status == .unsent)
        #expect(note.change?.base == "2")
    }

    @Test func changeOfWhatWasSentMeanwhile_isNoConflict() throws {
        var note = try changed()
        let original = try #require(note.listed).note
        note.accept(server(2, "Coffee"), for: try #require(note.change))
        note.save(mine("Cocoa", version: original.version), replacing: original)
        #expect(note.listed?.status == .unsent)
        #expect(note.change?.base == "2")
    }

    @Test func deletion_isOfTheVersionThatTheServerHas() throws {
        var note = try changed()
        note.delete()
        #expect(note.listed == nil)
        #expect(note.change?.content == .delete)
        #expect(note.change?.base == "1")
        note.accept(nil, for: try #require(note.change))
        #expect(note.sent == nil)
        #expect(note.change == nil)
    }

    @Test func deletionOfWhatTheServerHasNotHad_leavesNothing() {
        var note = StoredNote(id: id)
        note.save(mine("Tea"), replacing: nil)
        note.delete()
        #expect(note.listed == nil)
        #expect(note.change == nil)
    }

    @Test func deletionWhileTheServerSavesANewNote_isSentAfterwards() throws {
        var note = StoredNote(id: id)
        note.save(mine("Tea"), replacing: nil)
        note.attempt()
        let sending = try #require(note.change)
        note.delete()
        #expect(note.sendableChange == nil)
        note.accept(server(1), for: sending)
        #expect(note.listed == nil)
        #expect(note.change?.content == .delete)
        #expect(note.change?.base == "1")
    }

    @Test func changeThatWasAcceptedTwice_isNoDeletion() throws {
        var note = try changed()
        let sending = try #require(note.change)
        for _ in 1...2 { note.accept(server(2, "Coffee"), for: sending) }
        #expect(note.listed?.status == .sent)
    }

    @Test func noteThatWasChangedElsewhere_isNotDeletedUnread() throws {
        var note = try changed()
        note.delete()
        note.receive(server(2, "Juice"))
        #expect(note.listed == Notes.ListedNote(note: server(2, "Juice").note, status: .sent))
    }

    /// The server was restored from a backup: what it has is older than what it had.
    @Test func versionThatTheServerHasLost_isAConflict_andNotReplaced() {
        var note = StoredNote(id: id)
        note.receive(server(2, "Black tea"))
        var deleted = note
        note.receive(server(1))
        #expect(note.listed?.note.title == "Black tea")
        #expect(note.listed?.status == .conflict(theirs: server(1).note))
        // The restored server was sent something else since, or a deletion that knows nothing of the lost version.
        let other = ServerNote(mine("White tea"), "x", after: "1")
        note.receive(other)
        #expect(note.listed?.status == .conflict(theirs: other.note))
        deleted.receive(ServerDeletion(id: id, former: ["1"]))
        #expect(deleted.listed?.status == .conflict(theirs: nil))
    }

    @Test func noteThatTheServerDoesNotHave_isSentAgain_andADeletionIsDone() throws {
        var (sent, changed) = (StoredNote(id: id), try changed())
        sent.receive(server(2))
        var deleted = changed
        deleted.delete()
        sent.detach()
        changed.detach()
        deleted.detach()
        for (note, title) in [(sent, "Tea"), (changed, "Coffee")] {
            #expect(note.listed?.status == .unsent)
            #expect(note.listed?.note.title == title)
            #expect(note.change?.base == nil)
        }
        #expect(deleted == StoredNote(id: id))
    }

    @Test func note_isOneValue_withoutItsDraft() throws {
        let note = try changed().with(Notes.Draft(title: "Typed", text: "", original: nil))
        let stored = try JSONDecoder().decode(StoredNote.self, from: JSONEncoder().encode(note))
        #expect(stored == note.with(nil))
    }
}

@MainActor
struct StoredNotesTests {
    private let stores = FakeStores()

    private func note(_ id: UUID, changed: Int) -> StoredNote {
        var note = StoredNote(id: id)
        let date = Date(timeIntervalSince1970: Double(changed))
        note.receive(ServerNote(Notes.Note(id: id, title: "Note", text: "", changed: date), "1"))
        return note
    }

    private func store(_ notes: [StoredNote]) async throws {
        for note in notes { try await stores["ann"].set(note, for: StoredNotes.key(of: note.id)) }
    }

    @Test func notes_areInTheOrderOfTheirLastSave_afterEveryChange() async throws {
        let ids = (0..<5).map { _ in UUID() }
        try await store(ids.enumerated().map { note($1, changed: $0) })
        var notes = try await StoredNotes.read(from: stores["ann"])
        let before = notes.listed().map(\.id)
        #expect(before == ids.reversed())
        notes[ids[1]] = note(ids[1], changed: 10)
        notes[ids[3]] = StoredNote(id: ids[3])
        let after = notes.listed().map(\.id)
        #expect(after == [1, 4, 2, 0].map { ids[$0] })
        #expect(notes.all.count == 4)
        // A draft keeps its place.
        let draft = Notes.Draft(title: "Typed", text: "", original: nil)
        notes[ids[2]].draft = draft
        let drafts = notes.listed().map(\.draft)
        #expect(drafts == [nil, nil, draft, nil])
    }

    @Test func valueThatCannotBeRead_isSetAside_andHidesNoOtherNote() async throws {
        let (whole, broken) = (UUID(), UUID())
        try await store([note(whole, changed: 1), note(broken, changed: 2)])
        let name = StoredNotes.key(of: broken).name
        stores["ann"].values[name] = Data(#"{"no":"note"}"#.utf8)
        stores["ann"].values["notes/server"] = Data(#"{"no":"server"}"#.utf8)
        var notes = try await StoredNotes.read(from: stores["ann"])
        let listed = notes.listed().map(\.id)
        #expect(listed == [whole])
        #expect(notes.serverID == nil)
        #expect(stores["ann"].values.keys.sorted() == [StoredNotes.key(of: whole).name])
    }
}
