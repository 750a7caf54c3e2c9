import DisplayInterface
import NotesInterface
import RouterServiceInterface

/// Builds the editor: its roles, and the references between them.
struct NoteEditorFeature: Feature {
    let library: StoredLibrary
    let synchronizer: any Notes.Synchronizer
    let dialog: any Display.Dialog

    func build(_ route: Notes.Editor, in context: any RouteContext<Notes.Editor>) throws -> any Screen {
        let interactor = NoteEditorInteractor(
            id: route.id, title: route.title ?? "", library: library, synchronizer: synchronizer)
        let presenter = NoteEditorPresenter(
            interactor: interactor, library: library, context: context, dialog: dialog)
        try context.keepState(of: interactor)
        try context.confirmLeaving(presenter.mayBeLeft)
        let view = NoteEditorView(presenter: presenter)
        return Display.ContentScreen(appear: presenter.appear) { view.content }
    }
}
