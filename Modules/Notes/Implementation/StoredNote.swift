import Foundation
import NotesInterface
import StorageInterface

/// A note as the server has it.
struct ServerNote: Codable, Hashable, Sendable {
    let id: UUID
    let title, text: String
    let changed: Date
    let version: String

    var note: Notes.Note { Notes.Note(id: id, title: title, text: text, changed: changed, version: version) }
}

/// A change that the server does not know: an element of the outbox.
struct Change: Codable, Hashable, Sendable {
    enum Content: Codable, Hashable, Sendable {
        case save(title: String, text: String)
        case delete
    }

    let content: Content
    /// The server's version that the user changed; nil for a new note.
    var base: String?
    let made: Date
}

/// A note as it is stored: the last version from the server, and the change that it has not been sent.
///
/// Each event of a note, here or on the server, is one of these functions. A conflict is no state of its own: it is a
/// change of another version than the one that the server has.
struct StoredNote: Hashable, Sendable {
    let id: UUID
    private(set) var sent: ServerNote?
    private(set) var change: Change?

    init(id: UUID) { self.id = id }

    var isInConflict: Bool {
        guard let change, change.content != .delete else { return false }
        return change.base != sent?.version
    }

    /// The note as the user has it, or nil.
    var entry: Notes.Entry? {
        switch change?.content {
        case nil: sent.map { Notes.Entry(note: $0.note, status: .sent) }
        case .delete: nil
        case .save:
            unsent.map {
                Notes.Entry(note: $0, status: isInConflict ? .conflict(theirs: sent?.note) : .unsent)
            }
        }
    }

    /// The note that is to be sent.
    var unsent: Notes.Note? {
        guard let change, case .save(let title, let text) = change.content else { return nil }
        return Notes.Note(id: id, title: title, text: text, changed: change.made, version: change.base)
    }

    /// Takes over a note that the user saved.
    mutating func save(_ note: Notes.Note, replacing original: Notes.Note?) {
        // The version that the user started from may have been sent to the server meanwhile.
        let isOfServer =
            original.flatMap { original in sent.map { original.hasContent(of: $0.note) } } ?? false
        let base = isOfServer ? sent?.version : original?.version
        change = Change(
            content: .save(title: note.title, text: note.text), base: base, made: note.changed)
        settle()
    }

    /// Deletes the note; one that the server never had is gone.
    mutating func delete(at date: Date = .now) {
        change = sent.map { Change(content: .delete, base: $0.version, made: date) }
    }

    /// Takes back the last deletion.
    mutating func undoDeletion(to former: StoredNote) {
        change = former.change
        settle()
    }

    /// Takes over the server's current note; nil if it was deleted there.
    mutating func receive(_ note: ServerNote?) {
        sent = note
        // A note that was changed elsewhere is not deleted unread.
        if let change, change.content == .delete, change.base != note?.version { self.change = nil }
        settle()
    }

    /// Takes over the server's answer to a change.
    mutating func accept(_ note: ServerNote?, for change: Change) {
        let isGone = sent == nil && self.change == nil
        sent = note
        if isGone {
            // It was deleted here while the server saved it for the first time.
            delete()
        } else if self.change == change {
            self.change = nil
        } else {
            // The user continued from the version that was sent.
            self.change?.base = note?.version
        }
    }

    /// Resolves a conflict in favour of one side.
    mutating func resolve(keepsMine: Bool) {
        if keepsMine { change?.base = sent?.version } else { change = nil }
    }

    /// Drops a change that the server has already, for example after an answer that was lost.
    private mutating func settle() {
        if let sent, let unsent, unsent.hasContent(of: sent.note) { change = nil }
    }
}

// The storage of notes: the server's version and the outbox have their own keys, changed together in one transaction.
extension StoredNote {
    private static let prefix = "notes/"
    private static let sentPrefix = "notes/sent/"
    private static let outboxPrefix = "notes/outbox/"

    private var sentKey: Storage.Key<ServerNote> { Storage.Key(Self.sentPrefix + id.uuidString) }
    private var changeKey: Storage.Key<Change> { Storage.Key(Self.outboxPrefix + id.uuidString) }

    /// Reads a stored note.
    init(_ id: UUID, in values: Storage.Values) throws {
        self.init(id: id)
        sent = try values.value(for: sentKey)
        change = try values.value(for: changeKey)
    }

    /// Stores the changes since an earlier state.
    func write(to values: inout Storage.Values, replacing former: StoredNote) throws {
        if sent != former.sent {
            if let sent { try values.set(sent, for: sentKey) } else { values.removeValue(for: sentKey) }
        }
        if change != former.change {
            if let change {
                try values.set(change, for: changeKey)
            } else {
                values.removeValue(for: changeKey)
            }
        }
    }

    /// The identifiers of all stored notes.
    static func ids(in values: Storage.Values) -> Set<UUID> {
        let names =
            values.keys(of: ServerNote.self, withPrefix: sentPrefix).map {
                $0.name.dropFirst(sentPrefix.count)
            }
            + values.keys(of: Change.self, withPrefix: outboxPrefix).map {
                $0.name.dropFirst(outboxPrefix.count)
            }
        return Set(names.compactMap { UUID(uuidString: String($0)) })
    }

    /// Removes everything that Notes keeps.
    static func removeAll(from values: inout Storage.Values) {
        for key in values.keys(of: Bool.self, withPrefix: prefix) { values.removeValue(for: key) }
    }
}
