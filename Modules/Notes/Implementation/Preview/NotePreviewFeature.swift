import DisplayInterface
import NotesInterface
import RouterServiceInterface

/// Shows the note in focus of the list, and a remark about it.
struct NotePreviewFeature: Feature {
    let library: StoredLibrary
    let selection: NoteSelection

    func build(_ route: Notes.Preview, in context: any RouteContext<Notes.Preview>) -> any Screen {
        Display.ContentScreen { Display.Content(title: "Preview", elements: elements) }
    }

    private var elements: [Display.Element] {
        guard let listed = selection.id.flatMap(library.note) else { return [] }
        let texts: [String?] = [listed.title, listed.text.isEmpty ? nil : listed.text, remark(about: listed)]
        return texts.compactMap { $0 }.map { .text($0) }
    }

    private func remark(about listed: Notes.ListedNote) -> String? {
        switch listed.status {
        case .draft: "You have not saved this note. Open it to do so, or to discard it."
        case _ where listed.draft != nil:
            "You have not saved your changes. Open the note to do so, or to discard them."
        case .sent, .unsent: nil
        case .conflict(nil): "This note was deleted elsewhere. Open it to decide what to do with it."
        case .conflict: "This note was changed elsewhere too. Open it to see both versions."
        }
    }
}
