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
        note.save(mine(title, version: "1"), replacing: try #require(note.entry).note)
        return note
    }

    @Test func newNote_isUnsent_untilTheServerHasIt() throws {
        var note = StoredNote(id: id)
        note.save(mine("Tea"), replacing: nil)
        #expect(note.entry?.status == .unsent(refusal: nil))
        #expect(note.change?.base == nil)
        note.accept(server(1), for: try #require(note.change))
        #expect(note.entry == Notes.Entry(note: server(1).note, status: .sent))
    }

    @Test func changeOfANote_isOfTheVersionThatTheUserBeganWith() throws {
        #expect(try changed().change?.base == "1")
        #expect(try changed().entry?.status == .unsent(refusal: nil))
        #expect(try changed(to: "Tea").entry?.status == .sent, "there is nothing to send")
    }

    @Test func changeElsewhere_isAConflict_andEachChoiceEndsIt() throws {
        var note = try changed()
        note.receive(server(2, "Juice"))
        #expect(note.entry?.note.title == "Coffee")
        #expect(note.entry?.status == .conflict(theirs: server(2, "Juice").note))
        var (kept, dropped) = (note, note)
        kept.resolve(keepsMine: true)
        #expect(kept.entry?.status == .unsent(refusal: nil))
        #expect(kept.change?.base == "2")
        dropped.resolve(keepsMine: false)
        #expect(dropped.entry == Notes.Entry(note: server(2, "Juice").note, status: .sent))
    }

    @Test func conflict_staysOne_whereTheServerGoesBackToWhatTheChangeBeganWith() throws {
        var note = try changed()
        note.receive(server(2, "Juice"))
        note.receive(server(1))
        #expect(note.entry?.note.title == "Coffee")
        #expect(note.entry?.status == .conflict(theirs: server(1).note))
    }

    @Test func acceptedSave_ofWhichTheServerHasSomethingElse_isAConflict() throws {
        var note = try changed()
        note.accept(server(2, "Juice"), for: try #require(note.change))
        #expect(note.entry?.note.title == "Coffee")
        #expect(note.entry?.status == .conflict(theirs: server(2, "Juice").note))
    }

    @Test func deletionElsewhere_isAConflict_andEachChoiceEndsIt() throws {
        var note = try changed()
        note.receive(ServerDeletion(id: id, former: ["1"]))
        #expect(note.entry?.status == .conflict(theirs: nil))
        var (kept, dropped) = (note, note)
        kept.resolve(keepsMine: true)
        #expect(kept.entry?.status == .unsent(refusal: nil), "it is sent as a new one")
        #expect(kept.change?.base == nil, "it is sent as a new one")
        dropped.resolve(keepsMine: false)
        #expect(dropped.entry == nil)
    }

    @Test func saveWhoseAnswerWasLost_isNoConflict() throws {
        var note = try changed()
        note.receive(server(2, "Coffee"))
        #expect(note.entry?.status == .sent)
    }

    @Test func noteThatTheServerHasFromHere_isNoConflict_andIsDeletedWhereTheUserDidThat() throws {
        var note = StoredNote(id: id)
        note.save(mine("Coffee"), replacing: nil)
        note.attempt()
        var (changed, deleted) = (note, note)
        changed.save(mine("Cocoa"), replacing: try #require(note.entry).note)
        changed.receive(server(1, "Coffee"))
        #expect(changed.entry?.status == .unsent(refusal: nil))
        #expect(changed.change?.base == "1")
        changed.receive(server(2, "Juice"))
        #expect(changed.isInConflict)
        deleted.delete()
        deleted.receive(server(1, "Coffee"))
        #expect(deleted.entry == nil)
        #expect(deleted.change?.base == "1")
        #expect(deleted.change?.isSendable == true)
    }

    @Test func changeWhileTheLastOneIsSent_followsIt() throws {
        var note = try changed()
        let sending = try #require(note.change)
        note.save(mine("Cocoa", version: "1"), replacing: try #require(note.entry).note)
        note.accept(server(2, "Coffee"), for: sending)
        #expect(note.entry?.note.title == "Cocoa")
        #expect(note.entry?.status == .unsent(refusal: nil))
        #expect(note.change?.base == "2")
    }

    @Test func changeOfWhatWasSentMeanwhile_isNoConflict() throws {
        var note = try changed()
        let original = try #require(note.entry).note
        note.accept(server(2, "Coffee"), for: try #require(note.change))
        note.save(mine("Cocoa", version: original.version), replacing: original)
        #expect(note.entry?.status == .unsent(refusal: nil))
        #expect(note.change?.base == "2")
    }

    @Test func deletion_isOfTheVersionThatTheServerHas() throws {
        var note = try changed()
        note.delete()
        #expect(note.entry == nil)
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
        #expect(note.entry == nil)
        #expect(note.change == nil)
    }

    @Test func deletionWhileTheServerSavesANewNote_isSentAfterwards() throws {
        var note = StoredNote(id: id)
        note.save(mine("Tea"), replacing: nil)
        note.attempt()
        let sending = try #require(note.change)
        note.delete()
        #expect(note.change?.isSendable == false)
        note.accept(server(1), for: sending)
        #expect(note.entry == nil)
        #expect(note.change?.content == .delete)
        #expect(note.change?.base == "1")
    }

    @Test func changeThatWasAcceptedTwice_isNoDeletion() throws {
        var note = try changed()
        let sending = try #require(note.change)
        for _ in 1...2 { note.accept(server(2, "Coffee"), for: sending) }
        #expect(note.entry?.status == .sent)
    }

    @Test func noteThatWasChangedElsewhere_isNotDeletedUnread() throws {
        var note = try changed()
        note.delete()
        note.receive(server(2, "Juice"))
        #expect(note.entry == Notes.Entry(note: server(2, "Juice").note, status: .sent))
    }

    @Test func undoneDeletion_bringsBackWhatWasUnsent() throws {
        var note = try changed()
        let before = note
        note.delete()
        note.undoDeletion(to: before)
        #expect(note == before)
    }

    /// The server was restored from a backup: what it has is older than what it had.
    @Test func versionThatTheServerHasLost_isAConflict_andNotReplaced() {
        var note = StoredNote(id: id)
        note.receive(server(2, "Black tea"))
        var deleted = note
        note.receive(server(1))
        #expect(note.entry?.note.title == "Black tea")
        #expect(note.entry?.status == .conflict(theirs: server(1).note))
        // The restored server was sent something else since, or a deletion that knows nothing of the lost version.
        let other = ServerNote(
            id: id, title: "White tea", text: "", changed: .distantPast, version: "x", former: ["1"])
        note.receive(other)
        #expect(note.entry?.status == .conflict(theirs: other.note))
        deleted.receive(ServerDeletion(id: id, former: ["1"]))
        #expect(deleted.entry?.status == .conflict(theirs: nil))
    }

    @Test func serverWithoutFormerVersions_isBelieved() {
        var note = StoredNote(id: id)
        note.receive(server(2))
        note.receive(ServerNote(id: id, title: "Juice", text: "", changed: .distantPast, version: "1"))
        #expect(note.entry?.note.title == "Juice")
        note.receive(ServerDeletion(id: id))
        #expect(note.entry == nil)
    }

    @Test func noteThatTheServerDoesNotHave_isSentAgain_andADeletionIsDone() throws {
        var (sent, changed) = (StoredNote(id: id), try changed())
        sent.receive(server(2))
        var deleted = changed
        deleted.delete()
        sent.detach(isKept: false)
        changed.detach(isKept: false)
        deleted.detach(isKept: false)
        for (note, title) in [(sent, "Tea"), (changed, "Coffee")] {
            #expect(note.entry?.status == .unsent(refusal: nil))
            #expect(note.entry?.note.title == title)
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
        note.receive(ServerNote(id: id, title: "Note", text: "", changed: date, version: "\(changed)"))
        return note
    }

    private func store(_ notes: [StoredNote]) async throws {
        let values = notes.map { (StoredNotes.key(of: $0.id), StoredNote?.some($0)) }
        try await stores["ann"].set(Dictionary(uniqueKeysWithValues: values))
    }

    @Test func notes_areInTheOrderOfTheirLastSave_afterEveryChange() async throws {
        let ids = (0..<5).map { _ in UUID() }
        try await store(ids.enumerated().map { note($1, changed: $0) })
        var notes = try await StoredNotes.read(from: stores["ann"])
        #expect(notes.entries.map(\.id) == ids.reversed())
        let hasChanged = notes.update([note(ids[1], changed: 10), StoredNote(id: ids[3])])
        #expect(hasChanged)
        #expect(notes.entries.map(\.id) == [1, 4, 2, 0].map { ids[$0] })
        #expect(notes[ids[3]] == StoredNote(id: ids[3]))
        // A draft, which keeps its place.
        let draft = Notes.Draft(title: "Typed", text: "", original: nil)
        let isTyped = notes.update([notes[ids[2]].with(draft)])
        #expect(isTyped)
        #expect(notes.entries.map(\.draft) == [nil, nil, draft, nil])
    }

    @Test func notesThatAreTheSame_areNoChange() async throws {
        let id = UUID()
        try await store([note(id, changed: 1)])
        var notes = try await StoredNotes.read(from: stores["ann"])
        let hasChanged = notes.update([note(id, changed: 1), StoredNote(id: UUID())])
        #expect(!hasChanged)
    }

    @Test func valueThatCannotBeRead_isSetAside_andHidesNoOtherNote() async throws {
        let (whole, broken) = (UUID(), UUID())
        try await store([note(whole, changed: 1), note(broken, changed: 2)])
        let name = StoredNotes.key(of: broken).name
        stores["ann"].values[name] = Data(#"{"no":"note"}"#.utf8)
        stores["ann"].values["notes/server"] = Data(#"{"no":"server"}"#.utf8)
        let notes = try await StoredNotes.read(from: stores["ann"])
        #expect(notes.entries.map(\.id) == [whole])
        #expect(notes.server == nil)
        #expect(stores["ann"].values.keys.sorted() == [StoredNotes.key(of: whole).name])
    }
}
