import NotesInterface
import RouterServiceInterface

/// How the preview reports to the screen around it.
@MainActor
protocol PreviewWireframe {
    /// Finishes with what the user wants.
    func finish(_ request: Notes.Preview.Output) throws
}

/// Reports through the router.
struct RoutedPreviewWireframe: PreviewWireframe {
    let context: RouteContext<Notes.Preview>

    func finish(_ request: Notes.Preview.Output) throws { try context.finish(request) }
}
