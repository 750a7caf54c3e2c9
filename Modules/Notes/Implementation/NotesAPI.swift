import Foundation
import HTTPClientInterface
import NotesInterface

/// The requests and answers of the server's API for notes.
struct NotesAPI: Sendable {
    let client: any HTTP.Client
    let token: String

    /// A page of what was saved and deleted since a position, the last at the end.
    struct Page: Decodable {
        /// The identifier that the server keeps with its notes.
        let server: String
        /// The rest, without which the server is known all the same.
        let listing: HTTP.Part<Listing>

        private enum CodingKeys: CodingKey { case server }

        init(from decoder: any Decoder) throws {
            server = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .server)
            listing = HTTP.Part(from: decoder)
        }
    }

    /// The notes of a page.
    struct Listing: Decodable {
        let notes: [ServerNote]
        /// The deletions of notes that were not saved again.
        let deleted: [ServerDeletion]
        /// What cannot be read of the others.
        let unreadable: [UnreadableNote]
        /// The position behind this page.
        let position: String
        /// Whether there are further pages.
        let hasMore: Bool

        private enum CodingKeys: CodingKey { case notes, deleted, position, hasMore }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let parts = try container.decode([HTTP.Part<ServerNote>].self, forKey: .notes)
            let names = try container.decode([NoteName].self, forKey: .notes)
            notes = parts.compactMap { try? $0.result.get() }
            let deletions = try container.decode([HTTP.Part<ServerDeletion>].self, forKey: .deleted)
            deleted = deletions.compactMap { try? $0.result.get() }
            unreadable =
                zip(parts, names).compactMap { part, note in
                    part.failure.map { UnreadableNote(id: note.id, name: note.name, reason: $0) }
                }
                + deletions.compactMap(\.failure).map {
                    UnreadableNote(id: nil, name: "the deletion of one", reason: $0)
                }
            position = try container.decode(String.self, forKey: .position)
            hasMore = try container.decode(Bool.self, forKey: .hasMore)
        }
    }

    /// A note of which the server sends something else, for a reason.
    struct UnreadableNote {
        let id: UUID?
        /// The title in quotation marks, or else the identifier.
        let name: String
        let reason: HTTP.Failure
    }

    /// As much of a note as names it.
    private struct NoteName: Decodable {
        let id: UUID?
        let name: String

        private enum CodingKeys: CodingKey { case id, title }

        init(from decoder: any Decoder) {
            let container = try? decoder.container(keyedBy: CodingKeys.self)
            id = try? container?.decode(NoteID.self, forKey: .id).wrappedValue
            let title = try? container?.decode(String.self, forKey: .title)
            let known = title?.isEmpty == false ? title : id?.uuidString
            name = known.map { "'\($0)'" } ?? "one without an identifier"
        }
    }

    /// The server's answer to a change.
    enum Outcome {
        /// The change is made; with the note as it is now, nil if it was deleted.
        case accepted(ServerNote?)
        /// The note has another version by now; nil if it was deleted.
        case conflict(ServerNote?)
    }

    /// Reads what was saved and deleted since a position; everything if there is none.
    ///
    /// - Throws: `HTTP.Failure`, with the status 410 for a position that the server does not know any more.
    func page(since position: String?) async throws -> Page {
        let query = position.map { ["since": $0] } ?? [:]
        let answer = try await client.send(HTTP.Request(.get, ["notes"], query: query, token: token))
        return try answer.decoded(as: Page.self)
    }

    func send(_ change: Change, of id: UUID) async throws -> Outcome {
        do {
            switch change.content {
            case .save(let title, let text):
                let body = try JSONEncoder().encode(["title": title, "text": text])
                let condition = change.base.map { HTTP.Condition.version($0) } ?? .absent
                let answer = try await send(.put, id, if: condition, body)
                return .accepted(try check(answer.decoded(as: ServerNote.self), is: id))
            case .delete:
                _ = try await send(.delete, id, if: change.base.map { .version($0) }, nil)
                return .accepted(nil)
            }
        } catch HTTP.Failure.status(412, let body) {
            let answer = HTTP.Response(status: 412, body: Data(body.utf8))
            let conflict = try answer.decoded(as: ConflictAnswer.self)
            return .conflict(try check(conflict.note, is: id))
        } catch HTTP.Failure.status(404, _) where change.content == .delete {
            // It had been deleted elsewhere, or by a request whose answer was lost.
            return .accepted(nil)
        } catch HTTP.Failure.status(404, _) where change.base != nil {
            return .conflict(nil)
        }
    }

    private func send(
        _ method: HTTP.Method, _ id: UUID, if condition: HTTP.Condition?, _ body: Data?
    ) async throws -> HTTP.Response {
        let request = HTTP.Request(
            method, ["notes", id.uuidString], token: token, condition: condition, body: body)
        return try await client.send(request)
    }

    private func check(_ note: ServerNote, is id: UUID) throws -> ServerNote {
        guard note.id == id else { throw Notes.Failure.wrongNote(asked: id, answered: note.id) }
        return note
    }
}

private struct ConflictAnswer: Decodable {
    let note: ServerNote
}
