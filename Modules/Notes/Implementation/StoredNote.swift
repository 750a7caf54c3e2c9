import Foundation
import NotesInterface

/// A note as the server has it.
struct ServerNote: Codable, Hashable, Sendable {
    let id: UUID
    let title, text: String
    let changed: Date
    let version: String
    /// The versions before this version.
    let former: [String]

    var note: Notes.Note {
        Notes.Note(id: id, title: title, text: text, changed: changed, version: version)
    }
}

/// The deletion of a note on the server.
struct ServerDeletion: Codable, Hashable, Sendable {
    let id: UUID
    /// The versions that were deleted.
    let former: [String]
}

/// A change that the server does not know: an element of the outbox.
struct Change: Codable, Hashable, Sendable {
    enum Content: Codable, Hashable, Sendable {
        case save(title: String, text: String)
        case delete

        static func save(_ note: Notes.Note) -> Content {
            .save(title: note.title, text: note.text)
        }
    }

    let content: Content
    /// The server's version that the user changed; nil for a new note.
    var base: String?
    let made: Date
    /// The saves, this save and earlier saves, that may have reached the server although no response came.
    var attempts: [Content] = []
}

/// A note as it is stored: the server's last version, the change that the server has not been sent, and the user's draft.
///
/// Each event of a note, here or on the server, is a function of this value. A conflict is a change of another version than
/// the server has.
struct StoredNote: Hashable, Sendable {
    let id: UUID
    private(set) var sent: ServerNote?
    private(set) var change: Change?
    /// The text that was typed and not saved.
    var draft: Notes.Draft?

    init(id: UUID) { self.id = id }

    func with(_ draft: Notes.Draft?) -> StoredNote {
        var note = self
        note.draft = draft
        return note
    }

    var isInConflict: Bool {
        guard let change, change.content != .delete else { return false }
        return change.base != sent?.version
    }

    /// The note as the user saved it last, or as the server has it; nil for a draft that was never saved, and for a deleted note.
    var note: Notes.Note? {
        guard let change else { return sent?.note }
        guard case .save(let title, let text) = change.content else { return nil }
        return Notes.Note(id: id, title: title, text: text, changed: change.made, version: change.base)
    }

    /// The note in the list; nil if the user deleted it.
    var listed: Notes.ListedNote? {
        if let note {
            let status: Notes.ListedNote.Status =
                isInConflict ? .conflict(theirs: sent?.note) : change == nil ? .sent : .unsent
            return Notes.ListedNote(note: note, status: status, draft: draft)
        }
        return draft.map {
            let note = Notes.Note(id: id, title: $0.title, text: $0.text, changed: $0.begun)
            return Notes.ListedNote(note: note, status: .draft, draft: $0)
        }
    }

    /// The change, unless it is in conflict, or deletes a note whose first save got no response.
    var sendableChange: Change? {
        guard let change, !isInConflict, change.content != .delete || change.base != nil else { return nil }
        return change
    }

    /// Takes over a note that the user saved.
    mutating func save(_ note: Notes.Note, replacing original: Notes.Note?) {
        // The server may have got the version that the user started from meanwhile.
        let isOfServer =
            original.flatMap { original in sent.map { original.hasContent(of: $0.note) } } ?? false
        let base = isOfServer ? sent?.version : original?.version
        change = Change(
            content: .save(note), base: base, made: note.changed, attempts: change?.attempts ?? [])
        settle()
        // Text that was typed while the note was being saved stays a draft.
        if let draft {
            self.draft = has(draft) ? nil : Notes.Draft(title: draft.title, text: draft.text, original: note)
        }
    }

    /// Deletes the note, and forgets it where the server cannot have it.
    mutating func delete() {
        let attempts = change?.attempts ?? []
        draft = nil
        change =
            sent == nil && attempts.isEmpty
            ? nil : Change(content: .delete, base: sent?.version, made: .now, attempts: attempts)
    }

    /// Remembers that the change is about to be sent, because the response may be lost.
    mutating func attempt() {
        guard let change, change.content != .delete, !change.attempts.contains(change.content) else { return }
        self.change?.attempts.append(change.content)
    }

    /// Forgets that a server had the note, which is sent as a new note; a deletion is dropped.
    mutating func detach() {
        let (note, attempts) = (self.note, change?.attempts ?? [])
        sent = nil
        change = note.map { Change(content: .save($0), base: nil, made: $0.changed, attempts: attempts) }
    }

    /// Removes the note; its draft stays, as the draft of a new note.
    mutating func remove() {
        sent = nil
        change = nil
        draft?.original = nil
    }

    mutating func receive(_ note: ServerNote) { receive(note, replacing: note.former + [note.version]) }

    mutating func receive(_ deletion: ServerDeletion) { receive(nil, replacing: deletion.former) }

    /// Takes over the server's current note; nil if it was deleted there.
    ///
    /// The versions do not include the version that is known here where the server has lost it, because the server was restored
    /// from a backup. The lost version becomes a change, which is in conflict with the server's note.
    private mutating func receive(_ note: ServerNote?, replacing versions: [String]) {
        if let sent, !versions.contains(sent.version) {
            // The lost version is one side of a conflict, so the user decides about it first.
            if isInConflict { return }
            if change == nil {
                change = Change(content: .save(sent.note), base: sent.version, made: sent.changed)
            }
        }
        sent = note
        // The server has a save from here whose response was lost.
        if let note, change?.attempts.contains(.save(note.note)) == true { change?.base = note.version }
        // The deletion is done, or is dropped because the note was changed elsewhere and the user has not read the change.
        if let change, change.content == .delete, note == nil || change.base != note?.version {
            self.change = nil
        }
        settle()
    }

    /// Takes over the server's response to a change.
    mutating func accept(_ note: ServerNote?, for change: Change) {
        sent = note
        if self.change == change {
            // A server that stored something else is in conflict with the change.
            if let note, let mine = self.note, !mine.hasContent(of: note.note) { return }
            self.change = nil
        } else {
            // The user changed the note again while the change was sent.
            self.change?.base = note?.version
            self.change?.attempts = []
        }
    }

    mutating func resolve(keepsMine: Bool) {
        if keepsMine { change?.base = sent?.version } else { change = nil }
    }

    /// Drops a change that the server has already.
    private mutating func settle() {
        if let sent, let note, note.hasContent(of: sent.note) { change = nil }
    }
}

// The server's version and the unsent change are stored as one value, so that they always belong together.
extension StoredNote: Codable {
    private enum CodingKeys: CodingKey { case id, sent, change }

    /// Whether there is something to store besides the draft.
    var isEmpty: Bool { sent == nil && change == nil }

    /// Whether the note has the text of a draft, because a program was killed after it stored the note and before it removed
    /// the draft.
    func has(_ draft: Notes.Draft) -> Bool {
        guard !isEmpty else { return false }
        return note.map { draft.hasContent(of: $0) } ?? true
    }
}
