import NotesInterface
import RouterServiceInterface

/// How the preview reports to the screen around it.
@MainActor
protocol NotePreviewWireframe {
    /// Finishes with what the user wants.
    func finish(_ request: Notes.Preview.Output) throws
}

/// Reports through the router.
struct RoutedNotePreviewWireframe: NotePreviewWireframe {
    let context: RouteContext<Notes.Preview>

    func finish(_ request: Notes.Preview.Output) throws { try context.finish(request) }
}
