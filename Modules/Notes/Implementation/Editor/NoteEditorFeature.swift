import DisplayInterface
import NotesInterface
import RouterServiceInterface

/// Builds the editor: its roles, and the references between them.
struct NoteEditorFeature: Feature {
    @Dependency var library: StoredLibrary
    @Dependency var synchronizer: any Notes.Synchronizer
    @Dependency var dialog: any Display.Dialog

    func build(_ route: Notes.Editor, in context: any RouteContext<Notes.Editor>) throws -> any Screen {
        let presenter = NoteEditorPresenter(
            id: route.id, title: route.title ?? "",
            interactor: NoteEditorInteractor(library: library, synchronizer: synchronizer),
            wireframe: RoutedNoteEditorWireframe(context: context), dialog: dialog)
        try context.keepState(of: presenter)
        try context.confirmLeaving(presenter.mayBeLeft)
        let view = NoteEditorView(presenter: presenter)
        return Display.ContentScreen(appear: presenter.appear) { view.content }
    }
}
