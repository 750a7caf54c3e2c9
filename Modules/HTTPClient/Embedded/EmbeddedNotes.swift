import Foundation
import HTTPClientInterface
import RouterServiceInterface
import StorageInterface

/// A note as the backend sends it.
struct EmbeddedNote: Codable, Sendable {
    let id, title, text, changed: String
    let version: Identifier
}

private let prefix = "server/notes/"

/// The last change of each note, of all users; the notes themselves stay in the store.
struct EmbeddedNotes: Sendable {
    /// A note that was saved, or its deletion.
    struct Change: Sendable {
        let user, id: String
        let version: Int
        let isDeletion: Bool

        /// Its name has all of this, so that no note is decoded before it is asked for.
        var key: Storage.Key<EmbeddedNote> {
            Storage.Key("\(prefix)\(user)/\(id)/\(version)\(isDeletion ? "/deleted" : "")")
        }
    }

    private var last: [String: Change] = [:]
    /// The changes of each user, oldest first.
    private var changes: [String: [Change]] = [:]

    init() {}

    /// Reads the names of the values in a store.
    init(_ values: Storage.Values) {
        let keys = values.keys(of: EmbeddedNote.self, withPrefix: prefix)
        for change in keys.compactMap(Change.init).sorted(by: { $0.version < $1.version }) { add(change) }
    }

    var newestVersion: Int { changes.values.compactMap(\.last?.version).max() ?? 0 }

    func lastChange(of id: String, of user: String) -> Change? { last["\(user)/\(id.lowercased())"] }

    /// A user's changes with smaller versions than the given one, newest first.
    func changes(of user: String, before version: Int) -> ReversedCollection<ArraySlice<Change>> {
        changes[user, default: []].prefix(count(of: user, before: version)).reversed()
    }

    /// Adds the newest change of all, and returns the earlier one of its note, whose place it takes.
    @discardableResult
    mutating func add(_ change: Change) -> Change? {
        let earlier = last.updateValue(change, forKey: "\(change.user)/\(change.id.lowercased())")
        if let earlier {
            let index = count(of: change.user, before: earlier.version)
            changes[change.user]?.remove(at: index)
        }
        changes[change.user, default: []].append(change)
        return earlier
    }

    private func count(of user: String, before version: Int) -> Int {
        let changes = changes[user, default: []]
        var range = 0..<changes.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range =
                changes[middle].version < version ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}

extension EmbeddedNotes.Change {
    /// Reads the name of a value; nil if it is not that of a change.
    fileprivate init?(_ key: Storage.Key<EmbeddedNote>) {
        let parts = key.name.text.dropFirst(prefix.count).split(separator: "/").map(String.init)
        guard parts.count >= 3, let version = Int(parts[2]) else { return nil }
        self.init(user: parts[0], id: parts[1], version: version, isDeletion: parts.count > 3)
    }
}

extension EmbeddedBackend {
    func listNotes(_ request: HTTP.Request) throws(Refusal) -> HTTP.Response {
        let user = try signedIn(request)
        let before = try end(of: request)
        var page = NotesPage(
            server: record.server, newest: "\(record.lastVersion)",
            gaps: (record.gaps ?? []).map { $0.map(String.init) })
        var (length, last) = (0, 0)
        for change in notes.changes(of: user, before: before) {
            let note = note(of: change)
            length += note.map { $0.title.unicodeScalars.count + $0.text.unicodeScalars.count } ?? 0
            guard page.notes.count + page.deleted.count < 100, length <= 100_000 else {
                page.next = "\(last)"
                break
            }
            if let note { page.notes.append(note) }
            if change.isDeletion { page.deleted.append(change.id) }
            last = change.version
        }
        return .json(page)
    }

    mutating func saveNote(_ request: HTTP.Request) throws -> HTTP.Response {
        let (user, id) = (try signedIn(request), request.path[1])
        // Foundation reads no further than a NUL.
        guard id.utf8.count == 36, UUID(uuidString: id) != nil else {
            throw Refusal(422, "The id of a note must be a UUID.")
        }
        guard let condition = request.condition else {
            throw Refusal(
                428, "A note is saved with 'If-None-Match: *' when it is new, otherwise with 'If-Match'.")
        }
        let draft: Draft = try decoded(request, needs: "the texts 'title' and 'text'")
        guard draft.title.unicodeScalars.count <= 200 else { throw Refusal.tooLong("title", limit: 200) }
        guard draft.text.unicodeScalars.count <= 10_000 else { throw Refusal.tooLong("text", limit: 10_000) }
        let present = note(id, of: user)
        if let present {
            // So a save can be sent again when its answer was lost.
            if draft.isContent(of: present) { return .json(present) }
            guard condition == .version(present.version) else { throw Refusal.changedMeanwhile(present) }
        } else if condition != .absent {
            throw Refusal.unknownNote(id)
        }
        let saved = try store(draft, id, of: user)
        return .json(saved, status: present == nil ? 201 : 200)
    }

    mutating func deleteNote(_ request: HTTP.Request) throws -> HTTP.Response {
        let (user, id) = (try signedIn(request), request.path[1])
        guard case .version(let version) = request.condition else {
            throw Refusal(428, "A note is deleted with 'If-Match'.")
        }
        if let present = note(id, of: user) {
            guard present.version == version else { throw Refusal.changedMeanwhile(present) }
            _ = try store(nil, present.id, of: user)
        }
        return HTTP.Response(status: 204, body: Data())
    }

    private func note(_ id: String, of user: String) -> EmbeddedNote? {
        notes.lastChange(of: id, of: user).flatMap(note)
    }

    /// The note that was saved; nil for a deletion, and for damaged data, which must not hide the other notes.
    private func note(of change: EmbeddedNotes.Change) -> EmbeddedNote? {
        change.isDeletion ? nil : try? values.value(for: change.key)
    }

    /// Stores a note, or its deletion if there is no draft.
    private mutating func store(_ draft: Draft?, _ id: String, of user: String) throws -> EmbeddedNote {
        let now = clock()
        let version = record.giveVersion(at: now, isFirst: !hasGivenVersion, distance: distance())
        hasGivenVersion = true
        let change = EmbeddedNotes.Change(user: user, id: id, version: version, isDeletion: draft == nil)
        let note = EmbeddedNote(
            id: id, title: draft?.title ?? "", text: draft?.text ?? "", changed: now.ISO8601Format(),
            version: "\(version)")
        if let earlier = notes.add(change) { values.removeValue(for: earlier.key) }
        try values.set(note, for: change.key)
        return note
    }

    /// The version before which a page ends; the largest number for the first page.
    private func end(of request: HTTP.Request) throws(Refusal) -> Int {
        let most = 1_000_000_000_000_000
        guard let text = request.query["after"] else { return most }
        guard text.wholeMatch(of: /[0-9]{1,16}/) != nil, let number = Int(text), 1...most ~= number else {
            throw Refusal(400, "'after' must be a number from 1 to \(most).")
        }
        return number
    }
}

private struct Draft: Decodable {
    let title, text: String

    /// Compared by bytes, because Swift treats strings that look alike as equal.
    func isContent(of note: EmbeddedNote) -> Bool {
        title.utf8.elementsEqual(note.title.utf8) && text.utf8.elementsEqual(note.text.utf8)
    }
}

private struct NotesPage: Encodable {
    let server, newest: String
    let gaps: [[String]]
    var notes: [EmbeddedNote] = []
    var deleted: [String] = []
    var next: String?
}
