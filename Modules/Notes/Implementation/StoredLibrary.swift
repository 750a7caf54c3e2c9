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
    /// The number of changes of `stored`, which is observed instead of them.
    private var changes = 0
    @ObservationIgnored private var stored: StoredNotes
    /// The last change, for which the next change waits.
    @ObservationIgnored private var changing: Task<[StoredNote], any Error>?
    private let sessions: AuthorSessions
    private let open: AuthorSessions.Open
    private let synchronizer: Deferred<any Notes.Synchronizer>

    init(sessions: AuthorSessions, synchronizer: Deferred<any Notes.Synchronizer>) throws {
        guard let open = sessions.open else { throw Notes.Failure.closed }
        self.open = open
        author = open.author
        stored = open.notes
        self.sessions = sessions
        self.synchronizer = synchronizer
    }

    /// Whether the notes can be read and changed: not after their user signed out or another user signed in.
    var isOpen: Bool { sessions.isOpen(open) }

    /// The reason why the notes can be neither read nor changed; nil while they are open.
    var closed: String? {
        isOpen ? nil : "The notes of \(author) are closed, because \(author) is not signed in."
    }

    /// A number that grows with each change of ``notes``.
    var revision: Int { isOpen ? changes : -1 }

    /// The notes, the last saved or begun first.
    var notes: [Notes.ListedNote] {
        // Reading the revision observes changes.
        _ = revision
        return isOpen ? stored.listed() : []
    }

    /// The number of changed or deleted notes that the server does not know.
    var unsentCount: Int { isOpen ? stored.all.count { $0.change != nil } : 0 }
    var draftCount: Int { isOpen ? stored.all.count { $0.draft != nil } : 0 }

    func note(_ id: UUID) -> Notes.ListedNote? {
        // The arrival of a missing note is observed too.
        _ = revision
        return isOpen ? stored[id].listed : nil
    }

    /// Keeps typed text until the note is saved or deleted; nil forgets the text.
    func keep(_ draft: Notes.Draft?, of id: UUID) {
        guard isOpen, stored[id].draft != draft else { return }
        take([stored[id].with(draft)])
        open.drafts.keep(draft, of: id)
    }

    func storeDrafts() async { sessions.draftFailure = await open.drafts.flush() }

    var draftProblem: String? {
        sessions.draftFailure.map { "What you type is not stored. \(errorMessage(of: $0))" }
    }

    /// Stores a note, which is sent to the server; `original` is the note that the user changed, nil for a new note.
    func save(_ note: Notes.Note, replacing original: Notes.Note?) async throws {
        try await change([note.id]) { $0.save(note, replacing: original) }
        wakeSynchronizer()
    }

    /// Deletes a note here, and then on the server.
    func delete(_ id: UUID) async throws {
        guard note(id) != nil else { throw Notes.Failure.gone }
        try await change([id]) { $0.delete() }
        // A draft that outlives its note would be the draft of a new note.
        await storeDrafts()
        wakeSynchronizer()
    }

    func resolve(_ id: UUID, by choice: Notes.Choice) async throws {
        if choice == .keepBoth, stored[id].isInConflict, let mine = stored[id].note {
            // The copy is stored first, so that neither version is lost if the program ends between the changes.
            let copy = Notes.Note(title: mine.title, text: mine.text, changed: mine.changed)
            try await change([copy.id]) { $0.save(copy, replacing: nil) }
        }
        try await change([id]) { $0.resolve(keepsMine: choice == .keepMine) }
        wakeSynchronizer()
    }

    private func wakeSynchronizer() {
        // A change that is not sent now is sent the next time.
        try? synchronizer.value.begin(all: false)
    }

    /// Changes some notes in the store, each in one step, and then here.
    ///
    /// - Returns: The notes that are different now.
    @discardableResult
    private func change(
        _ ids: Set<UUID>, _ body: @escaping @MainActor (inout StoredNote) -> Void
    ) async throws -> [StoredNote] {
        if ids.isEmpty { return [] }
        let former = changing
        let task = Task<[StoredNote], any Error> {
            _ = await former?.result
            // Notes of a user who signed out are not stored again.
            guard isOpen else { throw Notes.Failure.closed }
            let changes = ids.compactMap { id -> (note: StoredNote, draft: Notes.Draft?)? in
                var note = stored[id]
                body(&note)
                if note == stored[id] { return nil }
                return (note, stored[id].draft)
            }
            if changes.isEmpty { return [] }
            try await store(changes.map(\.note))
            take(
                changes.map { note, draft in
                    // Text that was typed meanwhile is newer.
                    stored[note.id].draft == draft ? note : note.with(stored[note.id].draft)
                })
            for (note, draft) in changes where note.draft != draft {
                open.drafts.keep(stored[note.id].draft, of: note.id)
            }
            return changes.map(\.note)
        }
        changing = task
        return try await task.value
    }

    /// Stores notes; a note that the server has need not survive a loss of power.
    private func store(_ notes: [StoredNote]) async throws(Storage.Failure) {
        let store = open.store
        try await Storage.onDisk { () throws(Storage.Failure) in
            for note in notes {
                let isCopy = note.sent != nil && note.change == nil
                let key = StoredNotes.key(of: note.id)
                try store.setNow(note.isEmpty ? nil : note, for: key, isSynchronized: !isCopy)
            }
        }
    }

    /// Takes over notes that are stored, or are about to be stored.
    private func take(_ notes: [StoredNote]) {
        for note in notes { stored[note.id] = note }
        changes += 1
    }
}

