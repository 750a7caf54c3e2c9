import Foundation
import NotesInterface

/// The list's operations on notes, independent of its appearance.
@MainActor
protocol NoteListInteracting: AnyObject {
    var author: String { get }
    /// Whether these are the notes of the user who is signed in, or of the last user.
    var isOpen: Bool { get }
    /// All notes, the last saved first.
    var entries: [Notes.Entry] { get }
    /// A number that grows with each change of the notes.
    var revision: Int { get }
    var unsentCount: Int { get }
    var syncState: Notes.SyncState { get }
    /// The title of the note that was deleted, for as long as the deletion can be undone.
    var deletedTitle: String? { get }

    func synchronize(all: Bool) async
    func decide(_ decision: Notes.Decision) async throws
    func delete(_ id: UUID) async throws
    func undoDeletion() async throws
}

/// Performs the operations with the services of the session.
@MainActor
final class NoteListInteractor: NoteListInteracting {
    private let library: StoredLibrary
    private let synchronizer: any Notes.Synchronizer

    init(library: StoredLibrary, synchronizer: any Notes.Synchronizer) {
        self.library = library
        self.synchronizer = synchronizer
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
