import Foundation
import NotesInterface
import StorageInterface

/// The stored notes of one user, and their order in the list.
struct StoredNotes: Sendable {
    /// The user's notes, the last saved first.
    private(set) var entries: [Notes.Entry] = []
    /// The identifier of the server to which the notes belong; nil before the first synchronisation.
    var server: String?
    private var notes: [UUID: StoredNote] = [:]
    /// The reasons why the server refused notes.
    private var refusals: [UUID: String] = [:]

    func entry(_ note: StoredNote) -> Notes.Entry? {
        guard var entry = note.entry else { return nil }
        if case .unsent = entry.status { entry.status = .unsent(refusal: refusals[note.id]) }
        return entry
    }

    var all: some Collection<StoredNote> { notes.values }

    subscript(id: UUID) -> StoredNote { notes[id] ?? StoredNote(id: id) }

    static let serverKey = Storage.Key<String>("notes/server")
    private static let notesFolder = "notes/notes/"
    private static let draftsFolder = "notes/drafts/"

    static func key(of note: UUID) -> Storage.Key<StoredNote> {
        Storage.Key(notesFolder + note.uuidString.lowercased())
    }

    static func key(ofDraft note: UUID) -> Storage.Key<Notes.Draft> {
        Storage.Key(draftsFolder + note.uuidString.lowercased())
    }

    /// Reads all notes, of which there may be ten thousand, on another thread than the main actor's.
    @concurrent
    static func read(from store: any Storage.Store) async throws(Storage.Failure) -> StoredNotes {
        var notes = StoredNotes()
        notes.server = try await store.value(for: serverKey)
        for note in try await store.values(of: StoredNote.self, in: notesFolder).values {
            notes.notes[note.id] = note
        }
        for (name, draft) in try await store.values(of: Notes.Draft.self, in: draftsFolder) {
            let id = UUID(uuidString: String(name.dropFirst(draftsFolder.count)))
            guard let id else { continue }
            let note = notes[id]
            if !note.has(draft) { notes.notes[id] = note.with(draft) }
        }
        notes.entries = notes.all.compactMap(notes.entry)
        notes.sortEntries()
        return notes
    }

    /// Takes over some notes.
    ///
    /// - Returns: Whether a note has changed.
    mutating func update(_ notes: some Sequence<StoredNote>) -> Bool {
        var changed: Set<UUID> = []
        for note in notes where self[note.id] != note {
            self.notes[note.id] = note == StoredNote(id: note.id) ? nil : note
            changed.insert(note.id)
        }
        return replaceEntries(of: changed)
    }

    /// Takes over why the server refused a note; nil if the server took it.
    ///
    /// - Returns: Whether the reason has changed.
    mutating func refuse(_ id: UUID, because reason: String?) -> Bool {
        guard refusals[id] != reason else { return false }
        refusals[id] = reason
        return replaceEntries(of: [id])
    }

    private mutating func replaceEntries(of changed: Set<UUID>) -> Bool {
        guard let first = changed.first else { return false }
        // A draft, which changes with each key, stays where it is in the list.
        if changed.count == 1, let entry = entry(self[first]),
            let index = entries.firstIndex(where: { $0.id == first }),
            entries[index].note.changed == entry.note.changed
        {
            entries[index] = entry
            return true
        }
        entries.removeAll { changed.contains($0.id) }
        entries += changed.compactMap { entry(self[$0]) }
        sortEntries()
        return true
    }

    private mutating func sortEntries() {
        // Sorting the entries themselves takes four times as long.
        let order = entries.indices.sorted { Self.isBefore(entries[$0], entries[$1]) }
        entries = order.map { entries[$0] }
    }

    private static func isBefore(_ first: Notes.Entry, _ second: Notes.Entry) -> Bool {
        let (first, second) = (first.note, second.note)
        if first.changed != second.changed { return first.changed > second.changed }
        return first.id.uuidString > second.id.uuidString
    }
}
