import NotesInterface

/// The preview's access to notes.
@MainActor
protocol NotePreviewInteracting: AnyObject {
    /// The note in focus, or nil.
    var entry: Notes.Entry? { get }
}

/// Finds the note with the services of the session.
@MainActor
final class NotePreviewInteractor: NotePreviewInteracting {
    private let library: StoredLibrary

    init(library: StoredLibrary) { self.library = library }

    var entry: Notes.Entry? { library.focus.flatMap(library.entry) }
}
