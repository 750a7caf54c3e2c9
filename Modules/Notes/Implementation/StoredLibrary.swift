import Foundation
import NotesInterface
import Observation
import RouterServiceInterface
import StorageInterface

/// Keeps the notes of one user in a store, with an outbox of changes that the server does not have.
///
/// The synchroniser needs the library, so the library takes the synchroniser deferred.
@Observable
@MainActor
final class StoredLibrary {
    let author: String
    /// The note that was deleted last, as it was before, for as long as the deletion can be undone.
    private(set) var deleted: StoredNote?

    /// The number of changes of `notes`, which is observed instead of them.
    private var changes = 0
    @ObservationIgnored private var notes: StoredNotes
    @ObservationIgnored private var undoTime: Task<Void, Never>?
    /// The last change, for which the next change waits.
    @ObservationIgnored private var changing: Task<Void, any Error>?
    /// The notes that the user changed since the notes were read from the store.
    @ObservationIgnored private var changed: Set<UUID> = []
    private let sessions: AuthorSessions
    private let open: AuthorSessions.Open
    private let synchronizer: Deferred<any Notes.Synchronizer>
    private let sleep: @Sendable (Duration) async throws -> Void

    static let undoDuration = Duration.seconds(5)

    init(
        sessions: AuthorSessions, synchronizer: Deferred<any Notes.Synchronizer>,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) throws {
        guard let open = sessions.open else { throw Notes.Failure.closed }
        self.open = open
        author = open.author
        notes = open.notes
        self.sessions = sessions
        self.synchronizer = synchronizer
        self.sleep = sleep
    }

    /// Whether the notes can be read and changed: not after their user signed out or another user signed in.
    var isOpen: Bool { sessions.isOpen(open) }

    /// A number that grows with each change of ``entries``.
    var revision: Int { isOpen ? changes : -1 }

    /// The stored notes, the last saved first, after the drafts of new ones.
    var entries: [Notes.Entry] {
        // Reading the revision observes changes.
        _ = revision
        return isOpen ? notes.entries : []
    }

    /// The number of changed or deleted notes that the server does not know.
    var unsentCount: Int { isOpen ? notes.all.count { $0.change != nil } : 0 }
    var draftCount: Int { isOpen ? notes.all.count { $0.draft != nil } : 0 }

    func entry(_ id: UUID) -> Notes.Entry? {
        // The arrival of a missing note is observed too.
        _ = revision
        return isOpen ? notes.entry(notes[id]) : nil
    }

    /// Keeps typed text until the note is saved or deleted; nil forgets the text.
    func keep(_ draft: Notes.Draft?, of id: UUID) {
        guard isOpen, notes[id].draft != draft else { return }
        take([notes[id].with(draft)])
        open.drafts.keep(draft, of: id)
    }

    func storeDrafts() async { sessions.draftFailure = await open.drafts.flush() }

    var draftProblem: String? {
        sessions.draftFailure.map { "What you type is not stored. \(errorMessage(of: $0))" }
    }

    /// Stores a note, which is sent to the server; `original` is the note that the user changed, nil for a new note.
    func save(_ note: Notes.Note, replacing original: Notes.Note?) async throws {
        try await change([note.id]) { $0[note.id]?.save(note, replacing: original) }
        wakeSynchronizer()
    }

    /// Deletes a note here, and on the server after five seconds, in which ``undoDeletion()`` brings the note back.
    func delete(_ id: UUID) async throws {
        guard entry(id) != nil else { throw Notes.Failure.gone }
        endUndoTime()
        // Set before the deletion is stored, so that the deletion is not sent.
        deleted = notes[id]
        do {
            try await change([id]) { $0[id]?.delete() }
        } catch {
            endUndoTime()
            throw error
        }
        beginUndoTime()
    }

    /// Lets the user undo the last deletion during some work, and for the usual time afterwards.
    func keepingUndo(_ work: () async -> Void) async {
        undoTime?.cancel()
        await work()
        beginUndoTime()
    }

    private func beginUndoTime() {
        guard let deleted else { return }
        undoTime?.cancel()
        undoTime = Task { [weak self, sleep] in
            guard (try? await sleep(Self.undoDuration)) != nil, let self, self.deleted == deleted else {
                return
            }
            endUndoTime()
            wakeSynchronizer()
        }
    }

