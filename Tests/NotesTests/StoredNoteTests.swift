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

    private func server(_ version: Identifier, _ title: String = "Tea", text: String = "") -> ServerNote {
        ServerNote(
            id: id, title: title, text: text, changed: Date(timeIntervalSince1970: 0), version: version)
    }

    private func mine(_ title: String, version: Identifier? = nil) -> Notes.Note {
        Notes.Note(id: id, title: title, text: "", changed: Date(timeIntervalSince1970: 60), version: version)
    }

    /// A note that the server has in version 1, and the user has changed.
    private func changed(to title: String = "Coffee") throws -> StoredNote {
        var note = StoredNote(id: id)
        note.receive(server("1"))
        note.save(mine(title, version: "1"), replacing: try #require(note.entry).note)
        return note
    }

    @Test func newNote_isUnsent_untilTheServerHasIt() throws {
        var note = StoredNote(id: id)
        note.save(mine("Tea"), replacing: nil)
        #expect(note.entry?.status == .unsent(refusal: nil))
        #expect(note.change?.base == nil)
        note.accept(server("1"), for: try #require(note.change))
        #expect(note.entry == Notes.Entry(note: server("1").note, status: .sent))
    }

    @Test func changeOfANote_isOfTheVersionThatTheUserBeganWith() throws {
        #expect(try changed().change?.base == "1")
        #expect(try changed().entry?.status == .unsent(refusal: nil))
        #expect(try changed(to: "Tea").entry?.status == .sent, "there is nothing to send")
    }

    @Test func changeElsewhere_isAConflict_andEachChoiceEndsIt() throws {
        var note = try changed()
        note.receive(server("2", "Juice"))
        #expect(note.entry?.note.title == "Coffee")
        #expect(note.entry?.status == .conflict(theirs: server("2", "Juice").note))
        var (kept, dropped) = (note, note)
        kept.resolve(keepsMine: true)
        #expect(kept.entry?.status == .unsent(refusal: nil))
        #expect(kept.change?.base == "2")
        dropped.resolve(keepsMine: false)
        #expect(dropped.entry == Notes.Entry(note: server("2", "Juice").note, status: .sent))
    }

    @Test func conflict_staysOne_whereTheServerGoesBackToWhatTheChangeBeganWith() throws {
        var note = try changed()
        note.receive(server("2", "Juice"))
        note.receive(server("1"), from: NotesAPI.ServerVersions(newest: 1))
        #expect(note.entry?.note.title == "Coffee")
        #expect(note.entry?.status == .conflict(theirs: server("1").note))
    }

    @Test func acceptedSave_ofWhichTheServerHasSomethingElse_isAConflict() throws {
        var note = try changed()
        note.accept(server("2", "Juice"), for: try #require(note.change))
        #expect(note.entry?.note.title == "Coffee")
        #expect(note.entry?.status == .conflict(theirs: server("2", "Juice").note))
    }

    @Test func deletionElsewhere_isAConflict_andEachChoiceEndsIt() throws {
        var note = try changed()
        note.receive(nil)
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
        note.receive(server("2", "Coffee"))
        #expect(note.entry?.status == .sent)
    }

    @Test func noteThatTheServerHasFromHere_isNoConflict_andIsDeletedWhereTheUserDidThat() throws {
        var note = StoredNote(id: id)
        note.save(mine("Coffee"), replacing: nil)
        note.attempt()
        var (changed, deleted) = (note, note)
        changed.save(mine("Cocoa"), replacing: try #require(note.entry).note)
        changed.receive(server("1", "Coffee"))
        #expect(changed.entry?.status == .unsent(refusal: nil))
        #expect(changed.change?.base == "1")
        changed.receive(server("2", "Juice"))
        #expect(changed.isInConflict)
        deleted.delete()
        deleted.receive(server("1", "Coffee"))
        #expect(deleted.entry == nil)
        #expect(deleted.change?.base == "1")
        #expect(deleted.change?.isSendable == true)
    }

    @Test func textsThatOnlyLookAlike_areAConflict() throws {
        var note = try changed(to: "Caf\u{E9}")
        note.receive(server("2", "Cafe\u{301}"))
        #expect(note.isInConflict)
    }

    @Test func changeWhileTheLastOneIsSent_followsIt() throws {
        var note = try changed()
        let sending = try #require(note.change)
        note.save(mine("Cocoa", version: "1"), replacing: try #require(note.entry).note)
        note.accept(server("2", "Coffee"), for: sending)
        #expect(note.entry?.note.title == "Cocoa")
        #expect(note.entry?.status == .unsent(refusal: nil))
        #expect(note.change?.base == "2")
    }

    @Test func changeOfWhatWasSentMeanwhile_isNoConflict() throws {
        var note = try changed()
        let original = try #require(note.entry).note
        note.accept(server("2", "Coffee"), for: try #require(note.change))
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
        note.accept(server("1"), for: sending)
        #expect(note.entry == nil)
        #expect(note.change?.content == .delete)
        #expect(note.change?.base == "1")
    }

    @Test func changeThatWasAcceptedTwice_isNoDeletion() throws {
        var note = try changed()
        let sending = try #require(note.change)
        for _ in 1...2 { note.accept(server("2", "Coffee"), for: sending) }
        #expect(note.entry?.status == .sent)
    }

    @Test func noteThatWasChangedElsewhere_isNotDeletedUnread() throws {
        var note = try changed()
        note.delete()
        note.receive(server("2", "Juice"))
        #expect(note.entry == Notes.Entry(note: server("2", "Juice").note, status: .sent))
    }

    @Test func undoneDeletion_bringsBackWhatWasUnsent() throws {
        var note = try changed()
        let before = note
        note.delete()
        note.undoDeletion(to: before)
        #expect(note == before)
    }

    @Test func note_isStoredUnderTwoKeys_andReadAgain() throws {
        let note = try changed()
        var values = Storage.Values()
        try note.write(to: &values, replacing: StoredNote(id: id))
        #expect(Set(values.changes.keys) == ["notes/sent/\(id.uuidString)", "notes/outbox/\(id.uuidString)"])
        #expect(StoredNote(id, in: &values) == note)
        #expect(StoredNote.ids(in: values) == [id])
        try StoredNote(id: id).write(to: &values, replacing: note)
        #expect(values.encoded.isEmpty)
    }

    @Test func writing_storesOnlyWhatChanged() throws {
        var note = StoredNote(id: id)
        note.receive(server("1"))
        var values = Storage.Values()
        let changed = try changed()
        try changed.write(to: &values, replacing: note)
        #expect(Set(values.changes.keys) == ["notes/outbox/\(id.uuidString)"])
    }
}

@MainActor
struct StoredNotesTests {
    private let stores = FakeStores()

    @Test func notes_areInTheOrderOfTheirLastSave_afterEveryChange() async throws {
        var values = Storage.Values()
        let ids = (0..<5).map { _ in UUID() }
        for (number, id) in ids.enumerated() { try store(id, version: number, in: &values) }
        var notes = await StoredNotes.read(from: try await stored(values))
        #expect(notes.entries.map(\.id) == ids.reversed())

        // Versions are numbers, so 10 follows 4.
        try store(ids[1], version: 10, in: &values)
        try store(ids[3], version: nil, in: &values)
        let hasChanged = notes.update([ids[1], ids[3]], from: values)
        #expect(hasChanged)
        #expect(notes.entries.map(\.id) == [1, 4, 2, 0].map { ids[$0] })
        #expect(notes[ids[3]] == nil)
    }

    @Test func notesThatWereReadAgainUnchanged_areNoChange() async throws {
        var values = Storage.Values()
        let id = UUID()
        try store(id, version: 1, in: &values)
        var notes = await StoredNotes.read(from: try await stored(values))
        let hasChanged = notes.update([id, UUID()], from: values)
        #expect(!hasChanged)
    }

    @Test func valueThatCannotBeRead_isSetAside_andHidesNoOtherNote() async throws {
        var values = Storage.Values()
        let (whole, broken) = (UUID(), UUID())
        for id in [whole, broken] { try store(id, version: 1, in: &values) }
        let name: Identifier = "notes/sent/\(broken.uuidString)"
        try values.set(["no": "note"], for: Storage.Key(name))
        try values.set(["no": "server"], for: Storage.Key("notes/server"))
        let store = try await stored(values)
        let notes = await StoredNotes.read(from: store)
        #expect(store.values.encoded["damaged/notes/server"] == Data(#"{"no":"server"}"#.utf8))
        #expect(notes.entries.map(\.id) == [whole])
        #expect(store.values.encoded["damaged/\(name)"] == Data(#"{"no":"note"}"#.utf8))
        #expect(store.values.damage.count == 2)
        let report = "The stored value '\(name)' is not a ServerNote. "
        #expect(store.values.damage.last?.hasPrefix(report) == true)
        #expect(StoredNote.ids(in: store.values) == [whole])
    }

    private func stored(_ values: Storage.Values) async throws -> FakeStore {
        try await stores["ann"].transaction { $0 = values }
        return stores["ann"]
    }

    /// Stores a note as the server has it, or that the server has none.
    private func store(_ id: UUID, version: Int?, in values: inout Storage.Values) throws {
        let former = StoredNote(id, in: &values)
        var note = former
        note.receive(
            version.map {
                ServerNote(id: id, title: "Note", text: "", changed: .distantPast, version: "\($0)")
            })
        try note.write(to: &values, replacing: former)
    }
}
