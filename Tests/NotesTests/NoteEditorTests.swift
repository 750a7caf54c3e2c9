import DisplayInterface
import DisplayTesting
import Foundation
import NotesInterface
import NotesTesting
import RouterServiceInterface
import RouterServiceTesting
import Testing

@testable import NotesImplementation

/// The roles of the editor, each alone, and then all of them as the feature puts them together.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct NoteEditorTests {
    private let tea = Notes.Note.sent("Tea", "Green", version: "3")
    private let theirs = Notes.Note.sent("Cocoa", version: "4")
    private let terminal = FakeTerminal()
    private let interactor = PlayedEditorInteractor()
    private let wireframe = PlayedEditorWireframe()

    private func presenter(_ id: UUID?, title: String = "") -> NoteEditorPresenter {
        NoteEditorPresenter(
            id: id, title: title, interactor: interactor, wireframe: wireframe, dialog: terminal)
    }

    // The presenter, between an interactor and a wireframe that a test plays.

    @Test func presenter_savesWhatWasTyped_andFinishesWithIt() async throws {
        interactor.entries[tea.id] = Notes.Entry(note: tea, status: .sent)
        let presenter = presenter(tea.id)
        #expect(presenter.mode == .form && presenter.title == "Tea" && presenter.canDelete)
        presenter.type(title: "Black tea")
        try await presenter.save()
        let (saved, original) = try #require(interactor.saved.first)
        #expect(saved.id == tea.id && saved.title == "Black tea" && saved.text == "Green")
        #expect(original == tea && wireframe.finished == [saved] && terminal.notices == ["Saved"])
    }

    @Test func presenter_makesTheIdOfANewNote_once() async throws {
        let presenter = presenter(nil)
        #expect(presenter.mode == .form && !presenter.canDelete)
        presenter.type(title: "Tea")
        interactor.failure = Notes.Failure.closed
        await #expect(throws: Notes.Failure.closed) { try await presenter.save() }
        #expect(wireframe.finished.isEmpty && presenter.title == "Tea")
        interactor.failure = nil
        try await presenter.save()
        #expect(Set(interactor.asked).count == 1 && interactor.saved.first?.original == nil)
    }

    @Test func presenter_asksForATitle() async {
        let presenter = presenter(nil)
        presenter.type(text: "Green")
        presenter.type(title: " ")
        await #expect { try await presenter.save() } throws: { $0.localizedDescription == "Type a title." }
    }

    @Test func presenter_finishesWithANoteThatWasNotChanged_withoutSaving() async throws {
        interactor.entries[tea.id] = Notes.Entry(note: tea, status: .sent)
        let presenter = presenter(tea.id)
        presenter.type(text: "x")
        presenter.type(text: "Green")
        try await presenter.save()
        #expect(interactor.saved.isEmpty && wireframe.finished == [tea])
    }

    @Test func presenter_savesAChangeOfTheNormalisationAlone() async throws {
        let note = Notes.Note.sent("Caf\u{E9}", version: "3")
        interactor.entries[note.id] = Notes.Entry(note: note, status: .sent)
        let presenter = presenter(note.id)
        presenter.type(title: "Cafe\u{301}")
        #expect(presenter.hasDraft)
        try await presenter.save()
        #expect(
            interactor.saved.map { Array($0.note.title.unicodeScalars) } == [
                Array("Cafe\u{301}".unicodeScalars)
            ])
    }

    @Test func presenter_saysThatTypedTextIsKept_whereTheUserLeaves() async {
        let presenter = presenter(nil)
        #expect(await presenter.mayBeLeft() && terminal.notices.isEmpty)
        presenter.type(title: "Tea")
        #expect(await presenter.mayBeLeft())
        #expect(terminal.questions.isEmpty && terminal.notices == ["Your text is kept as a draft"])
        #expect(interactor.stored.values.map(\.title) == ["Tea"])
    }

    @Test func presenter_offersWhatWasTyped_alsoToTheNextOne_whateverHappensToTheNote() async throws {
        interactor.entries[tea.id] = Notes.Entry(note: tea, status: .sent)
        presenter(tea.id).type(title: "Black tea")
        interactor.entries[tea.id] = Notes.Entry(note: theirs, status: .sent)
        let next = presenter(tea.id)
        #expect(next.mode == .form && next.title == "Black tea" && next.text == "Green" && next.hasDraft)
        next.type(text: "Hot")
        #expect(interactor.drafts[tea.id]?.original == tea && next.savedState == nil)
        try await next.discard()
        #expect(next.title == "Cocoa" && !next.hasDraft && wireframe.closings == 1)
    }

    @Test func presenter_ofANewNote_isRestoredWithItsDraft() throws {
        let first = presenter(nil)
        #expect(first.savedState == nil)
        first.type(title: "Tea")
        let next = presenter(nil)
        #expect(next.title.isEmpty)
        next.restore(first.savedState)
        #expect(next.title == "Tea" && NoteEditorPresenter.stateScope == .file)
    }

    @Test func presenter_beginsWithATitle_whichIsNoDraft_untilSomethingElseIsTyped() async throws {
        let proposed = "Milk\n\u{1B}[31m" + String(repeating: "x", count: 300)
        let presenter = presenter(nil, title: proposed)
        #expect(presenter.title.hasPrefix("Milk �[31mxx") && presenter.title.unicodeScalars.count == 200)
        #expect(!presenter.hasDraft && presenter.savedState == nil && interactor.drafts.isEmpty)
        presenter.type(title: "")
        #expect(presenter.title.isEmpty && !presenter.hasDraft)

        let other = self.presenter(nil, title: "Milk")
        other.type(text: "Cold")
        #expect(other.title == "Milk" && interactor.drafts.values.map(\.title) == ["Milk"])
        let saved = self.presenter(nil, title: "Tea")
        try await saved.save()
        #expect(interactor.saved.map(\.note.title) == ["Tea"] && wireframe.finished.map(\.title) == ["Tea"])
        // A note that exists has its own title.
        interactor.entries[tea.id] = Notes.Entry(note: tea, status: .sent)
        #expect(self.presenter(tea.id, title: "Milk").title == "Tea")
    }

    @Test func presenter_opensTheDraftOfANewNote_andSavesIt() async throws {
        let id = UUID()
        interactor.drafts[id] = Notes.Draft(title: "Milk", text: "", original: nil)
        let presenter = presenter(id)
        #expect(presenter.mode == .form && presenter.title == "Milk")
        presenter.type(text: "Cold")
        try await presenter.save()
        #expect(interactor.saved.first?.original == nil && interactor.saved.first?.note.text == "Cold")
    }

    @Test func presenter_readsANoteThatIsNotKnown() async throws {
        let presenter = presenter(tea.id)
        interactor.failure = Notes.Failure.gone
        await #expect(throws: Notes.Failure.gone) { try await presenter.appear() }
        #expect(presenter.mode == .missing)
        interactor.failure = nil
        interactor.onLoad = { [interactor, tea] in
            #expect(presenter.mode == .loading)
            interactor.entries[tea.id] = Notes.Entry(note: tea, status: .sent)
        }
        try await presenter.appear()
        try await presenter.appear()
        #expect(presenter.mode == .form && interactor.loads == 2)
    }

    @Test func presenter_deletes_andLeavesWithoutAsking() async throws {
        interactor.entries[tea.id] = Notes.Entry(note: tea, status: .sent)
        let presenter = presenter(tea.id)
        presenter.type(title: "x")
        try await presenter.delete()
        #expect(wireframe.closings == 1 && interactor.entries.isEmpty)
    }

    @Test func presenter_letsTheUserChoose_andLeavesWhereNothingIsLeft() async throws {
        interactor.entries[tea.id] = Notes.Entry(note: tea, status: .conflict(theirs: nil))
        let presenter = presenter(tea.id)
        #expect(presenter.mode == .conflict(mine: tea, theirs: nil))
        try await presenter.choose(.keepMine)
        #expect(interactor.choices == [.keepMine] && wireframe.finished == [tea])
        interactor.entries[tea.id] = nil
        try await presenter.choose(.keepTheirs)
        #expect(wireframe.closings == 1)
    }

    // The view, of a presenter that a test plays.

    @Test func view_showsTheForm_andHandsOnWhatTheUserDoes() async throws {
        let played = PlayedEditorPresenter()
        let content = NoteEditorView(presenter: played).content
        #expect(content.title == "Edit note" && content.labels == ["Title", "Text"])
        #expect(content.choices == ["Save", "Delete", "All notes"])
        try content.type("x", into: "Title")
        try content.type("y\nz", into: "Text")
        for choice in content.choices { try await content.press(choice) }
        #expect(played.calls == ["title x", "text y\nz", "save", "delete", "showAll"])
        (played.canDelete, played.hasDraft, played.problem) = (false, true, "Not stored.")
        let new = NoteEditorView(presenter: played).content
        #expect(new.choices == ["Save", "Discard the changes", "All notes"] && new.errors == ["Not stored."])
        try await new.press("Discard the changes")
        #expect(played.calls.last == "discard")
    }

    @Test func view_showsBothVersions_andTheChoices() async throws {
        let played = PlayedEditorPresenter()
        played.mode = .conflict(mine: tea, theirs: theirs)
        let content = NoteEditorView(presenter: played).content
        #expect(content.texts.contains("Tea\nGreen") && content.texts.contains("Cocoa"))
        for choice in content.choices.prefix(3) { try await content.press(choice) }
        #expect(played.calls == ["keepMine", "keepTheirs", "keepBoth"])
        played.mode = .conflict(mine: tea, theirs: nil)
        #expect(
            NoteEditorView(presenter: played).content.choices == [
                "Keep yours", "Delete it here too", "All notes",
            ])
    }

    @Test func view_showsThatANoteIsRead_orCannotBe() {
        let played = PlayedEditorPresenter()
        played.mode = .loading
        #expect(NoteEditorView(presenter: played).content.progress == ["Loading the note"])
        played.mode = .missing
        #expect(NoteEditorView(presenter: played).content.choices == ["Try again", "All notes"])
    }

    // The interactor, with fakes of the services.

    @Test(arguments: [
        (Notes.SyncState.idle, "There is no such note."), (.signedOut, "Sign in"),
        (.offline(reason: "No."), "This note is not stored here. No."),
    ])
    func interactor_saysWhyANoteCannotBeRead(state: Notes.SyncState, reason: String) async throws {
        let synchronizer = FakeSynchronizer()
        synchronizer.state = state
        let interactor = NoteEditorInteractor(
            library: try await Session().library(), synchronizer: synchronizer)
        await #expect { try await interactor.load(tea.id) } throws: {
            $0.localizedDescription.contains(reason)
        }
    }

    @Test func interactor_asksTheServer() async throws {
        let session = Session()
        let library = try await session.library(tea)
        let interactor = NoteEditorInteractor(library: library, synchronizer: session.synchronizer)
        try await interactor.load(tea.id)
        #expect(interactor.entry(tea.id)?.note == tea && session.synchronizer.requests == [false])
    }

    // All of them, and the wireframe over a router.

    @Test func feature_savesIntoTheLibrary_andFinishes() async throws {
        let session = Session()
        let library = try await session.library(tea)
        let recorder = RecordingContext<Notes.Editor>()
        let feature = NoteEditorFeature(
            library: library, synchronizer: session.synchronizer, dialog: terminal)
        let screen = try feature.build(Notes.Editor(id: tea.id), in: recorder.context).contentScreen()
        try await screen.appears()
        #expect(recorder.leaveConfirmation != nil && recorder.keptModel is NoteEditorPresenter)
        try screen.content().type("Black", into: "Text")
        try await screen.content().press("Save")
        #expect(recorder.outputs.map(\.text) == ["Black"] && library.outbox.first?.change.base == "3")
        try await screen.content().press("All notes")
        #expect(recorder.router.dismissals == [TypeName(Notes.List.self)])
        try await screen.content().press("Delete")
        #expect(recorder.dismissals == 1 && library.entries.isEmpty)
    }
}

