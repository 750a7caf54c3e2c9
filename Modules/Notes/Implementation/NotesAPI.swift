import Foundation
import HTTPClientInterface
import NotesInterface
import RouterServiceInterface

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
        let server: Identifier
        let notes: [ServerNote]
        /// The notes that were deleted, and not saved again.
        let deleted: [UUID]
        /// The start of the next page; nil after the last one.
        let next: String?
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
            method, "notes", id.uuidString, token: token, condition: condition, body: body)
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
