import DisplayInterface
import Foundation
import NotesInterface
import Observation
import RouterServiceInterface

enum NoteEditorMode: Hashable {
    case loading, missing, form
    /// The note is not one of the user who is signed in.
    case closed(String)
    /// The user chooses between two versions; `theirs` is nil where the note was deleted elsewhere.
    case conflict(mine: Notes.Note, theirs: Notes.Note?)
}

/// The state of the editor's view, the user's actions there, and where they lead.
@Observable
@MainActor
final class NoteEditorPresenter {
    /// True from the beginning, because the screen loads as soon as it appears.
    private var isLoading = true
    private let interactor: NoteEditorInteractor
    private let library: StoredLibrary
    private let context: any RouteContext<Notes.Editor>
    private let dialog: any Display.Dialog

    init(
        interactor: NoteEditorInteractor, library: StoredLibrary, context: any RouteContext<Notes.Editor>,
        dialog: any Display.Dialog
    ) {
        self.interactor = interactor
        self.library = library
        self.context = context
        self.dialog = dialog
    }

    var mode: NoteEditorMode {
        if let closed = library.closed { return .closed(closed) }
        // The user types on, whatever happens to the note meanwhile.
        if draft != nil { return .form }
        guard let listed else { return interactor.isNew ? .form : isLoading ? .loading : .missing }
        if case .conflict(let theirs) = listed.status { return .conflict(mine: listed.note, theirs: theirs) }
        return .form
    }

    var title: String { draft?.title ?? listed?.note.title ?? "" }
    var text: String { draft?.text ?? listed?.note.text ?? "" }
    var canDelete: Bool { !interactor.isNew }
    var hasDraft: Bool { listed?.draft != nil }
    /// A problem that does not come from the user's last action.
    var problem: String? { library.draftProblem }

    /// Reads the note, unless it is known.
    func appear() async throws {
        defer { isLoading = false }
        guard mode == .loading || mode == .missing else { return }
        isLoading = true
        try await interactor.load()
    }

    func type(title: String) { interactor.change { $0.title = title } }
    func type(text: String) { interactor.change { $0.text = text } }

    func save() async throws {
        guard !title.allSatisfy(\.isWhitespace) else { throw Notes.Failure.missingTitle }
        let isChanged = draft != nil
        guard let note = try await interactor.save() else { return }
        try context.finish(note)
        if isChanged { dialog.notify("Saved", as: .positive) }
    }

    func discard() async throws {
        library.keep(nil, of: interactor.id)
        try await context.dismiss()
    }

    func delete() async throws {
        guard await dialog.confirm("Delete '\(title)'?") else { return }
        try await library.delete(interactor.id)
        try await context.dismiss()
    }

    func choose(_ choice: Notes.Choice) async throws {
        try await library.resolve(interactor.id, by: choice)
        // A note that was deleted elsewhere may be gone here too.
        if let listed { try context.finish(listed.note) } else { try await context.dismiss() }
    }

    /// Goes back to the list, or opens the list where it is not below the editor.
    func showAll() async throws {
        do {
            try await context.dismiss(to: Notes.List.self)
        } catch RouterError.routeNotInStack {
            try await context.open(Notes.List())
        }
    }

    /// Stores typed text before the user leaves.
    func mayBeLeft() async -> Bool {
        guard hasDraft else { return true }
        await library.storeDrafts()
        if problem == nil { dialog.notify("Your text is kept as a draft", as: .positive) }
        return true
    }

    private var listed: Notes.ListedNote? { interactor.listed }
    private var draft: Notes.Draft? { interactor.draft }
}
