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
    private let library: any Notes.Library
    private let focus: any Notes.Focus

    init(library: any Notes.Library, focus: any Notes.Focus) {
        (self.library, self.focus) = (library, focus)
    }

    var entry: Notes.Entry? { focus.id.flatMap(library.entry) }
}
