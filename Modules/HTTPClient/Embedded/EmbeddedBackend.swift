import Foundation
import HTTPClientInterface
import RouterServiceInterface
import StorageInterface

/// Serves the API of `scripts/backend` with the same texts; only notes' dates and the server's identifier vary.
struct EmbeddedBackend: Sendable {
    /// Who is signed in.
    struct Sessions: Codable, Sendable {
        var users: [String: String] = [:]
        var tokensGiven = 0
    }

    /// All that is stored besides notes.
    struct Record: Codable, Equatable, Sendable {
        static let key = Storage.Key<Record>("server/record")

        var server = UUID().uuidString
        var displayNames = ["ann": "Ann Example", "bob": "Bob Builder"]
        var versionsGiven = 0
    }

    private typealias Operation =
        @Sendable (inout EmbeddedBackend, HTTP.Request) throws -> HTTP.Response

    /// For each path, `…` for the part that varies, and each method.
    private static let operations: [[String]: [HTTP.Method: Operation]] = [
        EmbeddedConfiguration.path: [.get: { EmbeddedConfiguration.answer(to: $1) }],
        ["session"]: [.post: { try $0.signIn($1) }, .delete: { try $0.signOut($1) }],
        ["users", "…"]: [.get: { try $0.showUser($1) }, .put: { try $0.renameUser($1) }],
        ["notes"]: [.get: { try $0.listNotes($1) }],
        ["notes", "…"]: [
            .get: { try $0.showNote($1) }, .put: { try $0.saveNote($1) }, .delete: { try $0.deleteNote($1) },
        ],
    ]

    var sessions = Sessions()
    var record = Record()
    var notes = EmbeddedNotes()
    /// The values of the store, while a request is answered.
    var values = Storage.Values()

    /// Answers a request as a server would, whatever the status.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - values: The values of the store, in which it changes only what the request changes.
    /// - Returns: The answer.
    /// - Throws: `Storage.Failure` when a value cannot be stored.
    mutating func answer(
        to request: HTTP.Request, in values: inout Storage.Values
    ) throws -> HTTP.Response {
        swap(&self.values, &values)
        defer { swap(&self.values, &values) }
        let stored = self.values.intactValue(for: Record.key)
        // They differ at the first request, after a transaction that could not be saved, and where it cannot be read.
        if record != stored {
            notes = EmbeddedNotes(self.values)
            record = stored ?? Record(versionsGiven: notes.newestVersion)
        }
        let response = try fulfil(request)
        if record != stored { try self.values.set(record, for: Record.key) }
        return response
    }

    /// Fulfils a request with the values that were read, or refuses it.
    mutating func fulfil(_ request: HTTP.Request) throws -> HTTP.Response {
        do {
            let path = request.path
            let pattern = path.count == 2 && !path[1].isEmpty ? [path[0], "…"] : path
            guard let methods = Self.operations[pattern] else { throw Refusal.unknownPath }
            guard let operation = methods[request.method] else {
                throw Refusal.methodNotAllowed(request.method)
            }
            return try operation(&self, request)
        } catch let refusal as Refusal {
            return json(refusal, status: refusal.status)
        }
    }

    private mutating func signIn(_ request: HTTP.Request) throws(Refusal) -> HTTP.Response {
        let credentials: Credentials = try decoded(request, needs: "the texts 'user' and 'password'")
        guard record.displayNames[credentials.user] != nil, credentials.password == EmbeddedUser.password
        else { throw .wrongCredentials }
        sessions.tokensGiven += 1
        let token = "embedded-\(sessions.tokensGiven)"
        sessions.users[token] = credentials.user
        return json(["user": credentials.user, "token": token])
    }

    private mutating func signOut(_ request: HTTP.Request) throws(Refusal) -> HTTP.Response {
        _ = try signedIn(request)
        if let token = request.token { sessions.users[token.value] = nil }
        return HTTP.Response(status: 204, body: Data())
    }

    private func showUser(_ request: HTTP.Request) throws(Refusal) -> HTTP.Response {
        _ = try signedIn(request)
        return json(try user(request.path[1]))
    }

    private mutating func renameUser(_ request: HTTP.Request) throws(Refusal) -> HTTP.Response {
        let caller = try signedIn(request)
        let id = try user(request.path[1]).id
        guard caller == id else { throw .notYours }
        let change: DisplayNameChange = try decoded(request, needs: "the text 'displayName'")
        let name = trimmed(change.displayName)
        guard !name.isEmpty else { throw .emptyName }
        guard name.count <= 40 else { throw .tooLong("display name", limit: 40) }
        record.displayNames[id] = String(String.UnicodeScalarView(name))
        return json(try user(id))
    }

    func signedIn(_ request: HTTP.Request) throws(Refusal) -> String {
        guard let token = request.token, let user = sessions.users[token.value] else { throw .notSignedIn }
        return user
    }

    private func user(_ id: String) throws(Refusal) -> EmbeddedUser {
        guard let name = record.displayNames[id] else { throw .unknownUser(id) }
        return EmbeddedUser(id: id, displayName: name)
    }

    func decoded<Body: Decodable>(_ request: HTTP.Request, needs: String) throws(Refusal) -> Body {
        do {
            return try JSONDecoder().decode(Body.self, from: request.body ?? Data())
        } catch {
            throw .malformed(needs: needs)
        }
    }

    /// The text without white space at its ends, in scalars, which both backends count alike.
    private func trimmed(_ text: String) -> Substring.UnicodeScalarView {
        var scalars = text[...].unicodeScalars
        while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
        while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
        return scalars
    }

    func json(_ value: some Encodable, status: Int = 200) -> HTTP.Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Only strings, and lists and objects of strings, are encoded, which cannot fail.
        return HTTP.Response(status: status, body: (try? encoder.encode(value)) ?? Data())
    }
}

private struct Credentials: Decodable {
    let user: String
    let password: String
}

private struct DisplayNameChange: Decodable {
    let displayName: String
}
