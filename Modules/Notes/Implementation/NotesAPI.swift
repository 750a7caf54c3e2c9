import Foundation
import HTTPClientInterface
import NotesInterface

/// The requests and responses of the server's API for notes.
struct NotesAPI: Sendable {
    let client: any HTTP.Client
    let token: String

    /// A page of the notes that were saved and deleted since a position, the latest at the end.
    struct Page: Decodable {
        /// The identifier that the server keeps with its notes.
        let server: String
        let notes: [ServerNote]
        let deleted: [ServerDeletion]
        /// The position behind this page.
        let position: String
        let hasMore: Bool
    }

    /// The server's response to a change, with the note as it is now; nil if the note was deleted.
    enum Outcome {
        case accepted(ServerNote?)
        /// The note has another version than the change began with.
        case conflict(ServerNote)
        /// The server does not have the note that the change began with.
        case missing
    }

    /// Reads what was saved and deleted since a position, or everything without a position.
    ///
    /// - Throws: `HTTP.Failure`, with the status 410 for a position that the server does not know any more.
    func page(since position: String?) async throws -> Page {
        let query = position.map { ["since": $0] } ?? [:]
        let response = try await client.send(HTTP.Request(.get, ["notes"], query: query, token: token))
        return try response.decoded(as: Page.self)
    }

    func send(_ change: Change, of id: UUID) async throws -> Outcome {
        do {
            switch change.content {
            case .save(let title, let text):
                let body = try JSONEncoder().encode(["title": title, "text": text])
                let condition = change.base.map { HTTP.Condition.version($0) } ?? .absent
                let response = try await send(.put, id, if: condition, body)
                return .accepted(try check(response.decoded(as: ServerNote.self), is: id))
            case .delete:
                _ = try await send(.delete, id, if: change.base.map { .version($0) }, nil)
                return .accepted(nil)
            }
        } catch HTTP.Failure.status(412, let body) {
            let response = HTTP.Response(status: 412, body: Data(body.utf8))
            let conflict = try response.decoded(as: ConflictResponse.self)
            return .conflict(try check(conflict.note, is: id))
        } catch HTTP.Failure.status(404, _) where change.content == .delete {
            // The note had been deleted elsewhere, or by a request whose response was lost.
            return .accepted(nil)
        } catch HTTP.Failure.status(404, _) where change.base != nil {
            return .missing
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
        guard note.id == id else { throw Notes.Failure.wrongNote(requested: id, received: note.id) }
        return note
    }
}

private struct ConflictResponse: Decodable {
    let note: ServerNote
}
