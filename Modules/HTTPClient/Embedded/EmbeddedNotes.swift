import Foundation
import HTTPClientInterface

/// A note as the backend sends it.
struct EmbeddedNote: Codable, Sendable {
    let id, title, text, changed, version: String
}

/// The notes of all users.
struct EmbeddedNotes: Codable, Sendable {
    private struct Entry: Codable {
        let user: String
        let version: Int
        let note: EmbeddedNote
    }

    private var entries: [String: Entry] = [:]
    private var versionsGiven = 0

    func note(_ id: String, of user: String) -> EmbeddedNote? { entries[key(id, user)]?.note }

    /// A user's notes with smaller versions than the given one, newest first.
    func notes(of user: String, before version: Int) -> [EmbeddedNote] {
        let found = entries.values.filter { $0.user == user && $0.version < version }
        return found.sorted { $0.version > $1.version }.map(\.note)
    }

    mutating func save(_ id: String, of user: String, title: String, text: String) -> EmbeddedNote {
        versionsGiven += 1
        let note = EmbeddedNote(
            id: id, title: title, text: text, changed: Date.now.ISO8601Format(), version: "\(versionsGiven)")
        entries[key(id, user)] = Entry(user: user, version: versionsGiven, note: note)
        return note
    }

    mutating func delete(_ id: String, of user: String) { entries[key(id, user)] = nil }

    private func key(_ id: String, _ user: String) -> String { "\(user)/\(id.lowercased())" }
}

extension EmbeddedBackend {
    func listNotes(_ request: HTTP.Request) throws(Refusal) -> HTTP.Response {
        let user = try signedIn(request)
        let before = try number("after", in: request, upTo: 1_000_000_000_000_000)
        let limit = try number("limit", in: request, upTo: 100)
        var page = NotesPage()
        var length = 0
        for note in state.notes.notes(of: user, before: before) {
            length += note.title.unicodeScalars.count + note.text.unicodeScalars.count
            guard page.notes.count < limit, length <= 100_000 else {
                page.next = page.notes.last?.version
                break
            }
            page.notes.append(note)
        }
        return json(page)
    }

    func showNote(_ request: HTTP.Request) throws(Refusal) -> HTTP.Response {
        let (user, id) = (try signedIn(request), request.path[1])
        guard let note = state.notes.note(id, of: user) else { throw .unknownNote(id) }
        return json(note)
    }

    func saveNote(_ request: HTTP.Request) throws(Refusal) -> HTTP.Response {
        let (user, id) = (try signedIn(request), request.path[1])
        guard UUID(uuidString: id) != nil else { throw .noUUID }
        guard let condition = request.condition else { throw .saveWithoutCondition }
        let draft: Draft = try decoded(request, needs: "the texts 'title' and 'text'")
        guard draft.title.unicodeScalars.count <= 200 else { throw .tooLong("title", limit: 200) }
        guard draft.text.unicodeScalars.count <= 10_000 else { throw .tooLong("text", limit: 10_000) }
        let present = state.notes.note(id, of: user)
        if let present {
            // So a save can be sent again when its answer was lost.
            if draft.isContent(of: present) { return json(present) }
            guard condition == .version(present.version) else { throw .changedMeanwhile(present) }
        } else if condition != .absent {
            throw .unknownNote(id)
        }
        let saved = state.notes.save(id, of: user, title: draft.title, text: draft.text)
        return json(saved, status: present == nil ? 201 : 200)
    }

    func deleteNote(_ request: HTTP.Request) throws(Refusal) -> HTTP.Response {
        let (user, id) = (try signedIn(request), request.path[1])
        guard case .version(let version) = request.condition else { throw .deletionWithoutCondition }
        if let present = state.notes.note(id, of: user), present.version != version {
            throw .changedMeanwhile(present)
        }
        state.notes.delete(id, of: user)
        return HTTP.Response(status: 204, body: Data())
    }

    /// A parameter of the query; the largest number without it.
    private func number(_ name: String, in request: HTTP.Request, upTo most: Int) throws(Refusal) -> Int {
        guard let text = request.query[name] else { return most }
        guard text.wholeMatch(of: /[0-9]{1,16}/) != nil, let number = Int(text), 1...most ~= number else {
            throw .noNumber(name, upTo: most)
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
    var notes: [EmbeddedNote] = []
    var next: String?
}
