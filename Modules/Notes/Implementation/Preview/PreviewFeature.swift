import DisplayInterface
import NotesInterface
import RouterServiceInterface

/// Builds the preview, for another screen to show within its own.
struct PreviewFeature: Feature {
    @Dependency var library: any Notes.Library
    @Dependency var focus: any Notes.Focus

    func build(_ route: Notes.Preview, in context: RouteContext<Notes.Preview>) -> any Screen {
        let presenter = PreviewPresenter(
            interactor: PreviewInteractor(library: library, focus: focus),
            wireframe: RoutedPreviewWireframe(context: context))
        let view = PreviewView(presenter: presenter)
        return Display.ContentScreen { view.content }
    }
}
