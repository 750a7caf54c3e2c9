import Foundation
import NotesInterface

/// A note as the server has it.
struct ServerNote: Codable, Hashable, Sendable {
    @NoteID var id: UUID
    private(set) var title: String
    private(set) var text: String
    let changed: Date
    let version: String
    /// The versions that this version took the place of; nil where the server does not report them.
    var former: [String]?

    var note: Notes.Note { Notes.Note(id: id, title: title, text: text, changed: changed, version: version) }
    /// This version and those that it took the place of; nil where the server does not report them.
    var versions: [String]? { former.map { $0 + [version] } }
}

/// The deletion of a note on the server.
struct ServerDeletion: Codable, Hashable, Sendable {
    @NoteID var id: UUID
    /// The versions that were deleted; nil where the server does not report them.
    var former: [String]?
}

/// The identifier of a note in an answer, and nothing behind it: Foundation reads no further than a NUL.
@propertyWrapper
struct NoteID: Codable, Hashable, Sendable {
    let wrappedValue: UUID

    init(wrappedValue: UUID) { self.wrappedValue = wrappedValue }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard text.utf8.count == 36, let value = UUID(uuidString: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "this is not a UUID.")
        }
        wrappedValue = value
    }

    func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
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
    /// The saves of this note that may have reached the server without an answer from it, this one and those before it.
    var attempts: [Content]?
    /// Whether the user wants it kept here, and not sent.
    var isKept: Bool?

    /// Whether it can be sent: not what is kept here, nor the deletion of a note whose first save was not answered.
    var isSendable: Bool { isKept != true && (content != .delete || base != nil) }

    /// Whether the server may have a content from here.
    func mayHaveSent(_ note: ServerNote) -> Bool { attempts?.contains(.save(note.note)) ?? false }
}

/// A note as it is stored: the last version from the server, the change that it has not been sent, and the user's draft.
///
/// Each event of a note, here or on the server, is one of these functions. A conflict is no state of its own: it is a
/// change of another version than the one that the server has.
struct StoredNote: Hashable, Sendable {
    let id: UUID
    private(set) var sent: ServerNote?
    private(set) var change: Change?
    /// What was typed and not saved.
    var draft: Notes.Draft?

    init(id: UUID) { self.id = id }

    /// This note with another draft.
    func with(_ draft: Notes.Draft?) -> StoredNote {
        var note = self
        note.draft = draft
        return note
    }

    var isInConflict: Bool {
        guard let change, change.content != .delete else { return false }
        return change.base != sent?.version
    }

    /// The note as the user has it, or nil.
    var entry: Notes.Entry? {
        switch change?.content {
        case nil:
            if let sent { return Notes.Entry(note: sent.note, status: .sent, draft: draft) }
            return draft.map {
                // Before all others in the list.
                let note = Notes.Note(id: id, title: $0.title, text: $0.text, changed: .distantFuture)
                return Notes.Entry(note: note, status: .draft, draft: $0)
            }
        case .delete: return nil
        case .save:
            return unsent.map {
                let status = change?.isKept == true ? Notes.Entry.Status.kept : .unsent(refusal: nil)
                return Notes.Entry(
                    note: $0, status: isInConflict ? .conflict(theirs: sent?.note) : status, draft: draft)
            }
        }
    }

    /// The note that is to be sent.
    var unsent: Notes.Note? {
        guard let change, case .save(let title, let text) = change.content else { return nil }
        return Notes.Note(
            id: id, title: title, text: text, changed: change.made,
            version: change.base)
    }

    /// Takes over a note that the user saved.
    mutating func save(_ note: Notes.Note, replacing original: Notes.Note?) {
        // The version that the user started from may have been sent to the server meanwhile.
        let isOfServer =
            original.flatMap { original in sent.map { original.hasContent(of: $0.note) } } ?? false
        let base = isOfServer ? sent?.version : original?.version
        change = Change(
            content: .save(note), base: base, made: note.changed,
            attempts: change?.attempts)
        settle()
        // What was typed while the note was being saved stays a draft.
        if let draft { self.draft = has(draft) ? nil : Notes.Draft(draft, of: note) }
    }