    /// Brings back the note that was deleted last, with its draft.
    func undoDeletion() async throws {
        guard let before = deleted else { throw Notes.Failure.tooLate }
        undoTime?.cancel()
        defer { endUndoTime() }
        try await change([before.id]) { $0[before.id]?.undoDeletion(to: before) }
        wakeSynchronizer()
    }

    func resolve(_ id: UUID, by choice: Notes.Choice) async throws {
        if choice == .keepBoth, let mine = notes[id].unsent {
            // The copy is stored first, so that neither version is lost if the program ends between the changes.
            let copy = Notes.Note(title: mine.title, text: mine.text, changed: mine.changed)
            try await change([copy.id]) { $0[copy.id]?.save(copy, replacing: nil) }
        }
        try await change([id]) { $0[id]?.resolve(keepsMine: choice == .keepMine) }
        wakeSynchronizer()
    }

    private func endUndoTime() {
        undoTime?.cancel()
        undoTime = nil
        deleted = nil
    }

    private func wakeSynchronizer() {
        // A change that is not sent now is sent the next time.
        try? synchronizer.value.begin(all: false)
    }

    /// Changes some notes in the store, each in one step, and then here.
    private func change(
        _ ids: [UUID], _ body: @escaping @MainActor (inout [UUID: StoredNote]) -> Void
    ) async throws {
        let former = changing
        let task = Task {
            _ = await former?.result
            // Notes of a user who signed out are not stored again.
            guard isOpen, sessions.open?.id == open.id else { throw Notes.Failure.closed }
            let before = Dictionary(ids.map { ($0, notes[$0]) }) { first, _ in first }
            var after = before
            body(&after)
            let changes = after.values.filter { $0 != before[$0.id] }
            try await store(changes)
            // Text that was typed meanwhile is newer.
            take(
                changes.map { notes[$0.id].draft == before[$0.id]?.draft ? $0 : $0.with(notes[$0.id].draft) })
            for note in changes where note.draft != before[note.id]?.draft {
                open.drafts.keep(notes[note.id].draft, of: note.id)
            }
        }
        changing = task
        try await task.value
    }

    /// Stores notes; a note that the server has need not survive a loss of power.
    private func store(_ notes: [StoredNote]) async throws(Storage.Failure) {
        for isCopy in [true, false] {
            let values = notes.filter { ($0.sent != nil && $0.change == nil) == isCopy }
                .map { (StoredNotes.key(of: $0.id), $0.isEmpty ? nil : $0) }
            if values.isEmpty { continue }
            try await open.store.set(Dictionary(uniqueKeysWithValues: values), isSynchronized: !isCopy)
        }
    }

    /// Takes over notes that are stored, or are about to be stored.
    private func take(_ notes: [StoredNote]) {
        let own = notes.filter { $0.isUsersOwn || self.notes[$0.id].isUsersOwn }
        changed.formUnion(own.map(\.id))
        if self.notes.update(notes) { changes += 1 }
    }
}

// Changes survive a replacement of the module, whose library begins with notes that were read before.
extension StoredLibrary: Restorable {
    struct SavedState: Codable {
        let notes: [StoredNote]
        let drafts: [UUID: Notes.Draft]
    }

    static var stateScope: StateScope { .memory }

    var savedState: SavedState? {
        guard isOpen, !changed.isEmpty else { return nil }
        let notes = changed.map { self.notes[$0] }
        return SavedState(
            notes: notes,
            drafts: notes.reduce(into: [:]) { $0[$1.id] = $1.draft })
    }

    func restore(_ state: SavedState?) {
        guard let state else { return }
        take(state.notes.map { $0.with(state.drafts[$0.id]) })
        for note in state.notes { open.drafts.keep(state.drafts[note.id], of: note.id) }
        // The former library may be storing changes: the notes are read after that, and before a further change is stored.
        let former = changing
        changing = Task {
            _ = await former?.result
            for note in state.notes {
                guard let stored = try? await open.store.value(for: StoredNotes.key(of: note.id)) else {
                    continue
                }
                take([stored.with(notes[note.id].draft)])
            }
        }
    }
}

// The functions that the synchroniser calls.
extension StoredLibrary {
    /// The notes whose changes are to be sent, the earliest change first.
    var outbox: [UUID] {
        guard isOpen else { return [] }
        return notes.all.compactMap { note in sendable(note.id).map { (note.id, $0.made) } }
            .sorted { $0.1 < $1.1 }.map(\.0)
    }

