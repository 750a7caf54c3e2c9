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
    private let focus: SharedFocus

    init(library: StoredLibrary, focus: SharedFocus) {
        (self.library, self.focus) = (library, focus)
    }

    var entry: Notes.Entry? { focus.id.flatMap(library.entry) }
}
