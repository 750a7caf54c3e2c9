import DisplayInterface
import NotesInterface
import RouterServiceInterface

/// Builds the preview, for another screen to show within its own, or beside it.
struct NotePreviewFeature: Feature {
    @Dependency var library: StoredLibrary
    @Dependency var focus: SharedFocus

    func build(_ route: Notes.Preview, in context: any RouteContext<Notes.Preview>) -> any Screen {
        let presenter = NotePreviewPresenter(
            interactor: NotePreviewInteractor(library: library, focus: focus),
            wireframe: RoutedNotePreviewWireframe(context: context))
        let view = NotePreviewView(presenter: presenter)
        return Display.ContentScreen { view.content }
    }
}
