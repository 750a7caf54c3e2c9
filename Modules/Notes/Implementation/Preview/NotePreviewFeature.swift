import DisplayInterface
import NotesInterface
import RouterServiceInterface

/// Builds the preview, for another screen to show within its own, or beside it.
struct NotePreviewFeature: Feature {
    @Dependency var library: StoredLibrary

    func build(_ route: Notes.Preview, in context: any RouteContext<Notes.Preview>) -> any Screen {
        screen(in: context, countsWords: false)
    }

    @MainActor
    func screen(in context: any RouteContext<Notes.Preview>, countsWords: Bool) -> any Screen {
        let presenter = NotePreviewPresenter(
            interactor: NotePreviewInteractor(library: library),
            wireframe: RoutedNotePreviewWireframe(context: context))
        let view = NotePreviewView(presenter: presenter, countsWords: countsWords)
        return Display.ContentScreen { view.content }
    }
}

/// Builds the version of the preview that counts the note's words, where its flag is on.
struct CountedPreviewFeature: Feature {
    @Dependency var library: StoredLibrary
    @Dependency var flags: (any Notes.RequiredFlags)?

    func isEnabled(for route: Notes.Preview) -> Bool { flags?.countsWords == true }

    func build(_ route: Notes.Preview, in context: any RouteContext<Notes.Preview>) -> any Screen {
        NotePreviewFeature(library: library).screen(in: context, countsWords: true)
    }
}
