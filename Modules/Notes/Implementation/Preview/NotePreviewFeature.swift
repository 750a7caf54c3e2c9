import DisplayInterface
import NotesInterface
import RouterServiceInterface

struct NotePreviewFeature: Feature {
    let library: StoredLibrary
    let selection: NoteSelection

    func build(_ route: Notes.Preview, in context: any RouteContext<Notes.Preview>) -> any Screen {
        let presenter = NotePreviewPresenter(library: library, selection: selection, context: context)
        let view = NotePreviewView(presenter: presenter)
        return Display.ContentScreen { view.content }
    }
}

/// Provides the note in focus and a remark about it, and finishes with the user's request.
@MainActor
final class NotePreviewPresenter {
    private let library: StoredLibrary
    private let selection: NoteSelection
    private let context: any RouteContext<Notes.Preview>

    init(library: StoredLibrary, selection: NoteSelection, context: any RouteContext<Notes.Preview>) {
        self.library = library
        self.selection = selection
        self.context = context
    }

    var note: Notes.Note? { entry?.note }

    var remark: String? {
        switch entry?.status {
        case nil, .sent, .unsent(nil): nil
        case .unsent(let refusal?): "This note could not be sent. \(refusal)"
        case .draft: "You have not saved this note. Open it to do so, or to discard it."
        case .kept: "This note is only here: the server is not sent it before you change it."
        case .conflict(nil): "This note was deleted elsewhere. Open it to decide what to do with it."
        case .conflict: "This note was changed elsewhere too. Open it to see both versions."
        }
    }

    func edit() throws {
        if let note { try context.finish(.edit(note.id)) }
    }

    func delete() throws {
        if let note { try context.finish(.delete(note.id)) }
    }

    private var entry: Notes.Entry? { selection.id.flatMap(library.entry) }
}

/// The view of the preview.
@MainActor
struct NotePreviewView {
    let presenter: NotePreviewPresenter

    var content: Display.Content {
        Display.Content(title: "Preview", elements: elements)
    }

    private var elements: [Display.Element] {
        guard let note = presenter.note else { return [] }
        let edit = Display.Button("Edit '\(note.title)'", action: presenter.edit)
        let delete = Display.Button("Delete '\(note.title)'", action: presenter.delete)
        return [.text(note.title)] + (note.text.isEmpty ? [] : [.text(note.text)])
            + (presenter.remark.map { [.text($0)] } ?? []) + [.button(edit), .button(delete)]
    }
}
