import Foundation
import HTTPClientInterface
import HTTPClientTesting
import NotesInterface
import Testing

@testable import NotesImplementation

// The server of notes, as far as tests prepare its responses.

/// The JSON of a note whose former versions are the numbers before its version.
func json(_ id: UUID, _ title: String, version: Int, text: String = "") -> String {
    let former = (1..<max(1, version)).map { #""\#($0)""# }.joined(separator: ",")
    return
        #"{"id":"\#(id)","title":"\#(title)","text":"\#(text)","changed":"2026-11-23T09:30:00Z","#
        + #""version":"\#(version)","former":[\#(former)]}"#
}

extension FakeHTTPClient {
    /// Prepares the notes that the server lists, once or several times; `next` is the position of a further page.
    ///
    /// A deletion follows the versions 1 to 9 of its note.
    func list(
        _ notes: String..., deleted: [UUID] = [], next: String? = nil, server: String = "one", times: Int = 1
    ) {
        let page = Self.page(notes, deleted: deleted, next: next, server: server)
        for _ in 1...times { respond(.get, "notes", json: page) }
    }

    nonisolated static func page(
        _ notes: [String], deleted: [UUID] = [], next: String? = nil, server: String = "one"
    ) -> String {
        let former = (1...9).map { #""\#($0)""# }.joined(separator: ",")
        let deleted = deleted.map { #"{"id":"\#($0)","former":[\#(former)]}"# }.joined(separator: ",")
        return #"{"server":"\#(server)","notes":[\#(notes.joined(separator: ","))],"deleted":[\#(deleted)],"#
            + #""position":"\#(next ?? "end")","hasMore":\#(next != nil)}"#
    }

    /// Prepares the response to a save that the server accepts.
    func accept(_ id: UUID, _ title: String, version: Int, text: String = "") {
        respond(.put, "notes/\(id)", status: 201, json: json(id, title, version: version, text: text))
    }

    /// Prepares the response to a request for a note of which the server has another version.
    func refuse(_ method: HTTP.Method, _ id: UUID, because note: String) {
        respond(
            method, "notes/\(id)", status: 412, json: #"{"error":"The note was changed.","note":\#(note)}"#)
    }

    /// The conditions of the saves that were sent.
    var conditions: [HTTP.Condition?] { requests.filter { $0.method == .put }.map(\.condition) }
}

extension Session {
    /// A library that was synchronised with the server, which has some notes, and a synchroniser.
    func synchronized(
        _ notes: Notes.Note...
    ) async throws -> (library: StoredLibrary, synchronizer: ServerSynchronizer) {
        let library = try await library()
        try await library.belong(toServer: "one")
        try await library.receive(notes.map { ServerNote($0, $0.version ?? "") })
        return (library, synchronizer(of: library))
    }

    func synchronizer(of library: StoredLibrary) -> ServerSynchronizer {
        ServerSynchronizer(client: client, author: author, library: library, sleep: retries.sleep)
    }
}

extension ServerSynchronizer {
    var failure: String {
        get throws {
            let reason = if case .failed(let reason) = state { reason } else { nil as String? }
            return try #require(reason, "\(state)")
        }
    }
}