    /// Deletes the note; one that the server cannot have is gone.
    mutating func delete(at date: Date = .now) {
        let attempts = change?.attempts
        draft = nil
        change =
            sent == nil && attempts == nil
            ? nil : Change(content: .delete, base: sent?.version, made: date, attempts: attempts)
    }

    /// Remembers that the change is about to be sent: its answer may be lost.
    mutating func attempt() {
        guard var change, change.content != .delete, change.attempts?.contains(change.content) != true
        else { return }
        change.attempts = (change.attempts ?? []) + [change.content]
        self.change = change
    }

    /// Makes the note one that no server has had, to be sent or to be kept here; a deletion is dropped.
    mutating func detach(isKept: Bool) {
        let (note, attempts) = (change == nil ? sent?.note : unsent, change?.attempts)
        sent = nil
        change = note.map {
            Change(
                content: .save($0), base: nil, made: $0.changed, attempts: attempts,
                isKept: isKept ? true : nil)
        }
    }

    /// Removes the note, and leaves what was typed of it: a draft of a new one.
    mutating func remove() {
        (sent, change) = (nil, nil)
        draft?.original = nil
    }

    /// Takes back the last deletion.
    mutating func undoDeletion(to former: StoredNote) {
        (change, draft) = (former.change, former.draft)
        settle()
    }

    /// Takes over the server's current note.
    mutating func receive(_ note: ServerNote) { receive(note, replacing: note.versions) }

    /// Takes over that the note was deleted on the server.
    mutating func receive(_ deletion: ServerDeletion) { receive(nil, replacing: deletion.former) }

    /// Whether what the server has now took the place of the version that is known here.
    ///
    /// It did not where the server was restored from a backup: a version is used once.
    func isFollowed(by versions: [String]?) -> Bool {
        guard let sent, let versions else { return true }
        return versions.contains(sent.version)
    }

    /// Takes over the server's current note; nil if it was deleted there.
    ///
    /// A version that the server has lost becomes a change, which is in conflict with the server's note.
    private mutating func receive(_ note: ServerNote?, replacing versions: [String]?) {
        if let sent, !isFollowed(by: versions) {
            if change == nil {
                change = Change(content: .save(sent.note), base: sent.version, made: sent.changed)
            } else if isInConflict {
                // The user has not decided yet, also where the server has gone back to what the change began with.
                change?.base = sent.version
            }
        }
        sent = note
        // The server has a save from here, the answer to which was lost.
        if let note, change?.mayHaveSent(note) == true { change?.base = note.version }
        // A note that the server does not have is deleted; one that was changed elsewhere is not deleted unread.
        if let change, change.content == .delete, note == nil || change.base != note?.version {
            self.change = nil
        }
        settle()
    }

    /// Takes over the server's answer to a change.
    mutating func accept(_ note: ServerNote?, for change: Change) {
        sent = note
        if self.change == change {
            // A server that has stored something else has a version of its own.
            if let note, let unsent, !unsent.hasContent(of: note.note) { return }
            self.change = nil
        } else {
            // The user continued from the version that was sent.
            self.change?.base = note?.version
            self.change?.attempts = nil
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

// A note is stored as one value, so that what is unsent never stands beside another version than its own; the draft is a
// value of its own.
extension StoredNote: Codable {
    private enum CodingKeys: CodingKey { case id, sent, change }

    /// Whether there is something to store besides the draft.
    var isEmpty: Bool { sent == nil && change == nil }

    /// Whether there is something of the user that the server does not have.
    var isUsersOwn: Bool { change != nil || draft != nil }

    /// Whether the user has this text already, so that it is no draft: a program may be killed between storing a note and
    /// removing its draft.
    func has(_ draft: Notes.Draft) -> Bool {
        guard !isEmpty else { return false }
        guard let note = change == nil ? sent?.note : unsent else { return true }
        let former = Notes.Note(id: id, title: draft.title, text: draft.text)
        return note.hasContent(of: former)
    }
}
