import DisplayInterface

/// The view of the list.
@MainActor
struct NoteListView {
    let presenter: any NoteListPresenting

    var content: Display.Content {
        Display.Content(title: "Notes", elements: messages + ways + rows + end, detail: presenter.preview)
    }

    private var messages: [Display.Element] {
        let empty = presenter.query == nil ? "There are no notes yet." : nil
        let texts = [presenter.sign, presenter.deletion, empty].compactMap { $0 }
        return (presenter.problem.map { [.error($0)] } ?? []) + texts.map { .text($0) }
    }

    private var ways: [Display.Element] {
        let undo = Display.Button("Undo the deletion", action: presenter.undo)
        let signIn = Display.Button("Sign in", action: presenter.signIn)
        let new = Display.Button("New note") { try await presenter.edit(nil) }
        return (presenter.deletion == nil ? [] : [.button(undo)])
            + (presenter.asksForSignIn ? [.button(signIn)] : []) + [.button(new)]
    }

    private var rows: [Display.Element] {
        guard let query = presenter.query else { return [] }
        let field = Display.Field("Search", text: query, change: presenter.search)
        let list = Display.List(count: presenter.count, id: { AnyHashable(presenter.id(at: $0)) }) { index in
            let row = presenter.row(at: index)
            return Display.Row(row.title, detail: row.detail, onFocus: { presenter.focus(row.id) }) {
                try await presenter.edit(row.id)
            }
        }
        return [.field(field), presenter.count == 0 ? .text("No note contains that.") : .list(list)]
    }

    private var end: [Display.Element] {
        let synchronize = Display.Button("Synchronise", action: presenter.synchronize)
        return [presenter.progress.map { .progress($0) } ?? .button(synchronize)]
    }
}
