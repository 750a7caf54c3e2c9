import Foundation
import NotesInterface

/// What the list does with notes, without knowing how it looks.
@MainActor
protocol NoteListInteracting: AnyObject {
    /// Whose notes these are.
    var author: String { get }
    /// All notes, what was saved last first.
    var entries: [Notes.Entry] { get }
    /// A number that grows with each change of the notes.
    var revision: Int { get }
    /// What could not be read when the notes were opened, in words.
    var damage: String? { get }
    /// How many notes the server does not know as they are here.
    var unsentCount: Int { get }
    /// How far the notes here and on the server agree.
    var syncState: Notes.SyncState { get }
    /// The title of the note that was deleted, for as long as this can be undone.
    var deletedTitle: String? { get }
    /// The note that is looked at.
    var focus: UUID? { get set }

    /// Sends and reads what has changed, to the end.
    func synchronize(all: Bool) async
    /// Deletes a note.
    func delete(_ id: UUID) async throws
    /// Brings back the note that was deleted last.
    func undoDeletion() async throws
}

/// Does it with the services of the session.
@MainActor
final class NoteListInteractor: NoteListInteracting {
    private let library: any Notes.Library
    private let synchronizer: any Notes.Synchronizer
    private let sharedFocus: any Notes.Focus

    init(library: any Notes.Library, synchronizer: any Notes.Synchronizer, focus: any Notes.Focus) {
        (self.library, self.synchronizer, sharedFocus) = (library, synchronizer, focus)
    }

    var author: String { library.author }
    var entries: [Notes.Entry] { library.entries }
    var revision: Int { library.revision }
    var damage: String? { library.damage }
    var unsentCount: Int { library.unsentCount }
    var syncState: Notes.SyncState { synchronizer.state }
    var deletedTitle: String? { library.deleted?.title }

    var focus: UUID? {
        get { sharedFocus.id }
        set { if sharedFocus.id != newValue { sharedFocus.id = newValue } }
    }

    func synchronize(all: Bool) async { await synchronizer.synchronize(all: all) }
    func delete(_ id: UUID) async throws { try await library.delete(id) }
    func undoDeletion() async throws { try await library.undoDeletion() }
}
