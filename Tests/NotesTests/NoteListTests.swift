import DisplayInterface
import DisplayTesting
import Foundation
import NotesInterface
import NotesTesting
import RouterServiceInterface
import RouterServiceTesting
import Testing

@testable import NotesImplementation

/// The roles of the list, each alone, and then all of them as the feature puts them together.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct NoteListTests {
    private let tea = Notes.Note.sent("Tea", "Green\nor black", version: "2")
    private let milk = Notes.Note.sent("Milk")
    private let selection = NoteSelection()
    private let terminal = FakeTerminal()

    // The presenter, between an interactor and a wireframe that a test plays.

    private func scene(
        _ notes: Notes.Note...
    ) -> (NoteListPresenter, PlayedListInteractor, PlayedListWireframe) {
        let (interactor, wireframe) = (PlayedListInteractor(notes), PlayedListWireframe())
        let presenter = NoteListPresenter(
            interactor: interactor, wireframe: wireframe, selection: selection, dialog: terminal)
        return (presenter, interactor, wireframe)
    }

    @Test func presenter_turnsNotesIntoRows() {
        let (presenter, interactor, _) = scene(tea, milk)
        interactor.notes.append(Notes.ListedNote(note: .sent("New", "\n"), status: .unsent))
        interactor.notes.append(Notes.ListedNote(note: .sent("Two"), status: .conflict(theirs: nil)))
        interactor.notes.append(Notes.ListedNote(note: .sent("", "Typed"), status: .draft))
        interactor.notes[1].draft = Notes.Draft(title: "Cocoa", text: "Cold", original: milk)
        #expect(presenter.rows.map(\.title) == ["Tea", "Cocoa", "New", "Two", "(no title)"])
        #expect(
            presenter.rows.map { [$0.detail ?? ""] + $0.facts.map(\.text) } == [
                ["Green", "1970-01-01"], ["Cold", "draft", "1970-01-01"], ["", "not sent yet", "1970-01-01"],
                ["", "conflict", "1970-01-01"], ["Typed", "draft"],
            ])
        #expect(presenter.rows[3].facts.map(\.role) == [.warning, .muted])
    }

    @Test func presenter_searchesTitlesAndTexts_andLooksAtTheFirstThatIsFound() {
        let (presenter, interactor, _) = scene(tea, milk)
        selection.id = tea.id
        presenter.search("MIL")
        #expect(presenter.rows.map(\.id) == [milk.id])
        #expect(selection.id == milk.id)
        presenter.search("black green")
        #expect(presenter.rows.map(\.id) == [tea.id])
        presenter.search("coffee")
        #expect(presenter.rows.isEmpty)
        #expect(selection.id == nil)
        #expect(presenter.query == "coffee")
        interactor.notes.append(Notes.ListedNote(note: .sent("Coffee"), status: .sent))
        #expect(presenter.rows.count == 1, "what is new is searched too")
        interactor.notes[0].draft = Notes.Draft(title: "Cocoa", text: "", original: tea)
        presenter.search("cocoa")
        #expect(presenter.rows.map(\.id) == [tea.id], "and what is typed")
    }

    @Test func presenter_keepsWhatWasFound_untilSomethingChanges() {
        let (presenter, interactor, _) = scene(tea, milk)
        presenter.search("tea")
        let reads = interactor.reads
        for _ in 1...100 { _ = presenter.rows[0] }
        #expect(interactor.reads == reads)
    }

    @Test(
        arguments: [
            (.idle, 0, nil), (.running, 0, nil), (.failed(reason: "Nonsense."), 0, nil),
            (.offline(reason: "No."), 0, "Offline. No. What you see is stored here."),
            (
                .offline(reason: "No."), 1,
                "Offline. No. What you see is stored here; one change is sent later."
            ),
            (
                .signedOut, 2,
                "You are not signed in. These are the notes of ann. What you see is stored here; 2 changes are sent "
                    + "later."
            ),
        ] as [(Notes.SyncState, Int, String?)])
    func presenter_saysHowFarTheListCanBeReliedOn(state: Notes.SyncState, unsent: Int, remark: String?) {
        let (presenter, interactor, _) = scene(tea)
        (interactor.syncState, interactor.unsentCount) = (state, unsent)
        #expect(presenter.offline == remark)
        #expect(presenter.problem == (state == .failed(reason: "Nonsense.") ? "Nonsense." : nil))
        interactor.draftProblem = "What you type is not stored."
        #expect(presenter.problem == "What you type is not stored.")
        #expect(presenter.asksForSignIn == (state == .signedOut))
        #expect((presenter.progress != nil) == (state == .running))
    }

    @Test func presenter_knowsThatThereIsNoNote_afterTheServerWasAsked() {
        let (presenter, interactor, _) = scene()
        #expect(presenter.empty == "No notes yet. Enter on New note writes one.")
        interactor.isKnown = false
        #expect(presenter.empty == nil)
        interactor.syncState = .offline(reason: "No.")
        #expect(presenter.offline == "Offline. No. Your notes on the server are not known here yet.")
    }

    @Test func presenter_embedsThePreviewOnce() async throws {
        let (presenter, interactor, wireframe) = scene(tea, milk)
        try await presenter.appear()
        try await presenter.appear()
        #expect(wireframe.previews == 1)
        #expect(presenter.preview != nil)
        #expect(selection.id == tea.id)
        await eventually { presenter.progress == nil }
        #expect(interactor.synchronizations == [false, false])
    }

    @Test func presenter_looksAtTheFirstNote_alsoWhereItComesFromTheServer() async throws {
        let (presenter, interactor, _) = scene()
        interactor.onSynchronize = { [tea] in interactor.notes = [Notes.ListedNote(note: tea, status: .sent)]
        }
        try await presenter.appear()
        #expect(selection.id == nil)
        #expect(presenter.progress == "Synchronising")
        await eventually { presenter.progress == nil }
        #expect(selection.id == tea.id)
    }

    @Test func presenter_notifiesTheUser_whenEverythingWasCompared() async {
        let (presenter, interactor, _) = scene(tea)
        presenter.synchronize()
        await eventually { presenter.progress == nil }
        #expect(interactor.synchronizations == [true])
        #expect(terminal.notices == ["Synchronised"])
        interactor.syncState = .offline(reason: "No.")
        presenter.synchronize()
        await eventually { presenter.progress == nil }
        #expect(terminal.notices == ["Synchronised"], "the list shows why not")
    }

    @Test func presenter_looksAtWhatWasSaved_orKeptAsADraft() async throws {
        let (presenter, interactor, wireframe) = scene(tea, milk)
        try await presenter.appear()
        await #expect(throws: UserDeclined.self) { try await presenter.edit(nil) }
        #expect(selection.id == tea.id)
        let draft = Notes.ListedNote(note: .sent("Cocoa"), status: .draft)
        wireframe.onEdit = { interactor.notes.insert(draft, at: 0) }
        await #expect(throws: UserDeclined.self) { try await presenter.edit(tea.id) }
        #expect(selection.id == tea.id)
        await #expect(throws: UserDeclined.self) { try await presenter.edit(nil) }
        #expect(selection.id == draft.id)
        wireframe.saved = milk
        try await presenter.edit(nil)
        #expect(wireframe.edited == [nil, tea.id, nil, nil])
        #expect(selection.id == milk.id)
    }

    @Test func presenter_letsTheUserSignIn_andOpensTheNotesOfAnotherUser() async throws {
        let (presenter, interactor, wireframe) = scene(tea)
        try await presenter.signIn()
        await eventually { presenter.progress == nil }
        #expect(wireframe.signedIn == ["ann"])
        #expect(wireframe.reopenings == 0)
        interactor.closed = "Closed."
        try await presenter.signIn()
        #expect(wireframe.reopenings == 1)
        #expect(interactor.synchronizations == [false])
        #expect(presenter.closed == "Closed.")
    }

    @Test func presenter_asksWhatIsToBecomeOfNotesThatTheServerDoesNotKnow() async throws {
        let (presenter, interactor, _) = scene(tea)
        interactor.syncState = .otherServer(unknown: 3)
        #expect(presenter.question == "This server does not know 3 notes that are stored here.")
        try await presenter.decide(.upload)
        #expect(terminal.questions.isEmpty)
        terminal.answer = false
        try await presenter.decide(.remove)
        #expect(interactor.decisions == [.upload])
        terminal.answer = true
        try await presenter.decide(.remove)
        #expect(interactor.decisions == [.upload, .remove])
        #expect(terminal.questions.first == "Remove what this server does not know from this computer?")
    }

    // The view, of a presenter that a test plays.

    @Test func view_asksAboutUnknownNotes_andShowsNoneOfAnotherUser() async throws {
        let presenter = PlayedListPresenter()
        presenter.question = "Unknown."
        let content = NoteListView(presenter: presenter).content
        #expect(content.texts.first == "Unknown.")
        for choice in content.choices.prefix(2) { try await content.press(choice) }
        presenter.closed = "Closed."
        let closed = NoteListView(presenter: presenter).content
        #expect(closed.texts == ["Closed."])
        #expect(closed.choices == ["Open your notes"])
        #expect(closed.labels.isEmpty)
        try await closed.press("Open your notes")
        #expect(presenter.calls == ["upload", "remove", "reopen"])
    }

    @Test func view_showsRows_andHandsOnWhatTheUserDoes() async throws {
        let presenter = PlayedListPresenter()
        presenter.rows = [NoteListRow(listed: Notes.ListedNote(note: tea, status: .sent))]
        let content = NoteListView(presenter: presenter).content
        #expect(content.choices == ["New note", "Synchronise", "Tea"])
        #expect(content.labels == ["Search"])
        try content.type("x", into: "Search")
        for choice in content.choices { try await content.press(choice) }
        guard
            case .list(let list)? = content.elements.first(where: {
                if case .list = $0 { true } else { false }
            })
        else { return }
        list.row(0).onFocus?()
        #expect(
            presenter.calls == [
                "search x", "edit -", "synchronize", "edit \(tea.id)", "focus \(tea.id)",
            ])
        // A key that removes notes is handled with the rows of the last frame.
        presenter.rows = []
        #expect(list.id(0) == AnyHashable(tea.id))
        #expect(list.row(0).title == "Tea")
    }

    @Test func view_showsWhatThereIsToSay() async throws {
        let presenter = PlayedListPresenter()
        (presenter.offline, presenter.problem, presenter.progress) = (
            "Offline.", "Nonsense.", "Synchronising"
        )
        (presenter.asksForSignIn, presenter.query, presenter.empty) = (true, nil, "Empty.")
        let content = NoteListView(presenter: presenter).content
        #expect(content.errors == ["Nonsense."])
        #expect(content.progress == ["Synchronising"])
        #expect(content.texts == ["Offline.", "Empty."])
        #expect(content.choices == ["Sign in", "New note", "Synchronise"])
        #expect(content.labels.isEmpty)
        try await content.press("Sign in")
        #expect(presenter.calls == ["signIn"])
        (presenter.query, presenter.empty) = ("coffee", nil)
        #expect(NoteListView(presenter: presenter).content.texts == ["Offline.", "No note contains that."])
    }

    // All of them.

    @Test func feature_showsTheNotesOfTheSession_andTheirPreview() async throws {
        let session = Session()
        let library = try await session.library(tea, milk)
        let synchronizer = session.synchronizer
        let recorder = RecordingContext<Notes.List>()
        recorder.child = Display.ContentScreen { Display.Content(title: "", elements: [.text("Preview")]) }
        let feature = NoteListFeature(
            library: library, synchronizer: synchronizer, selection: selection, dialog: terminal)
        let screen = try feature.build(Notes.List(), in: recorder.context).contentScreen()
        try await screen.appears()
        await eventually { screen.content().progress.isEmpty }
        #expect(recorder.embedded == [AnyRoute(Notes.Preview())])
        #expect(selection.id != nil)
        selection.id = tea.id
        #expect(Set(screen.content().choices) == ["New note", "Synchronise", "Tea", "Milk"])
        #expect(screen.content().texts == ["Preview"])

        recorder.router.finish(Notes.Editor.self) { milk }
        try await screen.content().press("Milk")
        #expect(recorder.router.opened == [AnyRoute(Notes.Editor(id: milk.id))])
        #expect(selection.id == milk.id)

        synchronizer.state = .signedOut
        recorder.router.finish(Notes.RequiredSignIn.self) {}
        try await screen.content().press("Sign in")
        #expect(recorder.router.opened.last == AnyRoute(Notes.RequiredSignIn(userName: "ann")))
        await eventually { screen.content().choices.contains("Synchronise") }
        try await screen.content().press("Synchronise")
        await eventually { synchronizer.requests.last == true }

        session.author.id = "bob"
        try await screen.content().press("Open your notes")
        #expect(recorder.replacements == [AnyRoute(Notes.List())])
    }
}

