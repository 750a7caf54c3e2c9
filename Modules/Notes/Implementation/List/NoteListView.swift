import DisplayInterface
import NotesInterface

/// The view of the list.
@MainActor
struct NoteListView {
    let presenter: any NoteListPresenting

    var content: Display.Content {
        if let closed = presenter.closed { return content(closed) }
        return Display.Content(title: "Notes", elements: messages + actions + rows, detail: presenter.preview)
    }

    private func content(_ closed: String) -> Display.Content {
        let open = Display.Button("Open your notes", action: presenter.reopen)
        return Display.Content(title: "Notes", elements: [.text(closed), .button(open)])
    }

    private var messages: [Display.Element] {
        let texts = [presenter.question, presenter.offline, presenter.empty].compactMap { $0 }
        return (presenter.problem.map { [.error($0)] } ?? []) + texts.map { .text($0) }
    }

    private var actions: [Display.Element] {
        let signIn = Display.Button("Sign in", action: presenter.signIn)
        let new = Display.Button("New note") { try await presenter.edit(nil) }
        let synchronize = Display.Button("Synchronise", action: presenter.synchronize)
        return (presenter.question == nil ? [] : decisions)
            + (presenter.asksForSignIn ? [.button(signIn)] : [])
            + [.button(new), .button(synchronize)] + (presenter.progress.map { [.progress($0)] } ?? [])
    }

    private var decisions: [Display.Element] {
        [("Upload them", Notes.Decision.upload), ("Remove them here", .remove)].map { title, decision in
            .button(Display.Button(title) { try await presenter.decide(decision) })
        }
    }

    private var rows: [Display.Element] {
        guard let query = presenter.query else { return [] }
        let field = Display.Field("Search", text: query, change: presenter.search)
        let rows = presenter.rows
        let list = Display.List(rows, id: \.id) { row in
            Display.Row(
                row.title, detail: row.detail, facts: row.facts, onFocus: { presenter.focus(row.id) }
            ) {
                try await presenter.edit(row.id)
            }
        }
        return [.field(field), rows.isEmpty ? .text("No note contains that.") : .list(list)]
    }
}
