import Foundation
import NotesInterface
import NotesTesting
import RouterServiceInterface
import StorageInterface
import StorageTesting
import Testing

@testable import NotesImplementation

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct StoredLibraryTests {
    private let session = Session()
    private let tea = Notes.Note(title: "Tea", text: "Green", changed: Date(timeIntervalSince1970: 10))
    private let milk = Notes.Note(title: "Milk", text: "", changed: Date(timeIntervalSince1970: 20))

    private func titles(_ library: StoredLibrary) -> [String] { library.entries.map(\.note.title) }

    private func server(_ note: Notes.Note, _ version: Identifier) -> ServerNote {
        ServerNote(id: note.id, title: note.title, text: note.text, changed: note.changed, version: version)
    }

    @Test func otherSideOfAConflict_thatTheServerHasLost_becomesANoteOfItsOwn() async throws {
        let library = try await session.library(tea)
        try await library.save(Notes.Note(id: tea.id, title: "Mine", text: ""), replacing: tea)
        try await library.receive([
            ServerNote(id: tea.id, title: "Theirs", text: "", changed: tea.changed, version: "2")
        ])
        let versions = NotesAPI.ServerVersions(newest: 1)
        try await library.receive([server(tea, "1")], from: versions)
        #expect(Set(titles(library)) == ["Mine", "Theirs"])
        #expect(library.entry(tea.id)?.status == .conflict(theirs: server(tea, "1").note))
        try await library.receive([server(tea, "1")], from: versions)
        #expect(library.entries.count == 2, "once")
    }

    @Test func savedNotes_areStoredUnsent_newestFirst_andWakeTheSynchroniser() async throws {
        let library = try await session.library()
        try await library.save(tea, replacing: nil)
        try await library.save(milk, replacing: nil)
        #expect(titles(library) == ["Milk", "Tea"])
        #expect(library.unsentCount == 2 && library.outbox.map(\.id) == [tea.id, milk.id])
        #expect(session.synchronizer.requests == [false, false])
        let later = Session(stores: session.stores)
        #expect(try await titles(later.library()) == ["Milk", "Tea"], "another program finds them")
    }

    @Test func draft_isStoredWhileItIsTyped_andIsThereAgain_untilItIsSaved() async throws {
        let library = try await session.library()
        library.keep(Notes.Draft(title: "Te", text: "", original: nil), of: tea.id)
        library.keep(Notes.Draft(title: "Tea", text: "", original: nil), of: tea.id)
        #expect(library.entry(tea.id)?.draft?.title == "Tea", "at once")
        #expect(await session.pauses.end() == [StoredLibrary.draftDuration])
        await eventually { library.draftCount == 1 }
        #expect(library.entries.map(\.status) == [.draft] && library.outbox.isEmpty)
        let later = try await Session(stores: session.stores).library()
        #expect(later.entry(tea.id)?.note.title == "Tea" && later.entry(tea.id)?.status == .draft)
        try await later.save(tea, replacing: nil)
        #expect(later.draftCount == 0 && later.entries.map(\.status) == [.unsent(refusal: nil)])
        #expect(try await Session(stores: session.stores).library().draftCount == 0)
    }

    /// The notes of the next library are read while this one goes on writing.
    @Test func whatIsStored_whileTheModuleIsReplaced_isInTheNextLibrary() async throws {
        let library = try await session.library()
        let next = try await Session(stores: session.stores).library()
        library.keep(Notes.Draft(title: "Black tea", text: "", original: nil), of: tea.id)
        await library.storeDrafts()
        try await library.save(milk, replacing: nil)
        #expect(next.entries.isEmpty)
        next.restore(library.savedState)
        #expect(next.entry(tea.id)?.draft?.title == "Black tea" && titles(next) == ["Black tea", "Milk"])
        // Saved by the former one, for which a screen still waited.
        try await library.save(tea, replacing: nil)
        await eventually { titles(next) == ["Milk", "Tea"] }
        await session.pauses.end()
    }

    @Test func draft_isStoredAtOnceWhenTheProgramEnds_andAFailureIsShown() async throws {
        let library = try await session.library()
        session.stores["ann"].failure = .notSaved(path: "log", reason: "No space left on device")
        library.keep(Notes.Draft(title: "Tea", text: "", original: nil), of: tea.id)
        await library.storeDrafts()
        #expect(library.draftProblem?.hasPrefix("What you type is not stored.") == true)
        session.stores["ann"].failure = nil
        await library.storeDrafts()
        #expect(library.draftProblem == nil)
        #expect(try await Session(stores: session.stores).library().draftCount == 1)
        await session.pauses.end()
    }

    @Test func draft_isDeletedWithItsNote_andComesBackWithIt_andASignOutLeavesNone() async throws {
        let library = try await session.library()
        try await library.receive([server(tea, "1")])
        library.keep(Notes.Draft(title: "Black tea", text: "", original: tea), of: tea.id)
        try await library.delete(tea.id)
        #expect(library.entries.isEmpty && library.draftCount == 0)
        try await library.undoDeletion()
        #expect(titles(library) == ["Tea"] && library.entry(tea.id)?.draft?.title == "Black tea")
        try await session.sessions.end("ann")
        await library.storeDrafts()
        #expect(session.stores["ann"].values.encoded.isEmpty)
    }

    @Test func noteThatCannotBeStored_isAnError_andNotThere() async throws {
        let library = try await session.library()
        session.stores["ann"].failure = .notSaved(path: "log", reason: "No space left on device")
        await #expect(throws: Storage.Failure.self) { try await library.save(tea, replacing: nil) }
        #expect(library.entries.isEmpty && session.synchronizer.requests.isEmpty)
    }

    @Test func deletion_isSentAfterFiveSeconds_andIsStoredAtOnce() async throws {
        let library = try await session.library()
        try await library.receive([server(tea, "1")])
        try await library.delete(tea.id)
        #expect(library.entries.isEmpty && library.deleted?.entry?.note.title == "Tea")
        #expect(library.outbox.isEmpty, "it can be undone")
        let later = try await Session(stores: session.stores).library()
        #expect(later.outbox.map(\.change.content) == [.delete], "the program may end before")
        #expect(await session.pauses.end() == [.seconds(5)])
        await eventually { library.deleted == nil }
        #expect(library.outbox.map(\.change.content) == [.delete])
        #expect(session.synchronizer.requests == [false])
        await #expect(throws: Notes.Failure.tooLate) { try await library.undoDeletion() }
    }

    @Test func undo_bringsTheNoteBack_alsoOneThatTheServerHasNotHad() async throws {
        let library = try await session.library()
        try await library.save(tea, replacing: nil)
        try await library.delete(tea.id)
        #expect(library.entries.isEmpty)
        try await library.undoDeletion()
        #expect(titles(library) == ["Tea"] && library.deleted == nil && library.unsentCount == 1)
        await session.pauses.end()
        #expect(titles(library) == ["Tea"])
    }

    @Test func secondDeletion_endsTheTimeOfTheFirst() async throws {
        let library = try await session.library()
        try await library.receive([server(tea, "1"), server(milk, "2")])
        try await library.delete(tea.id)
        try await library.delete(milk.id)
        #expect(library.deleted?.entry?.note.title == "Milk" && library.outbox.map(\.id) == [tea.id])
        try await library.undoDeletion()
        #expect(titles(library) == ["Milk"])
        await session.pauses.end(2)
    }

    @Test func deletionThatCannotBeStored_isAnError_andTheNoteStays() async throws {
        let library = try await session.library()
        try await library.receive([server(tea, "1")])
        session.stores["ann"].failure = .notSaved(path: "log", reason: "No space left on device")
        await #expect(throws: Storage.Failure.self) { try await library.delete(tea.id) }
        #expect(titles(library) == ["Tea"] && library.deleted == nil)
    }

    @Test func bothVersions_areKept_whereTheUserWantsThem() async throws {
        let library = try await session.library()
        try await library.receive([server(tea, "1")])
        var mine = try #require(library.entry(tea.id)).note
        mine.title = "Black tea"
        try await library.save(mine, replacing: library.entry(tea.id)?.note)
        try await library.receive([server(tea, "2")])
        #expect(library.outbox.isEmpty, "the user decides first")
        try await library.resolve(tea.id, by: .keepBoth)
        #expect(Set(titles(library)) == ["Tea", "Black tea"])
        #expect(library.entry(tea.id)?.status == .sent)
        let copy = try #require(library.outbox.first)
        #expect(library.outbox.count == 1 && copy.id != tea.id && copy.change.base == nil)
    }

    @Test func signOut_leavesNothing_andClosesTheLibrary() async throws {
        let library = try await session.library()
        try await library.save(tea, replacing: nil)
        try await session.sessions.end("ann")
        #expect(library.entries.isEmpty && library.unsentCount == 0 && library.outbox.isEmpty)
        #expect(session.stores["ann"].values.encoded.isEmpty)
        await #expect(throws: Notes.Failure.closed) { try await library.save(milk, replacing: nil) }
        // Also where the same user signs in again.
        #expect(try await session.library().entries.isEmpty)
        #expect(library.entries.isEmpty)
        await #expect(throws: Notes.Failure.closed) { try await library.receive([server(tea, "1")]) }
    }

    @Test func notesOfTheSameSecond_areInTheOrderOfTheirVersions() async throws {
        let library = try await session.library()
        let notes = (1...20).map { version in
            ServerNote(id: UUID(), title: "\(version)", text: "", changed: tea.changed, version: "\(version)")
        }
        try await library.receive(notes.shuffled())
        #expect(titles(library) == (1...20).reversed().map { "\($0)" })
    }

    @Test func tenThousandNotes_areSorted() async throws {
        let library = try await session.library()
        let notes = (0..<10_000).map { index in
            ServerNote(
                id: UUID(), title: "\(index)", text: "", changed: Date(timeIntervalSince1970: Double(index)),
                version: "\(index)")
        }
        try await library.receive(notes)
        #expect(library.entries.count == 10_000 && library.entries.first?.note.title == "9999")
        let again = try await Session(stores: session.stores).library()
        #expect(again.entries == library.entries)
    }
}
