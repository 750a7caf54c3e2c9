// Mistakes that the compiler accepts in this repository's scheme: an unregistered dependency, a missing handler.
import RouterServiceInterface

enum Notes {
    struct Editor: Route {
        static let identifier = "notes.editor"
    }

    protocol Store: AnyObject {}
}

struct NoteScreen: Screen {}

struct NoteFeature: Feature {
    let store: any Notes.Store

    func build(_ route: Notes.Editor, in context: any RouteContext<Notes.Editor>) -> any Screen {
        NoteScreen()
    }
}

struct NotesModule: Module {
    func register(in registrar: Registrar) {
        // Nothing registers `any Notes.Store`, and this compiles.
        registrar.route(Notes.Editor.self, by: NoteFeature.init)
    }
}
