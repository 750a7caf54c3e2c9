import DisplayInterface
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

    /// Waits until a write has begun, which another thread makes.
    private func begins(_ writing: DispatchSemaphore) async {
        await withCheckedContinuation { isWriting in
            Thread.detachNewThread {
                writing.wait()
                isWriting.resume()
            }
        }
    }

    @Test func savedNotes_areStoredUnsent_newestFirst_andWakeTheSynchroniser() async throws {
        let library = try await session.library()
        try await library.save(tea, replacing: nil)
        try await library.save(milk, replacing: nil)
        #expect(library.titles == ["Milk", "Tea"])
        #expect(library.unsentCount == 2)
        #expect(library.outbox == [tea.id, milk.id])
        #expect(session.synchronizer.requests == [false, false])
        let later = Session(stores: session.stores)
        #expect(try await later.library().titles == ["Milk", "Tea"], "another program finds them")
    }

    @Test func draft_isStoredWhileItIsTyped_andIsThereAgain_untilItIsSaved() async throws {
        let library = try await session.library()
        library.keep(Notes.Draft(title: "Te", text: "", original: nil), of: tea.id)
        library.keep(Notes.Draft(title: "Tea", text: "", original: nil), of: tea.id)
        #expect(library.note(tea.id)?.draft?.title == "Tea", "at once")
        #expect(library.notes.map(\.status) == [.draft])
        #expect(library.draftCount == 1)
        library.keep(Notes.Draft(title: "Milk", text: "", original: nil), of: milk.id)
        #expect(library.titles == ["Milk", "Tea"], "the draft that was begun last is the first")
        library.keep(nil, of: milk.id)
        await eventually { session.stores["ann"].drafts == ["Tea"] }
        #expect(library.outbox.isEmpty)
        let later = try await Session(stores: session.stores).library()
        #expect(later.note(tea.id)?.note.title == "Tea")
        #expect(later.note(tea.id)?.status == .draft)
        try await later.save(Notes.Note(id: tea.id, title: "Tea", text: ""), replacing: nil)
        #expect(later.draftCount == 0)
        #expect(later.notes.map(\.status) == [.unsent])
        await eventually { session.stores["ann"].drafts.isEmpty }
    }

    /// The note is stored before its draft is removed.
    @Test func draftOfASavedNote_thatAKilledProgramLeft_isNoDraft() async throws {
        let library = try await session.library()
        library.keep(Notes.Draft(title: "Tea", text: "Green", original: nil), of: tea.id)
        await library.storeDrafts()
        let drafts = session.stores["ann"].values
        try await library.save(tea, replacing: nil)
        await library.storeDrafts()
        session.stores["ann"].values.merge(drafts) { $1 }
        let later = try await Session(stores: session.stores).library()
        #expect(later.notes.map(\.status) == [.unsent])
        #expect(later.draftCount == 0)
        // It does not come back when the note is something else.
        await eventually { session.stores["ann"].drafts.isEmpty }
    }

    @Test func textThatIsTyped_whileTheNoteIsBeingSaved_staysADraft() async throws {
        let library = try await session.library(tea)
        let typed = Notes.Draft(title: "Tea", text: "Green, hot", original: tea)
        library.keep(Notes.Draft(title: "Tea", text: "Green, cold", original: tea), of: tea.id)
        await library.storeDrafts()
        let saved = Notes.Note(id: tea.id, title: "Tea", text: "Green, cold", version: "1")
        let (writing, slow) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        session.stores["ann"].beforeWrite = { _ in
            writing.signal()
            slow.wait()
        }
        async let saving: Void = library.save(saved, replacing: tea)
        await begins(writing)
        library.keep(typed, of: tea.id)
        session.stores["ann"].beforeWrite = nil
        for _ in 1...9 { slow.signal() }
        try await saving
        #expect(library.note(tea.id)?.note.text == "Green, cold")
        #expect(library.note(tea.id)?.draft?.text == "Green, hot")
    }

    /// A main actor that is busy, a large transaction and a slow disk: the thread that ends the program stores what was typed.
    @Test func draft_isStoredAtOnceByWhoeverEndsTheProgram_whateverElseIsBeingWritten() async throws {
        let library = try await session.library()
        let (writing, slow) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let store = session.stores["ann"]
        store.beforeWrite = { isSynchronized in
            guard isSynchronized else { return }
            writing.signal()
            slow.wait()
        }
        library.keep(Notes.Draft(title: "Te", text: "", original: nil), of: tea.id)
        // The first text is being stored, and waits for the disk.
        await begins(writing)
        library.keep(Notes.Draft(title: "Tea", text: "", original: nil), of: tea.id)
        // The main actor does nothing until the program has ended.
        session.ending.store(within: .milliseconds(500))
        #expect(store.drafts == ["Tea"])
        for _ in 1...4 { slow.signal() }
        store.beforeWrite = nil
        await library.storeDrafts()
        #expect(store.drafts == ["Tea"])
    }

    /// The notes of the next library are read while this one goes on writing.
    @Test func whatIsStored_whileTheModuleIsReplaced_isInTheNextLibrary() async throws {
        let library = try await session.library()
        let next = try await Session(stores: session.stores).library()
        library.keep(Notes.Draft(title: "Black tea", text: "", original: nil), of: tea.id)
        try await library.save(milk, replacing: nil)
        #expect(next.notes.isEmpty)
        // It is being saved by the former library, for which a screen still waits.
        let cocoa = Notes.Note(title: "Cocoa", text: "", changed: Date(timeIntervalSince1970: 30))
        async let saving: Void = library.save(cocoa, replacing: nil)
        next.restore(library.savedState)
        #expect(next.note(tea.id)?.draft?.title == "Black tea", "at once")
        await eventually { next.titles.starts(with: ["Black tea"]) && next.titles.contains("Milk") }
        try await saving
        await library.storeDrafts()
        let last = try await Session(stores: session.stores).library()
        #expect(last.titles == ["Black tea", "Cocoa", "Milk"])
    }

    @Test func failureToStoreADraft_isShown_untilItIsStored() async throws {
        let library = try await session.library()
        session.stores["ann"].failure = .notSaved(path: "user-ann", reason: "No space left on device")
        library.keep(Notes.Draft(title: "Tea", text: "", original: nil), of: tea.id)
        await library.storeDrafts()
        #expect(library.draftProblem?.hasPrefix("What you type is not stored.") == true)
        #expect(session.ending.store().count == 1, "also when the program ends")
        session.stores["ann"].failure = nil
        await library.storeDrafts()
        #expect(library.draftProblem == nil)
        #expect(try await Session(stores: session.stores).library().draftCount == 1)
    }

    @Test func draft_isDeletedWithItsNote_andASignOutLeavesNone() async throws {
        let library = try await session.library(tea, milk)
        for note in [tea, milk] {
            library.keep(Notes.Draft(title: "Typed", text: "", original: note), of: note.id)
        }
        await library.storeDrafts()
        #expect(session.stores["ann"].drafts.count == 2)
        try await library.delete(tea.id)
        #expect(session.stores["ann"].drafts.count == 1, "as soon as the note is deleted")
        #expect(library.titles == ["Milk"])
        #expect(library.draftCount == 1)
        try await session.sessions.end("ann")
        await library.storeDrafts()
        #expect(session.ending.store().isEmpty)
        #expect(session.stores["ann"].values.isEmpty)
    }

    @Test func changeThatCannotBeStored_isAnError_andDidNotHappen() async throws {
        let library = try await session.library(tea)
        session.stores["ann"].failure = .notSaved(path: "user-ann", reason: "No space left on device")
        await #expect(throws: Storage.Failure.self) { try await library.save(milk, replacing: nil) }
        await #expect(throws: Storage.Failure.self) { try await library.delete(tea.id) }
        #expect(library.titles == ["Tea"])
        #expect(session.synchronizer.requests.isEmpty)
    }

    @Test func deletion_isStoredAtOnce_andWakesTheSynchroniser() async throws {
        let library = try await session.library(tea)
        try await library.delete(tea.id)
        #expect(library.notes.isEmpty)
        #expect(library.unsentChanges.map(\.content) == [.delete])
        #expect(session.synchronizer.requests == [false])
        let later = try await Session(stores: session.stores).library()
        #expect(later.unsentChanges.map(\.content) == [.delete], "the program may end before")
        await #expect(throws: Notes.Failure.gone) { try await library.delete(tea.id) }
    }

    @Test func bothVersions_areKept_whereTheUserWantsThem() async throws {
        let library = try await session.library()
        try await library.receive([ServerNote(tea, "1")])
        var mine = try #require(library.note(tea.id)).note
        mine.title = "Black tea"
        try await library.save(mine, replacing: library.note(tea.id)?.note)
        try await library.receive([ServerNote(tea, "2", after: "1")])
        #expect(library.outbox.isEmpty, "the user decides first")
        try await library.resolve(tea.id, by: .keepBoth)
        #expect(Set(library.titles) == ["Tea", "Black tea"])
        #expect(library.note(tea.id)?.status == .sent)
        let copy = try #require(library.outbox.first)
        #expect(library.outbox.count == 1)
        #expect(copy != tea.id)
        #expect(library.sendable(copy)?.base == nil)
    }

    @Test func conflict_whoseNoteTheServerHasLost_keepsBothSides_untilTheUserDecides() async throws {
        let library = try await session.library(tea)
        try await library.save(Notes.Note(id: tea.id, title: "Mine", text: ""), replacing: tea)
        let theirs = ServerNote(Notes.Note(id: tea.id, title: "Theirs", text: ""), "2", after: "1")
        try await library.receive([theirs])
        #expect(try await !library.sendAgain([tea.id]))
        #expect(library.note(tea.id)?.status == .conflict(theirs: theirs.note))
        try await library.resolve(tea.id, by: .keepMine)
        #expect(try await library.sendAgain([tea.id]))
        #expect(library.unsentChanges.map(\.base) == [nil])
        #expect(try await !library.sendAgain([tea.id]), "once")
    }

    @Test func signOut_leavesNothing_andClosesTheLibrary() async throws {
        let library = try await session.library()
        try await library.save(tea, replacing: nil)
        try await session.sessions.end("ann")
        #expect(library.notes.isEmpty)
        #expect(library.unsentCount == 0)
        #expect(library.outbox.isEmpty)
        #expect(session.stores["ann"].values.isEmpty)
        await #expect(throws: Notes.Failure.closed) { try await library.save(milk, replacing: nil) }
        // Also where the same user signs in again.
        #expect(try await session.library().notes.isEmpty)
        #expect(library.notes.isEmpty)
        await #expect(throws: Notes.Failure.closed) { try await library.receive([ServerNote(tea, "1")]) }
    }

    @Test func tenThousandNotes_areSorted() async throws {
        let library = try await session.library()
        let notes = (0..<10_000).map { index in
            ServerNote(
                Notes.Note(
                    title: "\(index)", text: "", changed: Date(timeIntervalSince1970: Double(index))), "1")
        }
        try await library.receive(notes)
        #expect(library.notes.count == 10_000)
        #expect(library.notes.first?.note.title == "9999")
        let again = try await Session(stores: session.stores).library()
        #expect(again.notes == library.notes)
    }
}