// Drafts survive a replacement of the module, whose library begins with notes that were read before.
extension StoredLibrary: Restorable {
    static var stateScope: StateScope { .memory }

    var savedState: [UUID: Notes.Draft]? {
        guard isOpen else { return nil }
        return stored.all.reduce(into: [UUID: Notes.Draft]()) { $0[$1.id] = $1.draft }
    }

    func restore(_ drafts: [UUID: Notes.Draft]?) {
        guard let drafts else { return }
        for id in Set(drafts.keys).union(stored.all.filter { $0.draft != nil }.map(\.id)) {
            keep(drafts[id], of: id)
        }
        // The former library may have stored changes since the notes were read. They are read before a further change is stored.
        let former = changing
        changing = Task<[StoredNote], any Error> {
            _ = await former?.result
            var read = try await StoredNotes.read(from: open.store)
            for id in (Array(read.all) + stored.all).filter({ $0.draft != nil }).map(\.id) {
                read[id].draft = stored[id].draft
            }
            stored = read
            changes += 1
            return []
        }
    }
}

// The functions that the synchroniser calls.
extension StoredLibrary {
    /// The notes whose changes are to be sent, the earliest change first.
    var outbox: [UUID] {
        guard isOpen else { return [] }
        return stored.all.compactMap { note in note.sendableChange.map { (note.id, $0.made) } }
            .sorted { $0.1 < $1.1 }.map(\.0)
    }

    /// The change of a note that is to be sent.
    func sendable(_ id: UUID) -> Change? { isOpen ? stored[id].sendableChange : nil }

    /// Stores that the change of a note is about to be sent, and returns the change; nil if the user took it back meanwhile.
    func attempt(_ id: UUID) async throws -> Change? {
        if sendable(id) == nil { return nil }
        try await change([id]) { $0.attempt() }
        return sendable(id)
    }

    /// The title of a note, also of a note that the user deleted.
    func title(of id: UUID) -> String { stored[id].note?.title ?? stored[id].sent?.title ?? "" }

    /// The identifier of the server to which the notes belong; nil before the first synchronisation.
    var serverID: String? { stored.serverID }

    func belong(toServer id: String) async throws {
        try await open.store.set(id, for: StoredNotes.serverIDKey)
        stored.serverID = id
    }

    /// The identifiers of the notes that a server had or is to be sent, but not of drafts.
    var ids: Set<UUID> { Set(stored.all.filter { !$0.isEmpty }.map(\.id)) }

    /// Stores notes as the server has them, and the server's deletions of notes.
    func receive(_ received: [ServerNote], deleted: [ServerDeletion] = []) async throws {
        let notes = Dictionary(received.map { ($0.id, $0) }) { $1 }
        let deletions = Dictionary(deleted.map { ($0.id, $0) }) { $1 }
        try await change(Set(notes.keys).union(deletions.keys)) { note in
            if let received = notes[note.id] {
                note.receive(received)
            } else if let deletion = deletions[note.id] {
                note.receive(deletion)
            }
        }
    }

    /// Sends notes again that the server has lost; the user decides about conflicts first.
    ///
    /// - Returns: Whether there is a note to send.
    func sendAgain(_ missing: Set<UUID>) async throws -> Bool {
        try await change(missing) { if !$0.isInConflict { $0.detach() } }
            .contains { $0.sendableChange != nil }
    }

    /// Stores a decision about notes that another server does not know; all notes then belong to that server.
    func decide(_ decision: Notes.Decision, about unknown: Set<UUID>, forServer id: String) async throws {
        try await change(ids) { note in
            let isUnknown = unknown.contains(note.id)
            if isUnknown, decision == .remove {
                note.remove()
            } else if isUnknown || note.change != nil {
                // The base of a change is a version of the former server.
                note.detach()
            }
        }
        // Stored last, so that a program that is killed meanwhile asks again.
        try await belong(toServer: id)
    }

    func accept(_ note: ServerNote?, for change: Change, of id: UUID) async throws {
        try await self.change([id]) { $0.accept(note, for: change) }
    }
}
