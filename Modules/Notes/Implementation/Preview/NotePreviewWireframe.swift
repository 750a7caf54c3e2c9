import NotesInterface
import RouterServiceInterface

/// The reports of the preview to the screen around it.
@MainActor
protocol NotePreviewWireframe {
    /// Finishes with the user's request.
    func finish(_ request: Notes.Preview.Output) throws
}

/// Reports through the router.
struct RoutedNotePreviewWireframe: NotePreviewWireframe {
    let context: any RouteContext<Notes.Preview>

    func finish(_ request: Notes.Preview.Output) throws { try context.finish(request) }
}
