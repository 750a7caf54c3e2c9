import Foundation
import NotesInterface
import RouterServiceInterface
import StorageInterface

/// A note as the server has it.
struct ServerNote: Codable, Hashable, Sendable {
    @NoteID var id: UUID
    @ExactText private(set) var title: String
    @ExactText private(set) var text: String
    let changed: Date
    let version: Identifier

    var note: Notes.Note { Notes.Note(id: id, title: title, text: text, changed: changed, version: version) }

    /// Whether the server, which has another note instead, does not know this version or has gone back from it.
    func isLost(by versions: NotesAPI.ServerVersions, which other: ServerNote?) -> Bool {
        if !versions.include(version) { return other?.version != version }
        guard let other = other.flatMap({ NotesAPI.ServerVersions.number($0.version) }),
            let number = NotesAPI.ServerVersions.number(version)
        else { return false }
        return other < number
    }
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
        case save(title: ExactText, text: ExactText)
        case delete

        static func save(_ note: Notes.Note) -> Content {
            .save(title: ExactText(wrappedValue: note.title), text: ExactText(wrappedValue: note.text))
        }
    }

    let content: Content
    /// The server's version that the user changed; nil for a new note.
    var base: Identifier?
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
            id: id, title: title.wrappedValue, text: text.wrappedValue, changed: change.made,
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
        draft = nil
        settle()
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
        let note = change == nil ? sent?.note : unsent
        sent = nil
        change = note.map {
            Change(
                content: .save($0), base: nil, made: $0.changed,
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

    /// Takes over the server's current note; nil if it was deleted there.
    ///
    /// Where the server has lost the version that is known here, that becomes a change, which is in conflict with the server's.
    mutating func receive(
        _ note: ServerNote?, from versions: NotesAPI.ServerVersions = NotesAPI.ServerVersions()
    ) {
        if let sent, change == nil, sent.isLost(by: versions, which: note) {
            change = Change(content: .save(sent.note), base: sent.version, made: sent.changed)
        } else if let sent, isInConflict, sent.isLost(by: versions, which: note) {
            // The user has not decided yet, also where the server has gone back to what the change began with.
            change?.base = sent.version
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

// The storage of notes: each part has a key of its own; those that changed are stored in one transaction.
extension StoredNote {
    private static let (sentPrefix, outboxPrefix) = ("notes/sent/", "notes/outbox/")
    private static let draftPrefix = "notes/drafts/"
    /// The key of the identifier of the server to which the notes belong.
    static let server = Storage.Key<Identifier>("notes/server")

    private var sentKey: Storage.Key<ServerNote> { Storage.Key("\(Self.sentPrefix)\(id)") }
    private var changeKey: Storage.Key<Change> { Storage.Key("\(Self.outboxPrefix)\(id)") }
    private var draftKey: Storage.Key<Notes.Draft> { Storage.Key("\(Self.draftPrefix)\(id)") }

    /// Reads a stored note, and sets aside what cannot be read of it.
    init(_ id: UUID, in values: inout Storage.Values) {
        self.init(id: id)
        sent = values.intactValue(for: sentKey)
        change = values.intactValue(for: changeKey)
        draft = values.intactValue(for: draftKey)
    }

    /// Stores the changes since an earlier state.
    func write(to values: inout Storage.Values, replacing former: StoredNote) throws {
        if sent != former.sent { try values.set(sent, for: sentKey) }
        if change != former.change { try values.set(change, for: changeKey) }
        if draft != former.draft { try values.set(draft, for: draftKey) }
    }

    /// The identifiers of all stored notes.
    static func ids(in values: Storage.Values) -> Set<UUID> {
        Set(
            [sentPrefix, outboxPrefix, draftPrefix].flatMap { prefix in
                values.keys(of: Bool.self, withPrefix: prefix).compactMap {
                    UUID(uuidString: String($0.name.text.dropFirst(prefix.count)))
                }
            })
    }
}
