import DisplayInterface
import NotesInterface

/// The editor as it looks.
@MainActor
struct EditorView {
    let presenter: any EditorPresenting

    var content: Display.Content {
        Display.Content(title: presenter.canDelete ? "Edit note" : "New note", elements: elements)
    }

    private var elements: [Display.Element] {
        switch presenter.mode {
        case .loading: [.progress("Loading the note")]
        case .missing: [.button(Display.Button("Try again", action: presenter.appear)), .button(allNotes)]
        case .form: form
        case .conflict(let mine, let theirs): conflict(mine, theirs)
        }
    }

    private var form: [Display.Element] {
        let title = Display.Field(
            "Title", text: presenter.title, limit: Notes.Note.longestTitle, change: presenter.type(title:))
        let text = Display.Field.textArea(
            "Text", text: presenter.text, limit: Notes.Note.longestText, change: presenter.type(text:))
        let delete = Display.Button("Delete", action: presenter.delete)
        return [
            .field(title), .field(text), .button(Display.Button("Save", action: presenter.save)),
        ] + (presenter.canDelete ? [.button(delete)] : []) + [.button(allNotes)]
    }

    private func conflict(_ mine: Notes.Note, _ theirs: Notes.Note?) -> [Display.Element] {
        [
            .text(
                theirs == nil
                    ? "You changed this note, and it was deleted elsewhere."
                    : "You changed this note, and it was changed elsewhere too."),
            .text("Yours:"), .text(words(of: mine)),
        ] + (theirs.map { [.text("The other version:"), .text(words(of: $0))] } ?? [])
            + [
                choice("Keep yours", .keepMine),
                choice(theirs == nil ? "Delete it here too" : "Keep the other version", .keepTheirs),
            ] + (theirs == nil ? [] : [choice("Keep both", .keepBoth)]) + [.button(allNotes)]
    }

    private func words(of note: Notes.Note) -> String {
        note.text.isEmpty ? note.title : "\(note.title)\n\(note.text)"
    }

    private func choice(_ title: String, _ choice: Notes.Choice) -> Display.Element {
        .button(Display.Button(title) { try await presenter.choose(choice) })
    }

    private var allNotes: Display.Button { Display.Button("All notes", action: presenter.showAll) }
}
