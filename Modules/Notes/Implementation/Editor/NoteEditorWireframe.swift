import NotesInterface
import RouterServiceInterface

/// The navigation of the editor.
@MainActor
protocol NoteEditorWireframe {
    /// Leaves the editor with the saved note.
    func finish(_ note: Notes.Note) throws
    /// Leaves the editor without a note.
    func close() async throws
    /// Goes back to the list, from wherever the editor was opened; opens it if it is not below.
    func showAll() async throws
}

/// Navigates through the router.
struct RoutedNoteEditorWireframe: NoteEditorWireframe {
    let context: any RouteContext<Notes.Editor>

    func finish(_ note: Notes.Note) throws { try context.finish(note) }
    func close() async throws { try await context.dismiss() }

    func showAll() async throws {
        do {
            try await context.dismiss(to: Notes.List.self)
        } catch RouterError.routeNotInStack {
            try await context.open(Notes.List())
        }
    }
}
