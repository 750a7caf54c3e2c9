import Foundation
import HTTPClientInterface
import NotesInterface

/// The requests and answers of the server's API for notes.
struct NotesAPI: Sendable {
    let client: any HTTP.Client
    let token: HTTP.Secret

    init(client: any HTTP.Client, token: String) {
        (self.client, self.token) = (client, HTTP.Secret(token))
    }

    /// A page of what was saved and deleted, the last first.
    struct Page: Decodable {
        /// The identifier that the server keeps with its notes.
        let server: String
        let notes: [ServerNote]
        /// The notes that were deleted, and not saved again.
        let deleted: [UUID]
        /// The start of the next page; nil after the last one.
        let next: String?

        private enum CodingKeys: CodingKey {
            case server, notes, deleted, next
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            server = try container.decode(String.self, forKey: .server)
            notes = try container.decode([NoteAnswer].self, forKey: .notes).map(\.note)
            deleted = try container.decode([UUID].self, forKey: .deleted)
            next = try container.decodeIfPresent(String.self, forKey: .next)
        }
    }

    /// The server's answer to a change.
    enum Outcome {
        /// The change is made; with the note as it is now, nil if it was deleted.
        case accepted(ServerNote?)
        /// The note has another version by now; nil if it was deleted.
        case conflict(ServerNote?)
    }

    func page(after position: String?) async throws -> Page {
        let query = position.map { ["after": $0] } ?? [:]
        let answer = try await client.send(HTTP.Request(.get, "notes", query: query, token: token))
        return try answer.decoded(as: Page.self)
    }

    func send(_ change: Change, of id: UUID) async throws -> Outcome {
        do {
            switch change.content {
            case .save(let title, let text):
                let body = try JSONEncoder().encode(["title": title, "text": text])
                let condition = change.base.map { HTTP.Condition.version($0) } ?? .absent
                return .accepted(try note(id, in: try await send(.put, id, if: condition, body)))
            case .delete:
                _ = try await send(.delete, id, if: change.base.map { .version($0) }, nil)
                return .accepted(nil)
            }
        } catch HTTP.Failure.status(412, let body) {
            let answer = HTTP.Response(status: 412, body: Data(body.utf8))
            return .conflict(try check(try answer.decoded(as: ConflictAnswer.self).note.note, is: id))
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
            method, "notes", id.uuidString, token: token, condition: condition, body: body)
        return try await client.send(request)
    }

    private func note(_ id: UUID, in answer: HTTP.Response) throws -> ServerNote {
        try check(try answer.decoded(as: NoteAnswer.self).note, is: id)
    }

    private func check(_ note: ServerNote, is id: UUID) throws -> ServerNote {
        guard note.id == id else { throw Notes.Failure.wrongNote(asked: id, answered: note.id) }
        return note
    }
}

/// A note as the server writes it, with the date as text.
private struct NoteAnswer: Decodable {
    let note: ServerNote

    private enum CodingKeys: CodingKey {
        case id, title, text, changed, version
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let id = try container.decode(UUID.self, forKey: .id)
        let date = try container.decode(String.self, forKey: .changed)
        guard let changed = try? Date(date, strategy: .iso8601) else {
            throw DecodingError.dataCorruptedError(
                forKey: .changed, in: container, debugDescription: "this is not a date in ISO 8601.")
        }
        note = ServerNote(
            id: id, title: try container.decode(String.self, forKey: .title),
            text: try container.decode(String.self, forKey: .text), changed: changed,
            version: try container.decode(String.self, forKey: .version))
    }
}

private struct ConflictAnswer: Decodable {
    let note: NoteAnswer
}
