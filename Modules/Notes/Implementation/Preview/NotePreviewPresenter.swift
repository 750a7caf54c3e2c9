import NotesInterface

/// The state of the preview's view, and the user's actions there.
@MainActor
protocol NotePreviewPresenting: AnyObject, Sendable {
    /// The note, or nil.
    var note: Notes.Note? { get }
    /// A remark about the note, or nil.
    var remark: String? { get }

    /// Asks for the note to be changed.
    func edit() throws
    /// Asks for the note to be deleted.
    func delete() throws
}

/// Provides the note in focus, and a remark about it.
@MainActor
final class NotePreviewPresenter: NotePreviewPresenting {
    private let interactor: any NotePreviewInteracting
    private let wireframe: any NotePreviewWireframe

    init(interactor: any NotePreviewInteracting, wireframe: any NotePreviewWireframe) {
        (self.interactor, self.wireframe) = (interactor, wireframe)
    }

    var note: Notes.Note? { interactor.entry?.note }

    var remark: String? {
        switch interactor.entry?.status {
        case nil, .sent, .unsent(nil): nil
        case .unsent(let refusal?): "This note could not be sent. \(refusal)"
        case .draft: "You have not saved this note. Open it to do so, or to discard it."
        case .kept: "This note is only here: the server is not sent it before you change it."
        case .conflict(nil): "This note was deleted elsewhere. Open it to decide what to do with it."
        case .conflict: "This note was changed elsewhere too. Open it to see both versions."
        }
    }

    func edit() throws {
        if let note { try wireframe.finish(.edit(note.id)) }
    }

    func delete() throws {
        if let note { try wireframe.finish(.delete(note.id)) }
    }
}
