import Foundation
import NotesInterface

/// The list's operations on notes, independent of its appearance.
@MainActor
protocol NoteListInteracting: AnyObject {
    /// The user whose notes these are.
    var author: String { get }
    /// Whether these are the notes of the user who is signed in, or of the last user.
    var isOpen: Bool { get }
    /// All notes, the last saved first.
    var entries: [Notes.Entry] { get }
    /// A number that grows with each change of the notes.
    var revision: Int { get }
    /// The number of notes of which the server does not have the present state.
    var unsentCount: Int { get }
    /// The state of synchronisation with the server.
    var syncState: Notes.SyncState { get }
    /// The title of the note that was deleted, for as long as this can be undone.
    var deletedTitle: String? { get }

    /// Sends and reads changes, and returns when all are done.
    func synchronize(all: Bool) async
    /// Decides about notes that the server does not know.
    func decide(_ decision: Notes.Decision) async throws
    /// Deletes a note.
    func delete(_ id: UUID) async throws
    /// Brings back the note that was deleted last.
    func undoDeletion() async throws
}

/// Performs the operations with the services of the session.
@MainActor
final class NoteListInteractor: NoteListInteracting {
    private let library: StoredLibrary
    private let synchronizer: any Notes.Synchronizer

    init(library: StoredLibrary, synchronizer: any Notes.Synchronizer) {
        (self.library, self.synchronizer) = (library, synchronizer)
    }

    var author: String { library.author }
    var isOpen: Bool { library.isOpen }
    var entries: [Notes.Entry] { library.entries }
    var revision: Int { library.revision }
    var unsentCount: Int { library.unsentCount }
    var syncState: Notes.SyncState { synchronizer.state }
    var deletedTitle: String? { library.deleted?.entry?.note.title }

    func synchronize(all: Bool) async {
        guard all else { return await synchronizer.synchronize(all: false) }
        await library.keepingUndo { await synchronizer.synchronize(all: true) }
    }
    func decide(_ decision: Notes.Decision) async throws { try await synchronizer.decide(decision) }
    func delete(_ id: UUID) async throws { try await library.delete(id) }
    func undoDeletion() async throws { try await library.undoDeletion() }
}
