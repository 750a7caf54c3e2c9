import DisplayInterface
import NotesInterface

/// The view of the editor.
@MainActor
struct NoteEditorView {
    let presenter: NoteEditorPresenter

    var content: Display.Content {
        Display.Content(title: presenter.canDelete ? "Edit note" : "New note", elements: elements)
    }

    private var elements: [Display.Element] {
        switch presenter.mode {
        case .loading: [.progress("Loading the note")]
        case .missing: [.button(Display.Button("Try again", action: presenter.appear)), .button(allNotes)]
        case .form: form
        case .closed(let reason): [.text(reason), .button(allNotes)]
        case .conflict(let mine, let theirs): conflict(mine, theirs)
        }
    }

    private var form: [Display.Element] {
        let title = Display.Field(
            "Title", text: presenter.title, limit: Notes.Note.maximumTitle, change: presenter.type(title:))
        let text = Display.Field.textArea(
            "Text", text: presenter.text, limit: Notes.Note.maximumText, change: presenter.type(text:))
        let delete = Display.Button("Delete", action: presenter.delete)
        let discard = Display.Button("Discard the changes", action: presenter.discard)
        return (presenter.problem.map { [.error($0)] } ?? []) + [
            .field(title), .field(text), .button(Display.Button("Save", action: presenter.save)),
        ] + (presenter.hasDraft ? [.button(discard)] : []) + (presenter.canDelete ? [.button(delete)] : [])
            + [.button(allNotes)]
    }

    private func conflict(_ mine: Notes.Note, _ theirs: Notes.Note?) -> [Display.Element] {
        let yours: [Display.Element] = [.text("Yours:"), .text(text(of: mine))]
        guard let theirs else {
            let message = Display.Element.text(
                "The server has deleted this note, and does not have your version of it.")
            let choices = [choice("Keep yours", .keepMine), choice("Delete it here too", .keepTheirs)]
            return [message] + yours + choices + [.button(allNotes)]
        }
        let message = Display.Element.text(
            "The server has another version of this note, and does not have yours.")
        let other: [Display.Element] = [.text("The other version:"), .text(text(of: theirs))]
        let choices = [
            choice("Keep yours", .keepMine), choice("Keep the other version", .keepTheirs),
            choice("Keep both", .keepBoth),
        ]
        return [message] + yours + other + choices + [.button(allNotes)]
    }

    private func text(of note: Notes.Note) -> String {
        note.text.isEmpty ? note.title : "\(note.title)\n\(note.text)"
    }

    private func choice(_ title: String, _ choice: Notes.Choice) -> Display.Element {
        .button(Display.Button(title) { try await presenter.choose(choice) })
    }

    private var allNotes: Display.Button { Display.Button("All notes", action: presenter.showAll) }
}