/// Notes as a test sets them.
@MainActor
private final class PlayedEditorInteractor: NoteEditorInteracting {
    var entries: [UUID: Notes.Entry] = [:]
    var drafts: [UUID: Notes.Draft] = [:]
    var draftProblem: String?
    var failure: (any Error)?
    var onLoad: @MainActor () -> Void = {}
    private(set) var stored: [UUID: Notes.Draft] = [:]
    private(set) var loads = 0
    private(set) var asked: [UUID] = []
    private(set) var saved: [(note: Notes.Note, original: Notes.Note?)] = []
    private(set) var choices: [Notes.Choice] = []

    func entry(_ id: UUID) -> Notes.Entry? {
        guard let draft = drafts[id] else { return entries[id] }
        let note = Notes.Note(id: id, title: draft.title, text: draft.text)
        var entry = entries[id] ?? Notes.Entry(note: note, status: .draft)
        entry.draft = draft
        return entry
    }

    func keep(_ draft: Notes.Draft?, of id: UUID) { drafts[id] = draft }
    func storeDrafts() async { stored = drafts }

    func load(_ id: UUID) async throws {
        loads += 1
        if let failure { throw failure }
        onLoad()
    }

    func save(_ note: Notes.Note, replacing original: Notes.Note?) async throws {
        asked.append(note.id)
        if let failure { throw failure }
        saved.append((note, original))
    }

    func delete(_ id: UUID) async throws { entries[id] = nil }
    func resolve(_ id: UUID, by choice: Notes.Choice) async throws { choices.append(choice) }
}

/// Navigation as a test watches it.
@MainActor
private final class PlayedEditorWireframe: NoteEditorWireframe {
    private(set) var finished: [Notes.Note] = []
    private(set) var closings = 0

    func finish(_ note: Notes.Note) throws { finished.append(note) }
    func close() async throws { closings += 1 }
    func showAll() async throws {}
}

/// The state of a view, as a test sets it.
@MainActor
private final class PlayedEditorPresenter: NoteEditorPresenting {
    var mode = NoteEditorMode.form
    var title = "Tea"
    var text = "Green"
    var canDelete = true
    var hasDraft = false
    var problem: String?
    private(set) var calls: [String] = []

    func appear() async throws { calls.append("appear") }
    func type(title: String) { calls.append("title \(title)") }
    func type(text: String) { calls.append("text \(text)") }
    func save() async throws { calls.append("save") }
    func discard() async throws { calls.append("discard") }
    func delete() async throws { calls.append("delete") }
    func choose(_ choice: Notes.Choice) async throws { calls.append("\(choice)") }
    func showAll() async throws { calls.append("showAll") }
}
