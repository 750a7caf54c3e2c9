import DisplayInterface
import NotesInterface
import RouterServiceInterface

/// Builds the list: its roles, and the references between them.
struct NoteListFeature: Feature {
    let library: StoredLibrary
    let synchronizer: any Notes.Synchronizer
    let selection: NoteSelection
    let dialog: any Display.Dialog

    func build(_ route: Notes.List, in context: any RouteContext<Notes.List>) -> any Screen {
        let presenter = NoteListPresenter(
            interactor: NoteListInteractor(library: library, synchronizer: synchronizer),
            wireframe: RoutedNoteListWireframe(context: context), selection: selection, dialog: dialog)
        let view = NoteListView(presenter: presenter)
        return Display.ContentScreen(appear: presenter.appear) { view.content }
    }
}
