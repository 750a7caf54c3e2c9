import Foundation
import NotesInterface

/// The list's operations on notes, independent of its appearance.
@MainActor
protocol NoteListInteracting: AnyObject {
    var author: String { get }
    /// The reason why the notes are not shown; nil if they are those of the user who is signed in, or of the last user.
    var closed: String? { get }
    /// The reason why typed text is not stored; nil if it is.
    var draftProblem: String? { get }
    /// All notes, the last saved first.
    var notes: [Notes.ListedNote] { get }
    /// A number that grows with each change of the notes.
    var revision: Int { get }
    var unsentCount: Int { get }
    var syncState: Notes.SyncState { get }
    /// Whether the notes were read from the server before.
    var isKnown: Bool { get }

    func synchronize(all: Bool) async
    func decide(_ decision: Notes.Decision) async throws
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
    var closed: String? { library.closed }
    var draftProblem: String? { library.draftProblem }
    var notes: [Notes.ListedNote] { library.notes }
    var revision: Int { library.revision }
    var unsentCount: Int { library.unsentCount }
    var syncState: Notes.SyncState { synchronizer.state }
    var isKnown: Bool { library.serverID != nil }

    func synchronize(all: Bool) async { await synchronizer.synchronize(all: all) }
    func decide(_ decision: Notes.Decision) async throws { try await synchronizer.decide(decision) }
}