/// Notes as a test sets them.
@MainActor
private final class PlayedListInteractor: NoteListInteracting {
    let author: String = "ann"
    var revision = 0
    private(set) var reads = 0
    private var current: [Notes.ListedNote] { didSet { revision += 1 } }
    var unsentCount = 0
    var syncState = Notes.SyncState.idle
    var onSynchronize: @MainActor () -> Void = {}
    private(set) var synchronizations: [Bool] = []
    private(set) var decisions: [Notes.Decision] = []
    var closed: String?
    var draftProblem: String?
    var isKnown = true

    init(_ notes: [Notes.Note]) { current = notes.map { Notes.ListedNote(note: $0, status: .sent) } }

    var notes: [Notes.ListedNote] {
        get {
            reads += 1
            return current
        }
        set { current = newValue }
    }

    func synchronize(all: Bool) async {
        synchronizations.append(all)
        onSynchronize()
    }

    func decide(_ decision: Notes.Decision) async throws { decisions.append(decision) }
}

/// Navigation as a test plays it.
@MainActor
private final class PlayedListWireframe: NoteListWireframe {
    /// The note with which the editor finishes; nil if the user goes back.
    var saved: Notes.Note?
    /// What the user does in the editor.
    var onEdit: @MainActor () -> Void = {}
    private(set) var edited: [UUID?] = []
    private(set) var previews = 0
    private(set) var signedIn: [String] = []
    private(set) var reopenings = 0

