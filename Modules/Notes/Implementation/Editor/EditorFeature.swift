import DisplayInterface
import NotesInterface
import RouterServiceInterface

/// Builds the editor: the roles, and who knows whom.
struct EditorFeature: Feature {
    @Dependency var library: any Notes.Library
    @Dependency var synchronizer: any Notes.Synchronizer
    @Dependency var dialog: any Display.Dialog

    func build(_ route: Notes.Editor, in context: RouteContext<Notes.Editor>) throws -> any Screen {
        let presenter = EditorPresenter(
            id: route.id, interactor: EditorInteractor(library: library, synchronizer: synchronizer),
            wireframe: RoutedEditorWireframe(context: context), dialog: dialog)
        try context.keepState(of: presenter)
        try context.confirmLeaving(presenter.mayBeLeft)
        let view = EditorView(presenter: presenter)
        return Display.ContentScreen(appear: presenter.appear) { view.content }
    }
}
