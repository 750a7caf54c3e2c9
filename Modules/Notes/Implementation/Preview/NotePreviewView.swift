import DisplayInterface
import NotesInterface

/// The view of the preview.
@MainActor
struct NotePreviewView {
    let presenter: any NotePreviewPresenting
    var countsWords = false

    var content: Display.Content {
        Display.Content(title: "Preview", elements: elements)
    }

    private var elements: [Display.Element] {
        guard let note = presenter.note else { return [] }
        let edit = Display.Button("Edit '\(note.title)'", action: presenter.edit)
        let delete = Display.Button("Delete '\(note.title)'", action: presenter.delete)
        return [.text(note.title)] + (note.text.isEmpty ? [] : [.text(note.text)])
            + (countsWords ? [.text(wordCount(of: note))] : [])
            + (presenter.remark.map { [.text($0)] } ?? []) + [.button(edit), .button(delete)]
    }

    private func wordCount(of note: Notes.Note) -> String {
        let count = note.text.split(whereSeparator: \.isWhitespace).count
        return count == 1 ? "1 word" : "\(count) words"
    }
}
