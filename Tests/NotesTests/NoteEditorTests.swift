import DisplayInterface
import DisplayTesting
import Foundation
import NotesInterface
import NotesTesting
import RouterServiceInterface
import RouterServiceTesting
import StorageInterface
import StorageTesting
import Testing

@testable import NotesImplementation

/// The editor over the notes of a session: what is typed, what is shown, and where it leads.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct NoteEditorTests {
    private let tea = Notes.Note.sent("Tea", "Green", version: "3")
    private let terminal = FakeTerminal()
    private let session = Session()
    private let recorder = RecordingContext<Notes.Editor>()

    private func interactor(
        _ id: UUID?, title: String = "", in library: StoredLibrary
    ) -> NoteEditorInteractor {
        NoteEditorInteractor(id: id, title: title, library: library, synchronizer: session.synchronizer)
    }

    private func editor(_ id: UUID?, title: String = "", in library: StoredLibrary) -> NoteEditorPresenter {
        NoteEditorPresenter(
            interactor: interactor(id, title: title, in: library), library: library,
            context: recorder.context, dialog: terminal)
    }

    /// What the server has instead of the tea.
    private var cocoa: ServerNote {
        ServerNote(Notes.Note(id: tea.id, title: "Cocoa", text: "", changed: tea.changed), "4", after: "3")
    }

    // What is typed.

    @Test func whatWasTyped_isSaved_andTheOutput() async throws {
        let library = try await session.library(tea)
        let editor = editor(tea.id, in: library)
        #expect(editor.mode == .form)
        #expect(editor.title == "Tea")
        #expect(editor.canDelete)
        editor.type(title: "Black tea")
        try await editor.save()
        let saved = try #require(recorder.outputs.first)
        #expect(recorder.outputs.count == 1)
        #expect(saved.id == tea.id)
        #expect(saved.title == "Black tea")
        #expect(saved.text == "Green")
        #expect(library.unsentChanges.map(\.base) == ["3"])
        #expect(terminal.notices == ["Saved"])
    }

    @Test func newNote_hasOneIdentifier_alsoWhereSavingFails() async throws {
        let library = try await session.library()
        let editor = editor(nil, in: library)
        #expect(editor.mode == .form)
        #expect(!editor.canDelete)
        editor.type(title: "Tea")
        let failure = Storage.Failure.notSaved(path: "user-ann", reason: "No space left on device")
        session.stores["ann"].failure = failure
        await #expect(throws: failure) { try await editor.save() }
        #expect(recorder.outputs.isEmpty)
        #expect(editor.title == "Tea")
        session.stores["ann"].failure = nil
        try await editor.save()
        #expect(library.notes.map(\.id) == recorder.outputs.map(\.id))
        #expect(library.unsentChanges.map(\.base) == [nil])
    }

    @Test func noteWithoutATitle_isNotSaved() async throws {
        let editor = editor(nil, in: try await session.library())
        editor.type(text: "Green")
        editor.type(title: " ")
        await #expect(throws: Notes.Failure.missingTitle) { try await editor.save() }
    }

    @Test func editorOfAnotherUser_takesNoText_andSaysWhy() async throws {
        let library = try await session.library()
        let editor = editor(nil, in: library)
        editor.type(title: "Tea")
        session.author.id = "bob"
        try await editor.appear()
        let content = NoteEditorView(presenter: editor).content
        #expect(content.texts == ["The notes of ann are closed, because ann is not signed in."])
        #expect(content.labels.isEmpty)
        #expect(content.choices == ["All notes"])
        session.author.id = "ann"
        #expect(editor.title == "Tea")
    }

    @Test func noteThatWasNotChanged_isTheOutput_withoutBeingSaved() async throws {
        let library = try await session.library(tea)
        let editor = editor(tea.id, in: library)
        editor.type(text: "x")
        editor.type(text: "Green")
        try await editor.save()
        #expect(library.outbox.isEmpty)
        #expect(recorder.outputs == [tea])
        #expect(terminal.notices.isEmpty)
    }

    @Test func userWhoLeaves_isNotAsked_andReadsThatTheTextIsKept() async throws {
        let editor = editor(nil, in: try await session.library())
        #expect(await editor.mayBeLeft())
        #expect(terminal.notices.isEmpty)
        session.stores["ann"].failure = .notSaved(path: "user-ann", reason: "No space left on device")
        editor.type(title: "Tea")
        #expect(await editor.mayBeLeft())
        #expect(terminal.notices.isEmpty)
        #expect(editor.problem?.contains("No space left on device") == true)
        session.stores["ann"].failure = nil
        #expect(await editor.mayBeLeft())
        #expect(terminal.questions.isEmpty)
        #expect(terminal.notices == ["Your text is kept as a draft"])
        #expect(session.stores["ann"].drafts == ["Tea"])
    }

    @Test func whatWasTyped_isOfferedToTheNextEditor_whateverHappensToTheNote() async throws {
        let library = try await session.library(tea)
        editor(tea.id, in: library).type(title: "Black tea")
        try await library.receive([cocoa])
        let next = editor(tea.id, in: library)
        #expect(next.mode == .form)
        #expect(next.title == "Black tea")
        #expect(next.text == "Green")
        #expect(next.hasDraft)
        next.type(text: "Hot")
        #expect(library.note(tea.id)?.draft?.original == tea)
        try await next.discard()
        #expect(next.title == "Cocoa")
        #expect(!next.hasDraft)
        #expect(recorder.dismissals == 1)
    }

    @Test func newNote_isRestoredWithItsDraft() async throws {
        let library = try await session.library(tea)
        let first = interactor(nil, in: library)
        #expect(first.savedState == nil)
        first.change { $0.title = "Milk" }
        let next = interactor(nil, in: library)
        #expect(next.draft == nil)
        next.restore(first.savedState)
        #expect(next.draft?.title == "Milk")
        #expect(NoteEditorInteractor.stateScope == .file)
        let other = interactor(tea.id, in: library)
        other.change { $0.title = "Black tea" }
        #expect(other.savedState == nil)
    }

    @Test func titleOfTheRoute_isNoDraft_untilSomethingElseIsTyped() async throws {
        let library = try await session.library(tea)
        let proposed = "Milk\n\u{1B}[31m" + String(repeating: "x", count: 300)
        let editor = editor(nil, title: proposed, in: library)
        #expect(editor.title.hasPrefix("Milk �[31mxx"))
        #expect(editor.title.unicodeScalars.count == 200)
        #expect(!editor.hasDraft)
        editor.type(title: "")
        #expect(editor.title.isEmpty)
        #expect(!editor.hasDraft)

        let other = self.editor(nil, title: "Milk", in: library)
        other.type(text: "Cold")
        #expect(other.title == "Milk")
        #expect(other.hasDraft)
        try await self.editor(nil, title: "Coffee", in: library).save()
        #expect(recorder.outputs.map(\.title) == ["Coffee"])
        #expect(self.editor(tea.id, title: "Milk", in: library).title == "Tea")
    }

    @Test func draftOfANewNote_isOpened_andSavedAsANewNote() async throws {
        let library = try await session.library()
        let id = UUID()
        library.keep(Notes.Draft(title: "Milk", text: "", original: nil), of: id)
        let editor = editor(id, in: library)
        #expect(editor.mode == .form)
        #expect(editor.title == "Milk")
        editor.type(text: "Cold")
        try await editor.save()
        #expect(recorder.outputs.map(\.text) == ["Cold"])
        #expect(library.unsentChanges.map(\.base) == [nil])
    }

    // Notes that are not known, deleted, or in conflict.

    @Test func noteThatIsNotKnown_isReadFromTheServer() async throws {
        let library = try await session.library()
        let editor = editor(tea.id, in: library)
        #expect(editor.mode == .loading, "it has not begun to load")
        session.synchronizer.response = {
            #expect(editor.mode == .loading)
            #expect(NoteEditorView(presenter: editor).content.progress == ["Loading the note"])
        }
        await #expect(throws: Notes.Failure.unknownNote(nil)) { try await editor.appear() }
        #expect(editor.mode == .missing)
        #expect(NoteEditorView(presenter: editor).content.choices == ["Try again", "All notes"])
        try await library.receive([cocoa])
        try await editor.appear()
        #expect(editor.mode == .form)
        #expect(session.synchronizer.requests == [false])
    }

    @Test func knownNote_thatIsDeletedElsewhere_isMissing() async throws {
        let library = try await session.library(tea)
        let editor = editor(tea.id, in: library)
        try await editor.appear()
        try await library.delete(tea.id)
        #expect(editor.mode == .missing)
    }

    @Test(arguments: [
        (Notes.SyncState.idle, "There is no such note."), (.signedOut, "Sign in"),
        (.offline(reason: "No."), "This note is not stored here. No."),
    ])
    func noteThatCannotBeRead_isExplained(state: Notes.SyncState, reason: String) async throws {
        let interactor = interactor(tea.id, in: try await session.library())
        session.synchronizer.state = state
        await #expect { try await interactor.load() } throws: { $0.localizedDescription.contains(reason) }
    }

    @Test func deletion_isAskedAbout_andLeaves() async throws {
        let library = try await session.library(tea)
        let editor = editor(tea.id, in: library)
        terminal.answer = false
        try await editor.delete()
        #expect(terminal.questions == ["Delete 'Tea'?"])
        #expect(recorder.dismissals == 0)
        #expect(library.notes.count == 1)
        terminal.answer = true
        try await editor.delete()
        #expect(recorder.dismissals == 1)
        #expect(library.notes.isEmpty)
    }

    @Test func conflict_isShownWithBothVersions_andTheUserChooses() async throws {
        let library = try await session.library(tea)
        let mine = Notes.Note(id: tea.id, title: "Black tea", text: "Hot", version: "3")
        try await library.save(mine, replacing: tea)
        try await library.receive([cocoa])
        let editor = editor(tea.id, in: library)
        let content = NoteEditorView(presenter: editor).content
        #expect(content.texts.contains("Black tea\nHot"))
        #expect(content.texts.contains("Cocoa"))
        #expect(content.choices == ["Keep yours", "Keep the other version", "Keep both", "All notes"])
        try await content.press("Keep the other version")
        #expect(recorder.outputs.map(\.title) == ["Cocoa"])
    }

    @Test func conflictWithADeletion_canLeaveNothing() async throws {
        let library = try await session.library(tea)
        try await library.save(
            Notes.Note(id: tea.id, title: "Black tea", text: "", version: "3"), replacing: tea)
        try await library.receive([], deleted: [ServerDeletion(id: tea.id, former: ["3"])])
        let content = NoteEditorView(presenter: editor(tea.id, in: library)).content
        #expect(content.choices == ["Keep yours", "Delete it here too", "All notes"])
        try await content.press("Delete it here too")
        #expect(recorder.outputs.isEmpty)
        #expect(recorder.dismissals == 1)
        #expect(library.notes.isEmpty)
    }

    // The view, and the scene as its builder creates it.

    @Test func form_offersWhatCanBeDone() async throws {
        let library = try await session.library(tea)
        let view = NoteEditorView(presenter: editor(tea.id, in: library))
        #expect(view.content.title == "Edit note")
        #expect(view.content.labels == ["Title", "Text"])
        #expect(view.content.choices == ["Save", "Delete", "All notes"])
        session.stores["ann"].failure = .notSaved(path: "user-ann", reason: "No space left on device")
        try view.content.type("x", into: "Title")
        #expect(view.content.choices == ["Save", "Discard the changes", "Delete", "All notes"])
        await library.storeDrafts()
        #expect(view.content.errors.count == 1)
        let new = NoteEditorView(presenter: editor(nil, in: library)).content
        #expect(new.title == "New note")
        #expect(new.choices == ["Save", "All notes"])
    }

    @Test func feature_savesIntoTheLibrary_andFinishes() async throws {
        let library = try await session.library(tea)
        let feature = NoteEditorFeature(
            library: library, synchronizer: session.synchronizer, dialog: terminal)
        let screen = try feature.build(Notes.Editor(id: tea.id), in: recorder.context).contentScreen()
        try await screen.appears()
        #expect(recorder.leaveConfirmation != nil)
        #expect(recorder.keptModel is NoteEditorInteractor)
        try screen.content().type("Black", into: "Text")
        try await screen.content().press("Save")
        #expect(recorder.outputs.map(\.text) == ["Black"])
        #expect(library.unsentChanges.first?.base == "3")
        try await screen.content().press("All notes")
        #expect(recorder.router.dismissals == [TypeKey(Notes.List.self)])
        try await screen.content().press("Delete")
        #expect(recorder.dismissals == 1)
        #expect(library.notes.isEmpty)
    }
}
