import DisplayInterface
import Foundation
import NotesInterface
import Observation
import RouterServiceInterface

/// The rules of typed text, which is a draft until the user saves it, whatever ends the screen.
@Observable
@MainActor
final class NoteEditorInteractor {
    private(set) var id: UUID
    let isNew: Bool
    /// The proposed beginning of a new note, until the user types.
    private var proposal: Notes.Draft?
    private let library: StoredLibrary
    private let synchronizer: any Notes.Synchronizer

    init(id: UUID?, title: String, library: StoredLibrary, synchronizer: any Notes.Synchronizer) {
        self.id = id ?? UUID()
        isNew = id == nil
        self.library = library
        self.synchronizer = synchronizer
        let title = Display.PlainText.line(String(title.unicodeScalars.prefix(Notes.Note.maximumTitle)))
        if isNew, !title.isEmpty { proposal = Notes.Draft(title: title, text: "", original: nil) }
    }

    var listed: Notes.ListedNote? { library.note(id) }
    /// The text that was typed or proposed, and is not saved.
    var draft: Notes.Draft? { listed == nil ? proposal : listed?.draft }

    /// Asks the server for a note that is not stored here.
    func load() async throws {
        await synchronizer.synchronize(all: false)
        if listed == nil { throw Notes.Failure.unknownNote(synchronizer.state.problem) }
    }

    /// Changes the draft, and forgets a draft that is the same as the note.
    func change(_ change: (inout Notes.Draft) -> Void) {
        let note = listed?.status == .draft ? nil : listed?.note
        var draft = draft ?? Notes.Draft(title: note?.title ?? "", text: note?.text ?? "", original: note)
        change(&draft)
        proposal = nil
        library.keep(draft.hasContent(of: draft.original) ? nil : draft, of: id)
    }

    /// Saves the draft, if there is one, and returns the stored note, if there is one.
    func save() async throws -> Notes.Note? {
        guard let draft else { return listed?.note }
        let note = Notes.Note(
            id: id, title: draft.title, text: draft.text, version: draft.original?.version)
        try await library.save(note, replacing: draft.original)
        return note
    }
}

// A new note whose screen is restored keeps its identifier, by which its draft is found.
extension NoteEditorInteractor: Restorable {
    struct SavedState: Codable {
        let id: UUID
    }

    static var stateScope: StateScope { .file }

    var savedState: SavedState? { isNew && listed?.draft != nil ? SavedState(id: id) : nil }

    func restore(_ state: SavedState?) { id = state?.id ?? id }
}
