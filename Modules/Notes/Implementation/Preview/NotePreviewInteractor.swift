import NotesInterface

/// What the preview knows of notes.
@MainActor
protocol NotePreviewInteracting: AnyObject {
    /// The note that is looked at; nil where there is none.
    var entry: Notes.Entry? { get }
}

/// Finds it with the services of the session.
@MainActor
final class NotePreviewInteractor: NotePreviewInteracting {
    private let library: any Notes.Library
    private let focus: any Notes.Focus

    init(library: any Notes.Library, focus: any Notes.Focus) {
        (self.library, self.focus) = (library, focus)
    }

    var entry: Notes.Entry? { focus.id.flatMap(library.entry) }
}
