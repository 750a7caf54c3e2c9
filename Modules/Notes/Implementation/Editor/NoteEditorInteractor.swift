import Foundation
import NotesInterface

/// The editor's operations on notes, independent of its appearance.
@MainActor
protocol NoteEditorInteracting: AnyObject {
    /// A note; nil if it is not known.
    func entry(_ id: UUID) -> Notes.Entry?
    /// What was typed and not saved.
    func draft(_ id: UUID) -> Notes.Draft?
    /// Keeps what was typed; nil to forget it.
    func keep(_ draft: Notes.Draft?, of id: UUID)
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
    private let library: any Notes.Library
    private let synchronizer: any Notes.Synchronizer

    init(library: any Notes.Library, synchronizer: any Notes.Synchronizer) {
        (self.library, self.synchronizer) = (library, synchronizer)
    }

    func entry(_ id: UUID) -> Notes.Entry? { library.entry(id) }

    func draft(_ id: UUID) -> Notes.Draft? { library.drafts[id] }

    func keep(_ draft: Notes.Draft?, of id: UUID) { library.keep(draft, of: id) }

    var draftProblem: String? { library.draftProblem }

    func load(_ id: UUID) async throws {
        await synchronizer.synchronize(all: false)
        if library.entry(id) == nil { throw UnknownNote(state: synchronizer.state) }
    }

    func save(_ note: Notes.Note, replacing original: Notes.Note?) async throws {
        try await library.save(note, replacing: original)
    }

    func delete(_ id: UUID) async throws { try await library.delete(id) }

    func resolve(_ id: UUID, by choice: Notes.Choice) async throws {
        try await library.resolve(id, by: choice)
    }

    private struct UnknownNote: LocalizedError {
        let state: Notes.SyncState

        var errorDescription: String? {
            switch state {
            case .idle, .running: "There is no such note. It may have been deleted."
            case .signedOut: "This note is not stored here. Sign in to read it from the server."
            case .offline(let reason), .failed(let reason): "This note is not stored here. \(reason)"
            case .unknownNotes: "This note is not stored here. Synchronise your notes first."
            }
        }
    }
}
