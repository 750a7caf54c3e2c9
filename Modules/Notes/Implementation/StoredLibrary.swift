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
final class StoredLibrary {
    let author: Identifier
    /// The note that was deleted last, as it was before, for as long as this can be undone.
    private(set) var deleted: StoredNote?
    /// The note in focus, which the list and a preview share.
    var focus: UUID?
    /// A description of what keeps typed text from being stored.
    private(set) var draftProblem: String?

    /// The number of changes of `notes`, which is observed instead of them.
    private var changes = 0
    @ObservationIgnored private var notes: StoredNotes
    @ObservationIgnored private var undoTime: Task<Void, Never>?
    /// What was typed and is not stored yet, nil where it was discarded; and the task that will store it.
    @ObservationIgnored private var typed: [UUID: Notes.Draft?] = [:]
    @ObservationIgnored private var storing: Task<Void, Never>?
    /// The notes that were written here, and so may be stored since another library was prepared to replace this one.
    @ObservationIgnored private var written: Set<UUID> = []
    private let sessions: AuthorSessions
    private let open: AuthorSessions.Open
    private let synchronizer: Deferred<any Notes.Synchronizer>
    private let sleep: @Sendable (Duration) async throws -> Void

    /// How long a deletion can be undone.
    static let undoDuration = Duration.seconds(5)
    /// How old a draft is at most when it is stored.
    static let draftDuration = Duration.milliseconds(500)

    /// Creates the library of the notes that are open.
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

    /// Whether the notes can be read and changed: not after their user has signed out, or another has signed in.
    var isOpen: Bool { sessions.isOpen(open) }

    /// A number that grows with each change of ``entries``.
    var revision: Int { isOpen ? changes : -1 }

    /// The stored notes, the last saved first, after the drafts of new ones.
    var entries: [Notes.Entry] {
        // Read so that changes are observed.
        _ = revision
        return isOpen ? notes.entries : []
    }

    /// The number of changed or deleted notes of which the server does not know, and that of drafts.
    var unsentCount: Int { isOpen ? notes.all.count { $0.change != nil } : 0 }
    var draftCount: Int { isOpen ? notes.all.count { $0.draft != nil } : 0 }

    /// Returns a note with what was typed of it, or nil.
    func entry(_ id: UUID) -> Notes.Entry? {
        // Also read if there is no such note, so that its arrival is observed.
        _ = revision
        return isOpen ? notes.entry(note(id)) : nil
    }

    private func note(_ id: UUID) -> StoredNote {
        var note = notes[id] ?? StoredNote(id: id)
        if let draft = typed[id] { note.draft = draft }
        return note
    }

    /// Keeps what was typed until the note is saved or deleted; nil to forget it.
    func keep(_ draft: Notes.Draft?, of id: UUID) {
        guard isOpen, note(id).draft != draft else { return }
        typed.updateValue(draft, forKey: id)
        changes += 1
        guard storing == nil else { return }
        storing = Task { [weak self, sleep] in
            try? await sleep(Self.draftDuration)
            self?.storing = nil
            await self?.storeDrafts()
        }
    }

    /// Stores what was typed.
    func storeDrafts() async {
        // Also while another user is signed in, but not after a sign-out.
        guard !typed.isEmpty, sessions.open?.id == open.id else { return }
        let drafts = typed
        do {
            try await change(Array(drafts.keys), alsoClosed: true) {
                for (id, draft) in drafts { $0[id]?.draft = draft }
            }
            draftProblem = nil
            // What was typed meanwhile is newer.
            typed = typed.filter { drafts[$0.key] != $0.value }
        } catch {
            draftProblem = "What you type is not stored. \(errorMessage(of: error))"
        }
    }

    /// Stores a note, to be sent to the server; `original` is the note that the user changed, nil for a new one.
    func save(_ note: Notes.Note, replacing original: Notes.Note?) async throws {
        try await change([note.id]) { $0[note.id]?.save(note, replacing: original) }
        typed.removeValue(forKey: note.id)
        wakeSynchronizer()
    }

