import Foundation
import NotesInterface
import StorageInterface

/// The stored notes of one user, and their order in the list.
struct StoredNotes: Sendable {
    /// The notes that the user has, the last saved first.
    private(set) var entries: [Notes.Entry] = []
    private var notes: [UUID: StoredNote] = [:]

    var all: some Collection<StoredNote> { notes.values }

    subscript(id: UUID) -> StoredNote? { notes[id] }

    /// Reads all notes, not on the main actor: there may be ten thousand.
    @concurrent
    static func read(from values: Storage.Values) async throws -> StoredNotes {
        var notes = StoredNotes()
        _ = try notes.update(StoredNote.ids(in: values), from: values)
        return notes
    }

    /// Reads some notes again.
    ///
    /// - Returns: Whether one of them has changed.
    mutating func update(_ ids: some Sequence<UUID>, from values: Storage.Values) throws -> Bool {
        var changed: Set<UUID> = []
        for note in try ids.map({ try StoredNote($0, in: values) }) {
            let stored = note.sent == nil && note.change == nil ? nil : note
            if notes[note.id] != stored { changed.insert(note.id) }
            notes[note.id] = stored
        }
        guard !changed.isEmpty else { return false }
        entries.removeAll { changed.contains($0.id) }
        entries += changed.compactMap { notes[$0]?.entry }
        // Quick where few have changed, because the others are in order.
        entries.sort(by: Self.isBefore)
        return true
    }

    /// Whether a note was saved after another: the server's dates have whole seconds, and its versions grow.
    private static func isBefore(_ first: Notes.Entry, _ second: Notes.Entry) -> Bool {
        let (first, second) = (first.note, second.note)
        if first.changed != second.changed { return first.changed > second.changed }
        let (version, other) = (first.version ?? "", second.version ?? "")
        if version.utf8.count != other.utf8.count { return version.utf8.count > other.utf8.count }
        if version != other { return version > other }
        return first.id.uuidString > second.id.uuidString
    }
}
