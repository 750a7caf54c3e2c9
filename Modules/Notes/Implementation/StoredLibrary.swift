import Foundation
import NotesInterface
import Observation
import RouterServiceInterface
import StorageInterface

/// Keeps the notes of one user in a store, with an outbox of changes that the server does not have.
///
/// It wakes the synchroniser when there is something to send, and the synchroniser writes the server's answers here: each
/// needs the other, so the library takes the synchroniser deferred.
@Observable
@MainActor
final class StoredLibrary: Notes.Library {
    let author: String
    private(set) var deleted: Notes.Note?

    /// The number of changes of `notes`, which is observed instead of them.
    private var changes = 0
    @ObservationIgnored private var notes: StoredNotes
    /// The note of `deleted` as it was stored before.
    @ObservationIgnored private var beforeDeletion: StoredNote?
    @ObservationIgnored private var undoTime: Task<Void, Never>?
    private let sessions: AuthorSessions
    private let open: AuthorSessions.Open
    private let synchronizer: Deferred<any Notes.Synchronizer>
    private let sleep: @Sendable (Duration) async throws -> Void

    /// How long a deletion can be undone.
    static let undoDuration = Duration.seconds(5)

    /// Creates the library of the notes that are open.
    init(
        sessions: AuthorSessions, synchronizer: Deferred<any Notes.Synchronizer>,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) throws {
        guard let open = sessions.open else { throw LibraryFailure.closed }
        (self.open, author, notes) = (open, open.author, open.notes)
        (self.sessions, self.synchronizer, self.sleep) = (sessions, synchronizer, sleep)
    }

    var revision: Int { isOpen ? changes : -1 }

    var entries: [Notes.Entry] {
        // Read so that changes are observed.
        _ = revision
        return isOpen ? notes.entries : []
    }

    var damage: String? { isOpen ? open.store.damage?.description : nil }

    var unsentCount: Int { isOpen ? notes.all.count { $0.change != nil } : 0 }

    func entry(_ id: UUID) -> Notes.Entry? {
        // Also read if there is no such note, so that its arrival is observed.
        _ = revision
        return isOpen ? notes[id]?.entry : nil
    }

    func save(_ note: Notes.Note, replacing original: Notes.Note?) async throws {
        try await change([note.id]) { $0[note.id]?.save(note, replacing: original) }
        wakeSynchronizer()
    }

    func delete(_ id: UUID) async throws {
        guard let entry = entry(id), let before = notes[id] else { throw LibraryFailure.gone }
        endUndoTime()
        // Before the change is stored, so that it is not sent until the time is over.
        (deleted, beforeDeletion) = (entry.note, before)
        do {
            try await change([id]) { $0[id]?.delete() }
        } catch {
            endUndoTime()
            throw error
        }
        undoTime = Task { [weak self, sleep] in
            guard (try? await sleep(Self.undoDuration)) != nil, let self, deleted?.id == id else { return }
            endUndoTime()
            wakeSynchronizer()
        }
    }

    func undoDeletion() async throws {
        guard let before = beforeDeletion else { throw LibraryFailure.tooLate }
        undoTime?.cancel()
        defer { endUndoTime() }
        try await change([before.id]) { $0[before.id]?.undoDeletion(to: before) }
        wakeSynchronizer()
    }

    func resolve(_ id: UUID, by choice: Notes.Choice) async throws {
        let copy = UUID()
        try await change([id, copy]) { notes in
            if choice == .keepBoth, let mine = notes[id]?.unsent {
                let note = Notes.Note(id: copy, title: mine.title, text: mine.text, changed: mine.changed)
                notes[copy]?.save(note, replacing: nil)
            }
            notes[id]?.resolve(keepsMine: choice == .keepMine)
        }
        wakeSynchronizer()
    }

    private var isOpen: Bool { sessions.open === open }

    private func endUndoTime() {
        undoTime?.cancel()
        (undoTime, deleted, beforeDeletion) = (nil, nil, nil)
    }

    private func wakeSynchronizer() {
        // Stored changes are sent the next time in any case.
        try? synchronizer.value.begin(all: false)
    }

    /// Changes some notes, all or none, in the store and then here.
    private func change(
        _ ids: [UUID], _ body: @Sendable (inout [UUID: StoredNote]) -> Void
    ) async throws {
        guard isOpen else { throw LibraryFailure.closed }
        try await open.store.transaction { values in
            var notes: [UUID: StoredNote] = [:]
            for id in ids { notes[id] = try StoredNote(id, in: values) }
            let former = notes
            body(&notes)
            for (id, note) in former { try (notes[id] ?? note).write(to: &values, replacing: note) }
        }
        // Read again, because another transaction may have come between.
        if try notes.update(ids, from: open.store.values) { changes += 1 }
    }
}

// The synchroniser's access to the notes.
extension StoredLibrary {
    /// The changes to send, in the order in which they were made: without conflicts for the user to resolve, and without a
    /// deletion that can be undone.
    var outbox: [(id: UUID, change: Change)] {
        guard isOpen else { return [] }
        return notes.all.filter { !$0.isInConflict && $0.id != deleted?.id }
            .compactMap { note in note.change.map { (note.id, $0) } }
            .sorted { $0.change.made < $1.change.made }
    }

    /// Whether a change has been neither replaced nor taken back since it was read.
    func isPending(_ change: Change, of id: UUID) -> Bool {
        isOpen && notes[id]?.change == change && deleted?.id != id
    }

    /// The identifiers of the notes that the server had the last time.
    var sentIDs: Set<UUID> { Set(notes.all.filter { $0.sent != nil }.map(\.id)) }

    /// Stores notes as the server has them.
    func receive(_ received: [ServerNote]) async throws {
        let notes = Dictionary(received.map { ($0.id, $0) }) { first, _ in first }
        try await change(Array(notes.keys)) { for (id, note) in notes { $0[id]?.receive(note) } }
    }

    /// Stores that the server no longer has some notes.
    func receive(deleted ids: Set<UUID>) async throws {
        if !ids.isEmpty { try await change(Array(ids)) { for id in ids { $0[id]?.receive(nil) } } }
    }

    /// Stores the server's answer to a change.
    func accept(_ note: ServerNote?, for change: Change, of id: UUID) async throws {
        try await self.change([id]) { $0[id]?.accept(note, for: change) }
    }
}

/// The reason why notes cannot be changed.
enum LibraryFailure: LocalizedError {
    case closed, gone, tooLate

    var errorDescription: String? {
        switch self {
        case .closed:
            "These notes are closed, because their user signed out. Go back and open your notes again."
        case .gone: "This note was deleted."
        case .tooLate: "The note is deleted, and can no longer be restored."
        }
    }
}