    /// Deletes a note; for five seconds, ``undoDeletion()`` brings it back, after which the server is asked to delete it.
    ///
    /// When the program ends before, the note is deleted all the same.
    func delete(_ id: UUID) async throws {
        guard entry(id) != nil else { throw Notes.Failure.gone }
        endUndoTime()
        // Before the change is stored, so that it is not sent until the time is over.
        deleted = note(id)
        do {
            try await change([id]) { $0[id]?.delete() }
            typed.removeValue(forKey: id)
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

    /// Brings back the note that was deleted last, with what was typed of it.
    func undoDeletion() async throws {
        guard let before = deleted else { throw Notes.Failure.tooLate }
        undoTime?.cancel()
        defer { endUndoTime() }
        try await change([before.id]) { $0[before.id]?.undoDeletion(to: before) }
        wakeSynchronizer()
    }

    /// Resolves a conflict.
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

    private func endUndoTime() {
        undoTime?.cancel()
        (undoTime, deleted) = (nil, nil)
    }

    private func wakeSynchronizer() {
        // Stored changes are sent the next time in any case.
        try? synchronizer.value.begin(all: false)
    }

    /// Changes some notes, all or none, in the store and then here.
    private func change(
        _ ids: [UUID], of server: Identifier? = nil, alsoClosed: Bool = false,
        _ body: @Sendable (inout [UUID: StoredNote]) -> Void
    ) async throws {
        guard isOpen || alsoClosed else { throw Notes.Failure.closed }
        written.formUnion(ids)
        try await open.store.transaction { values in
            if let server { try values.set(server, for: StoredNote.server) }
            var notes: [UUID: StoredNote] = [:]
            for id in ids { notes[id] = StoredNote(id, in: &values) }
            let former = notes
            body(&notes)
            for (id, note) in former { try (notes[id] ?? note).write(to: &values, replacing: note) }
        }
        // Read again, because another transaction may have come between.
        if notes.update(ids, from: open.store.values) { changes += 1 }
    }
}

// What was typed and stored last survives a replacement of the module, also where it is being stored.
extension StoredLibrary: Restorable {
    struct SavedState: Codable {
        let typed: [UUID: Notes.Draft?]
        let written: Set<UUID>
    }

    static var stateScope: StateScope { .memory }

    var savedState: SavedState? {
        isOpen && !(typed.isEmpty && written.isEmpty) ? SavedState(typed: typed, written: written) : nil
    }

    /// What was typed is not taken back: it may be stored already.
    func restore(_ state: SavedState?) {
        guard let state else { return }
        for (id, draft) in state.typed { keep(draft, of: id) }
        written = state.written
        if notes.update(written, from: open.store.values) { changes += 1 }
        // Read again behind what is being stored.
        Task { try? await change(Array(state.written), alsoClosed: true) { _ in } }
    }
}

// The synchroniser's access to the notes.
extension StoredLibrary {
    /// The changes to send, in the order in which they were made: without conflicts for the user to resolve, and without a
    /// deletion that can be undone.
    var outbox: [(id: UUID, change: Change)] {
        guard isOpen else { return [] }
        return notes.all.filter { !$0.isInConflict && $0.id != deleted?.id && $0.change?.isSendable == true }
            .compactMap { note in note.change.map { (note.id, $0) } }
            .sorted { $0.change.made < $1.change.made }
    }

    /// Whether a change has been neither replaced nor taken back since it was read.
    func isPending(_ change: Change, of id: UUID) -> Bool {
        isOpen && notes[id]?.change == change && deleted?.id != id
    }

    /// The identifier of the server to which the notes belong; nil before they were compared with one.
    var server: Identifier? {
        get throws { try open.store.values.value(for: StoredNote.server) }
    }

    /// The identifiers of the notes that the server had the last time, and those of the changes that are to be sent to it.
    ///
    /// Drafts are neither: what was not saved is nobody's but the user's.
    var ids: (sent: Set<UUID>, others: Set<UUID>) {
        let sent = Set(notes.all.filter { $0.sent != nil }.map(\.id))
        return (
            sent,
            Set(notes.all.filter { $0.change.map { $0.isKept != true } ?? false }.map(\.id)).subtracting(sent)
        )
    }

    /// Stores that the outbox is about to be sent.
    func attempt() async throws {
        try await change(outbox.map(\.id)) { notes in for id in notes.keys { notes[id]?.attempt() } }
    }

    /// Takes over why a note could not be sent; nil if it could.
    func refuse(_ id: UUID, because reason: String?) {
        if notes.refuse(id, because: reason) { changes += 1 }
    }

    /// Whether a server does not know versions that it has given.
    func isAhead(of versions: NotesAPI.ServerVersions) -> Bool {
        notes.all.contains { $0.sent.map { !versions.include($0.version) } ?? false }
    }

    /// Stores notes as the server has them, and that it does not have others.
    func receive(
        _ received: [ServerNote], deleted: Set<UUID> = [],
        from versions: NotesAPI.ServerVersions = NotesAPI.ServerVersions()
    ) async throws {
        let notes = Dictionary(received.map { ($0.id, $0) }) { first, _ in first }
        let deleted = deleted.subtracting(notes.keys).filter { self.notes[$0] != nil }
        guard !notes.isEmpty || !deleted.isEmpty else { return }
        // The other side of a conflict that the server has lost is here alone, and becomes a note of its own.
        let lost = (Array(notes.keys) + deleted).compactMap { id in
            self.notes[id].flatMap { $0.isInConflict ? $0.sent : nil }
                .flatMap { $0.isLost(by: versions, which: notes[id]) ? $0.note : nil }
        }
        let copies = Dictionary(uniqueKeysWithValues: lost.map { (UUID(), $0) })
        try await change(Array(notes.keys) + deleted + copies.keys) { stored in
            for id in stored.keys where copies[id] == nil { stored[id]?.receive(notes[id], from: versions) }
            for (id, other) in copies {
                let copy = Notes.Note(id: id, title: other.title, text: other.text, changed: other.changed)
                stored[id]?.save(copy, replacing: nil)
            }
        }
    }

    /// Stores a decision about notes that a server does not know, to which they all belong from then on.
    func decide(_ decision: Notes.Decision, about unknown: Set<UUID>, for server: Identifier) async throws {
        let isOther = try self.server != server
        try await change(Array(ids.sent.union(ids.others)), of: server) { notes in
            for id in notes.keys {
                switch decision {
                case .upload where unknown.contains(id): notes[id]?.detach(isKept: false)
                case .keep where unknown.contains(id): notes[id]?.detach(isKept: true)
                case .remove where unknown.contains(id): notes[id]?.remove()
                // Versions are of the server that gave them.
                default: if isOther, notes[id]?.change != nil { notes[id]?.detach(isKept: false) }
                }
            }
        }
    }

    /// Stores that the notes belong to a server.
    func adopt(_ server: Identifier) async throws { try await change([], of: server) { _ in } }

    /// Stores the server's answer to a change.
    func accept(_ note: ServerNote?, for change: Change, of id: UUID) async throws {
        try await self.change([id]) { $0[id]?.accept(note, for: change) }
    }
}
