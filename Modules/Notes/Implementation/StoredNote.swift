import Foundation
import NotesInterface

/// A note as the server has it.
struct ServerNote: Codable, Hashable, Sendable {
    let id: UUID
    let title, text: String
    let changed: Date
    let version: String
    /// The versions before this version; nil where the server does not report them.
    var former: [String]?

    var note: Notes.Note {
        Notes.Note(id: id, title: title, text: text, changed: changed, version: version)
    }
    /// This version and the versions before it; nil where the server does not report them.
    var versions: [String]? { former.map { $0 + [version] } }
}

/// The deletion of a note on the server.
struct ServerDeletion: Codable, Hashable, Sendable {
    let id: UUID
    /// The versions that were deleted; nil where the server does not report them.
    var former: [String]?
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
    var attempts: [Content]?
    /// Whether the user wants the note kept here, and not sent.
    var isKept: Bool?

    /// False for a note that is kept here, and for the deletion of a note whose first save got no response.
    var isSendable: Bool { isKept != true && (content != .delete || base != nil) }

    func mayHaveSent(_ note: ServerNote) -> Bool { attempts?.contains(.save(note.note)) ?? false }
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

    /// The note as the user has it, or nil.
    var entry: Notes.Entry? {
        switch change?.content {
        case nil:
            if let sent { return Notes.Entry(note: sent.note, status: .sent, draft: draft) }
            return draft.map {
                // The note is the first of the list.
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

    var unsent: Notes.Note? {
        guard let change, case .save(let title, let text) = change.content else { return nil }
        return Notes.Note(
            id: id, title: title, text: text, changed: change.made,
            version: change.base)
    }

    /// Takes over a note that the user saved.
    mutating func save(_ note: Notes.Note, replacing original: Notes.Note?) {
        // The server may have got the version that the user started from meanwhile.
        let isOfServer =
            original.flatMap { original in sent.map { original.hasContent(of: $0.note) } } ?? false
        let base = isOfServer ? sent?.version : original?.version
        change = Change(
            content: .save(note), base: base, made: note.changed,
            attempts: change?.attempts)
        settle()
        // Text that was typed while the note was being saved stays a draft.
        if let draft {
            self.draft = has(draft) ? nil : Notes.Draft(title: draft.title, text: draft.text, original: note)
        }
    }

    /// Deletes the note, and forgets it where the server cannot have it.
    mutating func delete(at date: Date = .now) {
        let attempts = change?.attempts
        draft = nil
        change =
            sent == nil && attempts == nil
            ? nil : Change(content: .delete, base: sent?.version, made: date, attempts: attempts)
    }

    /// Remembers that the change is about to be sent, because the response may be lost.
    mutating func attempt() {
        guard var change, change.content != .delete, change.attempts?.contains(change.content) != true
        else { return }
        change.attempts = (change.attempts ?? []) + [change.content]
        self.change = change
    }

    /// Forgets that a server had the note, which is sent as a new note or kept here; a deletion is dropped.
    mutating func detach(isKept: Bool) {
        let (note, attempts) = (change == nil ? sent?.note : unsent, change?.attempts)
        sent = nil
        change = note.map {
            Change(
                content: .save($0), base: nil, made: $0.changed, attempts: attempts,
                isKept: isKept ? true : nil)
        }
    }

    /// Removes the note; its draft stays, as the draft of a new note.
    mutating func remove() {
        (sent, change) = (nil, nil)
        draft?.original = nil
    }

    /// Takes back the last deletion.
    mutating func undoDeletion(to former: StoredNote) {
        (change, draft) = (former.change, former.draft)
        settle()
    }

    mutating func receive(_ note: ServerNote) { receive(note, replacing: note.versions) }

    mutating func receive(_ deletion: ServerDeletion) { receive(nil, replacing: deletion.former) }

    /// Whether the server's present versions include the version that is known here.
    ///
    /// They do not after the server was restored from a backup, because a version is used once.
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
                // The conflict stays, also where the server went back to the version that the change began with.
                change?.base = sent.version
            }
        }
        sent = note
        // The server has a save from here whose response was lost.
        if let note, change?.mayHaveSent(note) == true { change?.base = note.version }
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
            if let note, let unsent, !unsent.hasContent(of: note.note) { return }
            self.change = nil
        } else {
            // The user changed the note again while the change was sent.
            self.change?.base = note?.version
            self.change?.attempts = nil
        }
    }

    mutating func resolve(keepsMine: Bool) {
        if keepsMine { change?.base = sent?.version } else { change = nil }
    }

    /// Drops a change that the server has already.
    private mutating func settle() {
        if let sent, let unsent, unsent.hasContent(of: sent.note) { change = nil }
    }
}

// The server's version and the unsent change are stored as one value, so that they always belong together.
extension StoredNote: Codable {
    private enum CodingKeys: CodingKey { case id, sent, change }

    /// Whether there is something to store besides the draft.
    var isEmpty: Bool { sent == nil && change == nil }

    /// Whether there is something of the user that the server does not have.
    var isUsersOwn: Bool { change != nil || draft != nil }

    /// Whether the note has the text of a draft, because a program was killed after it stored the note and before it removed
    /// the draft.
    func has(_ draft: Notes.Draft) -> Bool {
        guard !isEmpty else { return false }
        guard let note = change == nil ? sent?.note : unsent else { return true }
        return note.title == draft.title && note.text == draft.text
    }
}