    func edit(_ id: UUID?) async throws -> Notes.Note {
        edited.append(id)
        onEdit()
        guard let saved else { throw UserDeclined() }
        return saved
    }

    func embedPreview() async throws -> EmbeddedScreen {
        previews += 1
        let presentation = Presentation(id: .init(previews), style: .embedded, isRoot: false) {}
        return EmbeddedScreen(
            Display.ContentScreen { Display.Content(title: "", elements: []) }, as: presentation)
    }

    func signIn(as author: String) async throws { signedIn.append(author) }

    func reopen() async throws { reopenings += 1 }
}

/// The state of a view, as a test sets it.
@MainActor
private final class PlayedListPresenter: NoteListPresenting {
    var offline: String?
    var problem: String?
    var progress: String?
    var asksForSignIn = false
    var closed: String?
    var empty: String?
    var question: String?
    var query: String? = ""
    var rows: [NoteListRow] = []
    var preview: EmbeddedScreen?
    private(set) var calls: [String] = []

    func appear() async throws { calls.append("appear") }
    func search(_ query: String) { calls.append("search \(query)") }
    func focus(_ id: UUID) { calls.append("focus \(id)") }
    func edit(_ id: UUID?) async throws { calls.append("edit \(id?.uuidString ?? "-")") }
    func synchronize() { calls.append("synchronize") }
    func signIn() async throws { calls.append("signIn") }
    func decide(_ decision: Notes.Decision) async throws { calls.append("\(decision)") }
    func reopen() async throws { calls.append("reopen") }
}
