import Foundation
import HTTPClientInterface
import StorageInterface

/// The last state of a note, or of a deleted note, as it is stored and sent.
struct EmbeddedNote: Codable, Sendable {
    let id, title, text, changed: String
    /// A random identifier of this state.
    let version: String
    /// The versions before this state, the latest first.
    let former: [String]
    let isDeleted: Bool

    /// The most former versions that are kept.
    static let maximumFormer = 50
}

/// The notes of one user, in the order in which they were changed.
struct EmbeddedNotes: Sendable {
    /// The beginning of each position, by which positions of earlier runs and other data are recognised.
    private let run = String(UInt64.random(in: 0 ... .max), radix: 16)
    private var notes: [String: (note: EmbeddedNote, position: Int)] = [:]
    /// The identifiers of the notes in the order of their changes; only the last change of a note counts.
    private var changes: [String] = []

    init(_ stored: some Sequence<EmbeddedNote> = []) {
        for note in stored.sorted(by: { ($0.changed, $0.id) < ($1.changed, $1.id) }) { set(note) }
    }

    subscript(id: String) -> EmbeddedNote? { notes[id.lowercased()]?.note }

    mutating func set(_ note: EmbeddedNote) {
        let id = note.id.lowercased()
        notes[id] = (note, changes.count)
        changes.append(id)
    }

    /// The number of changes before a position; 0 for none, nil for a position of another run.
    func count(before position: String?) -> Int? {
        guard let position else { return 0 }
        let parts = position.split(separator: "-")
        guard parts.count == 2, parts[0] == run, let count = Int(parts[1]), 0...changes.count ~= count else {
            return nil
        }
        return count
    }

    /// The notes that were changed after so many changes, each with the count of changes behind it.
    func changes(after count: Int) -> some Sequence<(note: EmbeddedNote, end: Int)> {
        (count..<changes.count).lazy.compactMap { index in
            guard let (note, position) = notes[changes[index]], position == index else { return nil }
            return (note, index + 1)
        }
    }

    func position(after count: Int) -> String { "\(run)-\(count)" }

    var end: Int { changes.count }
}

extension EmbeddedBackend {
    func listNotes(_ request: HTTP.Request) throws(Refusal) -> Response {
        let notes = notes[try signedIn(request)] ?? EmbeddedNotes()
        guard let start = notes.count(before: request.query["since"]) else {
            throw Refusal(410, "This server does not know the position. Read everything again.")
        }
        var page = NotesPage(server: record.server)
        var (length, end) = (0, notes.end)
        for (note, position) in notes.changes(after: start) {
            length += note.title.unicodeScalars.count + note.text.unicodeScalars.count
            guard page.notes.count + page.deleted.count < 100, length <= 100_000 else {
                page.hasMore = true
                break
            }
            if note.isDeleted {
                page.deleted.append(note)
            } else {
                page.notes.append(note)
            }
            end = position
        }
        page.position = notes.position(after: page.hasMore ? end : notes.end)
        return Response(.json(page))
    }

    func saveNote(_ request: HTTP.Request) throws(Refusal) -> Response {
        let (user, id) = (try signedIn(request), request.path[1])
        // Foundation reads no further than a NUL.
        guard id.utf8.count == 36, UUID(uuidString: id) != nil else {
            throw Refusal(422, "The id of a note must be a UUID.")
        }
        guard let condition = request.condition else {
            throw Refusal(
                428, "A note is saved with 'If-None-Match: *' when it is new, otherwise with 'If-Match'.")
        }
        let body: NoteBody = try decoded(request, needs: "the texts 'title' and 'text'")
        guard body.title.unicodeScalars.count <= 200 else { throw Refusal.tooLong("title", limit: 200) }
        guard body.text.unicodeScalars.count <= 10_000 else { throw Refusal.tooLong("text", limit: 10_000) }
        let last = notes[user]?[id]
        guard let present = last, !present.isDeleted else {
            guard condition == .absent else { throw Refusal.unknownNote(id) }
            let note = next(body, id, after: last)
            return Response(.json(note, status: 201), write: .note(note, of: user))
        }
        // A client repeats a save whose response was lost.
        if (body.title, body.text) == (present.title, present.text) { return Response(.json(present)) }
        guard condition == .version(present.version) else {
            throw Refusal.changedMeanwhile(present)
        }
        let note = next(body, present.id, after: present)
        return Response(.json(note), write: .note(note, of: user))
    }

    func deleteNote(_ request: HTTP.Request) throws(Refusal) -> Response {
        let (user, id) = (try signedIn(request), request.path[1])
        guard case .version(let version) = request.condition else {
            throw Refusal(428, "A note is deleted with 'If-Match'.")
        }
        let done = HTTP.Response(status: 204, body: Data())
        guard let present = notes[user]?[id], !present.isDeleted else { return Response(done) }
        guard present.version == version else { throw Refusal.changedMeanwhile(present) }
        return Response(done, write: .note(next(nil, present.id, after: present), of: user))
    }

    /// The next state of a note; deleted without a body.
    private func next(_ body: NoteBody?, _ id: String, after last: EmbeddedNote?) -> EmbeddedNote {
        let former = last.map { [$0.version] + $0.former } ?? []
        return EmbeddedNote(
            id: id, title: body?.title ?? "", text: body?.text ?? "",
            // Notes are sorted by their dates, which have fractions of seconds.
            changed: Date.now.ISO8601Format(.init(includingFractionalSeconds: true)), version: drawVersion(),
            former: Array(former.prefix(EmbeddedNote.maximumFormer)), isDeleted: body == nil)
    }
}

private struct NoteBody: Decodable {
    let title, text: String
}

private struct NotesPage: Encodable {
    let server: String
    var notes: [EmbeddedNote] = []
    var deleted: [EmbeddedNote] = []
    var position = ""
    var hasMore = false
}
