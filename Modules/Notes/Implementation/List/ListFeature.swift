import DisplayInterface
import NotesInterface
import RouterServiceInterface

/// Builds the list: the roles, and who knows whom.
struct ListFeature: Feature {
    @Dependency var library: any Notes.Library
    @Dependency var synchronizer: any Notes.Synchronizer
    @Dependency var focus: any Notes.Focus

    func build(_ route: Notes.List, in context: RouteContext<Notes.List>) throws -> any Screen {
        let presenter = ListPresenter(
            interactor: ListInteractor(library: library, synchronizer: synchronizer, focus: focus),
            wireframe: RoutedListWireframe(context: context))
        try context.keepState(of: presenter)
        let view = ListView(presenter: presenter)
        return Display.ContentScreen(appear: presenter.appear) { view.content }
    }
}
