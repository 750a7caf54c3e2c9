import Foundation
import NotesInterface
import RouterServiceInterface
import StorageInterface

/// The stored notes of one user, and their order in the list.
struct StoredNotes: Sendable {
    /// The notes that the user has, the last saved first.
    private(set) var entries: [Notes.Entry] = []
    private var notes: [UUID: StoredNote] = [:]
    /// The reasons why notes could not be sent the last time.
    private var refusals: [UUID: String] = [:]

    /// A note as the user has it, with why the server refused it.
    func entry(_ note: StoredNote) -> Notes.Entry? {
        guard var entry = note.entry else { return nil }
        if case .unsent = entry.status { entry.status = .unsent(refusal: refusals[note.id]) }
        return entry
    }

    var all: some Collection<StoredNote> { notes.values }

    subscript(id: UUID) -> StoredNote? { notes[id] }

    /// Reads all notes, not on the main actor: there may be ten thousand.
    ///
    /// What cannot be read is set aside, and the other notes are there all the same.
    @concurrent
    static func read(from store: any Storage.Store) async -> StoredNotes {
        // Where what was set aside cannot be saved, that is done again the next time.
        if let notes = try? await store.transaction({ StoredNotes(&$0) }) { return notes }
        var values = store.values
        return StoredNotes(&values)
    }

    private init(_ values: inout Storage.Values) {
        _ = values.intactValue(for: StoredNote.server)
        let ids = StoredNote.ids(in: values)
        for id in ids { notes[id] = StoredNote(id, in: &values) }
        _ = replaceEntries(of: ids)
    }

    /// Reads some notes again.
    ///
    /// - Returns: Whether one of them has changed.
    mutating func update(_ ids: some Sequence<UUID>, from values: Storage.Values) -> Bool {
        var (changed, values): (Set<UUID>, Storage.Values) = ([], values)
        for note in ids.map({ StoredNote($0, in: &values) }) {
            let stored = note == StoredNote(id: note.id) ? nil : note
            if notes[note.id] != stored { changed.insert(note.id) }
            notes[note.id] = stored
        }
        return replaceEntries(of: changed)
    }

    /// Takes over why a note could not be sent; nil if it could.
    ///
    /// - Returns: Whether that has changed.
    mutating func refuse(_ id: UUID, because reason: String?) -> Bool {
        guard refusals[id] != reason else { return false }
        refusals[id] = reason
        return replaceEntries(of: [id])
    }

    private mutating func replaceEntries(of changed: Set<UUID>) -> Bool {
        guard !changed.isEmpty else { return false }
        entries.removeAll { changed.contains($0.id) }
        entries += changed.compactMap { notes[$0].flatMap(entry) }
        // Quick where few have changed, because the others are in order.
        entries.sort(by: Self.isBefore)
        return true
    }

    /// Whether a note was saved after another: the server's dates have whole seconds, and its versions grow.
    private static func isBefore(_ first: Notes.Entry, _ second: Notes.Entry) -> Bool {
        let (first, second) = (first.note, second.note)
        if first.changed != second.changed { return first.changed > second.changed }
        let (version, other) = (first.version?.text ?? "", second.version?.text ?? "")
        if version.utf8.count != other.utf8.count { return version.utf8.count > other.utf8.count }
        if version != other { return version > other }
        return first.id.uuidString > second.id.uuidString
    }
}
