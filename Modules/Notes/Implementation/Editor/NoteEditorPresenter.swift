import DisplayInterface
import Foundation
import NotesInterface
import Observation
import RouterServiceInterface

/// The state of the editor's view, and the user's actions there.
@MainActor
protocol NoteEditorPresenting: AnyObject, Sendable {
    /// The current mode of the editor.
    var mode: NoteEditorMode { get }
    /// The title in the form.
    var title: String { get }
    /// The text in the form.
    var text: String { get }
    /// Whether the note exists already.
    var canDelete: Bool { get }
    /// Whether there is text that was not saved.
    var hasDraft: Bool { get }
    /// A problem that does not come from the user's last action.
    var problem: String? { get }

    /// Reads the note, unless it is known.
    func appear() async throws
    /// Takes the title that the user typed.
    func type(title: String)
    /// Takes the text that the user typed.
    func type(text: String)
    /// Stores the note, and finishes with it.
    func save() async throws
    /// Forgets what was typed, and leaves the editor.
    func discard() async throws
    /// Deletes the note, and leaves the editor.
    func delete() async throws
    /// Resolves a conflict, and leaves the editor.
    func choose(_ choice: Notes.Choice) async throws
    /// Goes to the list of notes.
    func showAll() async throws
}

/// A mode of an editor.
enum NoteEditorMode: Hashable {
    /// The note is being read.
    case loading
    /// The note could not be read.
    case missing
    /// The user types.
    case form
    /// The user chooses between two versions; theirs is nil where the note was deleted elsewhere.
    case conflict(mine: Notes.Note, theirs: Notes.Note?)
}

/// Turns what is typed into a draft, which the library keeps until it is saved, whatever ends the screen.
@Observable
@MainActor
final class NoteEditorPresenter: NoteEditorPresenting {
    private var isLoading = false
    private var id: UUID
    private let isNew: Bool
    /// The beginning of a new note, until something else is typed.
    private var proposal: Notes.Draft?
    private let interactor: any NoteEditorInteracting
    private let wireframe: any NoteEditorWireframe
    private let dialog: any Display.Dialog

    init(
        id: UUID?, title: String = "", interactor: any NoteEditorInteracting,
        wireframe: any NoteEditorWireframe, dialog: any Display.Dialog
    ) {
        (self.id, isNew) = (id ?? UUID(), id == nil)
        let title = Display.PlainText.line(String(title.unicodeScalars.prefix(Notes.Note.maximumTitle)))
        if isNew, !title.isEmpty { proposal = Notes.Draft(title: title, text: "", original: nil) }
        (self.interactor, self.wireframe, self.dialog) = (interactor, wireframe, dialog)
    }

    var mode: NoteEditorMode {
        // Typed text stays, whatever happens to the note meanwhile.
        if draft != nil { return .form }
        guard let entry else { return isNew ? .form : isLoading ? .loading : .missing }
        if case .conflict(let theirs) = entry.status { return .conflict(mine: entry.note, theirs: theirs) }
        return .form
    }

    var title: String { draft?.title ?? entry?.note.title ?? "" }
    var text: String { draft?.text ?? entry?.note.text ?? "" }
    var canDelete: Bool { !isNew }
    var hasDraft: Bool { entry?.draft != nil }
    var problem: String? { interactor.draftProblem }

    func appear() async throws {
        guard mode == .missing else { return }
        isLoading = true
        defer { isLoading = false }
        try await interactor.load(id)
    }

    func type(title: String) { change { $0.title = title } }
    func type(text: String) { change { $0.text = text } }

    func save() async throws {
        guard !title.allSatisfy(\.isWhitespace) else { throw Notes.Failure.missingTitle }
        guard let draft else {
            if let entry { try wireframe.finish(entry.note) }
            return
        }
        let note = Notes.Note(
            id: id, title: draft.title, text: draft.text, version: draft.original?.version)
        try await interactor.save(note, replacing: draft.original)
        try wireframe.finish(note)
        dialog.notify("Saved")
    }

    func discard() async throws {
        interactor.keep(nil, of: id)
        try await wireframe.close()
    }

    func delete() async throws {
        try await interactor.delete(id)
        try await wireframe.close()
    }

    func choose(_ choice: Notes.Choice) async throws {
        try await interactor.resolve(id, by: choice)
        // A note that was deleted elsewhere may be gone here too.
        if let entry { try wireframe.finish(entry.note) } else { try await wireframe.close() }
    }

    func showAll() async throws { try await wireframe.showAll() }

    /// Stores typed text before the user leaves.
    func mayBeLeft() async -> Bool {
        guard hasDraft else { return true }
        await interactor.storeDrafts()
        if problem == nil { dialog.notify("Your text is kept as a draft") }
        return true
    }

    private var entry: Notes.Entry? { interactor.entry(id) }
    private var draft: Notes.Draft? { entry == nil ? proposal : entry?.draft }

    private func change(_ change: (inout Notes.Draft) -> Void) {
        let note = entry?.status == .draft ? nil : entry?.note
        var draft = draft ?? Notes.Draft(title: title, text: text, original: note)
        change(&draft)
        proposal = nil
        let original = draft.original
        let former = Notes.Draft(title: original?.title ?? "", text: original?.text ?? "", original: original)
        interactor.keep(draft == former ? nil : draft, of: id)
    }
}

// A new note keeps its identifier where the screen is restored, and with it its draft.
extension NoteEditorPresenter: Restorable {
    struct SavedState: Codable {
        let id: UUID
    }

    static var stateScope: StateScope { .file }

    var savedState: SavedState? { isNew && hasDraft ? SavedState(id: id) : nil }

    func restore(_ state: SavedState?) { id = state?.id ?? id }
}
