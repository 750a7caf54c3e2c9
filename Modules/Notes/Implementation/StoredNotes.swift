import Foundation
import NotesInterface
import StorageInterface

/// The stored notes of one user, and their order in the list.
struct StoredNotes: Sendable {
    /// The identifier of the server to which the notes belong; nil before the first synchronisation.
    var serverID: String?
    private var notes: [UUID: StoredNote] = [:]
    /// The notes that a killed program saved without removing their drafts.
    private(set) var savedDrafts: [UUID] = []
    /// The notes in the order of the list; nil from a change until they are requested.
    private var sorted: [Notes.ListedNote]?

    var all: some Collection<StoredNote> { notes.values }

    subscript(id: UUID) -> StoredNote {
        get { notes[id] ?? StoredNote(id: id) }
        set {
            notes[id] = newValue == StoredNote(id: id) ? nil : newValue
            sorted = nil
        }
    }

    /// The user's notes, the last saved or begun first.
    mutating func listed() -> [Notes.ListedNote] {
        if let sorted { return sorted }
        let listed = notes.values.compactMap(\.listed)
        // Sorting the elements themselves takes four times as long.
        let order = listed.indices.sorted { Self.isBefore(listed[$0].note, listed[$1].note) }
        let result = order.map { listed[$0] }
        sorted = result
        return result
    }

    private static func isBefore(_ first: Notes.Note, _ second: Notes.Note) -> Bool {
        if first.changed != second.changed { return first.changed > second.changed }
        return first.id.uuidString > second.id.uuidString
    }

    static let serverIDKey = Storage.Key<String>("notes/server")
    private static let notesFolder = "notes/notes/"
    private static let draftsFolder = "notes/drafts/"

    static func key(of note: UUID) -> Storage.Key<StoredNote> {
        Storage.Key(notesFolder + note.uuidString.lowercased())
    }

    static func key(ofDraft note: UUID) -> Storage.Key<Notes.Draft> {
        Storage.Key(draftsFolder + note.uuidString.lowercased())
    }

    /// Reads and sorts all notes, of which there may be ten thousand, on another thread than the main actor's.
    @concurrent
    static func read(from store: any Storage.Store) async throws(Storage.Failure) -> StoredNotes {
        var notes = StoredNotes()
        notes.serverID = try await store.value(for: serverIDKey)
        for note in try await store.values(of: StoredNote.self, in: notesFolder).values {
            notes.notes[note.id] = note
        }
        for (name, draft) in try await store.values(of: Notes.Draft.self, in: draftsFolder) {
            let id = UUID(uuidString: String(name.dropFirst(draftsFolder.count)))
            guard let id else { continue }
            let note = notes[id]
            if note.has(draft) { notes.savedDrafts.append(id) } else { notes.notes[id] = note.with(draft) }
        }
        _ = notes.listed()
        return notes
    }
}
