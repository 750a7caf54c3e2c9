import Foundation
import NotesInterface

/// The editor's operations on notes, independent of its appearance.
@MainActor
protocol NoteEditorInteracting: AnyObject {
    /// A note, or what was typed of it; nil if it is not known.
    func entry(_ id: UUID) -> Notes.Entry?
    /// Keeps what was typed, and stores it within a second; nil to forget it.
    func keep(_ draft: Notes.Draft?, of id: UUID)
    /// Stores what was typed at once.
    func storeDrafts() async
    /// A description of what keeps typed text from being stored.
    var draftProblem: String? { get }
    /// Asks the server for a note that is not known here.
    func load(_ id: UUID) async throws
    /// Stores a note.
    func save(_ note: Notes.Note, replacing original: Notes.Note?) async throws
    /// Deletes a note.
    func delete(_ id: UUID) async throws
    /// Resolves a conflict.
    func resolve(_ id: UUID, by choice: Notes.Choice) async throws
}

/// Performs the operations with the services of the session.
@MainActor
final class NoteEditorInteractor: NoteEditorInteracting {
    private let library: StoredLibrary
    private let synchronizer: any Notes.Synchronizer

    init(library: StoredLibrary, synchronizer: any Notes.Synchronizer) {
        (self.library, self.synchronizer) = (library, synchronizer)
    }

    func entry(_ id: UUID) -> Notes.Entry? { library.entry(id) }
    func keep(_ draft: Notes.Draft?, of id: UUID) { library.keep(draft, of: id) }
    func storeDrafts() async { await library.storeDrafts() }
    var draftProblem: String? { library.draftProblem }

    func load(_ id: UUID) async throws {
        await synchronizer.synchronize(all: false)
        if library.entry(id) == nil { throw Notes.Failure.unknownNote(synchronizer.state.problem) }
    }

    func save(_ note: Notes.Note, replacing original: Notes.Note?) async throws {
        try await library.save(note, replacing: original)
    }

    func delete(_ id: UUID) async throws { try await library.delete(id) }

    func resolve(_ id: UUID, by choice: Notes.Choice) async throws {
        try await library.resolve(id, by: choice)
    }
}