    /// The change of a note, unless it is in conflict, kept here, or a deletion that can be undone.
    func sendable(_ id: UUID) -> Change? {
        let note = notes[id]
        guard isOpen, !note.isInConflict, deleted?.id != id, let change = note.change, change.isSendable
        else { return nil }
        return change
    }

    /// Stores that the change of a note is about to be sent, and returns the change; nil if the user took it back meanwhile.
    func attempt(_ id: UUID) async throws -> Change? {
        if sendable(id) == nil { return nil }
        try await change([id]) { $0[id]?.attempt() }
        return sendable(id)
    }

    var server: String? { notes.server }

    func belong(to server: String) async throws {
        try await open.store.set(server, for: StoredNotes.serverKey)
        notes.server = server
    }

    /// The identifiers of the notes that a server had or is to be sent, but not of drafts.
    var ids: Set<UUID> {
        Set(notes.all.filter { $0.sent != nil || $0.change.map { $0.isKept != true } ?? false }.map(\.id))
    }

    /// The identifiers of the notes that the server had, also of notes that were deleted here.
    var idsOfServer: Set<UUID> {
        Set(
            notes.all.filter { $0.sent != nil || $0.change?.base != nil || $0.change?.content == .delete }
                .map(\.id))
    }

    func refuse(_ id: UUID, because reason: String?) {
        if notes.refuse(id, because: reason) { changes += 1 }
    }

    /// Stores notes as the server has them, and the server's deletions of notes.
    func receive(_ received: [ServerNote], deleted: [ServerDeletion] = []) async throws {
        let notes = Dictionary(received.map { ($0.id, $0) }) { _, last in last }
        let deletions = Dictionary(deleted.map { ($0.id, $0) }) { _, last in last }
            .filter { notes[$0.key] == nil && self.notes[$0.key] != StoredNote(id: $0.key) }
        guard !notes.isEmpty || !deletions.isEmpty else { return }
        try await keepLostSides(of: notes, deletions)
        try await change(Array(notes.keys) + deletions.keys) { stored in
            for (id, note) in notes { stored[id]?.receive(note) }
            for (id, deletion) in deletions { stored[id]?.receive(deletion) }
        }
    }

    /// Turns server versions that a restored server has lost, and that are in conflict here, into notes of their own.
    private func keepLostSides(
        of notes: [UUID: ServerNote], _ deletions: [UUID: ServerDeletion]
    ) async throws {
        let lost = (Array(notes.keys) + deletions.keys).compactMap { id -> Notes.Note? in
            let note = self.notes[id]
            let isLost = !note.isFollowed(by: notes[id]?.versions ?? deletions[id]?.former)
            return note.isInConflict && isLost ? note.sent?.note : nil
        }
        let copies = lost.map { Notes.Note(title: $0.title, text: $0.text, changed: $0.changed) }
        guard !copies.isEmpty else { return }
        try await change(copies.map(\.id)) { stored in
            for copy in copies { stored[copy.id]?.save(copy, replacing: nil) }
        }
    }

    /// Sends notes again that the server has lost.
    func sendAgain(_ missing: Set<UUID>) async throws {
        try await change(Array(missing)) { for id in missing { $0[id]?.detach(isKept: false) } }
    }

    /// Stores a decision about notes that another server does not know; all notes then belong to that server.
    func decide(_ decision: Notes.Decision, about unknown: Set<UUID>, for server: String) async throws {
        try await change(Array(ids)) { notes in
            for id in notes.keys {
                switch decision {
                case .upload where unknown.contains(id): notes[id]?.detach(isKept: false)
                case .keep where unknown.contains(id): notes[id]?.detach(isKept: true)
                case .remove where unknown.contains(id): notes[id]?.remove()
                // The bases of other changes are versions of the former server.
                default: if notes[id]?.change != nil { notes[id]?.detach(isKept: false) }
                }
            }
        }
        // Stored last, so that a program that is killed meanwhile asks again.
        try await belong(to: server)
    }

    func accept(_ note: ServerNote?, for change: Change, of id: UUID) async throws {
        try await self.change([id]) { $0[id]?.accept(note, for: change) }
    }
}
