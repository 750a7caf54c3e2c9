import Foundation
import HTTPClientInterface

/// Serves the API of `scripts/backend` with the same texts; nothing but a note's date varies from run to run.
@MainActor
final class EmbeddedBackend {
    /// The state that requests change.
    struct State: Codable, Sendable {
        var displayNames = ["ann": "Ann Example", "bob": "Bob Builder"]
        var sessions: [String: String] = [:]
        var tokensGiven = 0
        var notes = EmbeddedNotes()
    }

    private typealias Operation =
        @MainActor (EmbeddedBackend) -> (HTTP.Request) throws(Refusal) -> HTTP.Response

    /// For each path, `…` for the part that varies, and each method.
    private static let operations: [[String]: [HTTP.Method: Operation]] = [
        ["session"]: [.post: signIn, .delete: signOut],
        ["users", "…"]: [.get: showUser, .put: renameUser],
        ["notes"]: [.get: listNotes],
        ["notes", "…"]: [.get: showNote, .put: saveNote, .delete: deleteNote],
    ]

    var state = State()

    nonisolated init() {}

    /// Answers a request as a server would, whatever the status.
    func answer(to request: HTTP.Request) -> HTTP.Response {
        do throws(Refusal) {
            let path = request.path
            let pattern = path.count == 2 && !path[1].isEmpty ? [path[0], "…"] : path
            guard let methods = Self.operations[pattern] else { throw .unknownPath }
            guard let operation = methods[request.method] else { throw .methodNotAllowed(request.method) }
            return try operation(self)(request)
        } catch {
            return json(error, status: error.status)
        }
    }

    private func signIn(_ request: HTTP.Request) throws(Refusal) -> HTTP.Response {
        let credentials: Credentials = try decoded(request, needs: "the texts 'user' and 'password'")
        guard state.displayNames[credentials.user] != nil, credentials.password == EmbeddedUser.password
        else { throw .wrongCredentials }
        state.tokensGiven += 1
        let token = "embedded-\(state.tokensGiven)"
        state.sessions[token] = credentials.user
        return json(["user": credentials.user, "token": token])
    }

    private func signOut(_ request: HTTP.Request) throws(Refusal) -> HTTP.Response {
        _ = try signedIn(request)
        if let token = request.token { state.sessions[token.value] = nil }
        return HTTP.Response(status: 204, body: Data())
    }

    private func showUser(_ request: HTTP.Request) throws(Refusal) -> HTTP.Response {
        _ = try signedIn(request)
        return json(try user(request.path[1]))
    }

    private func renameUser(_ request: HTTP.Request) throws(Refusal) -> HTTP.Response {
        let caller = try signedIn(request)
        let id = try user(request.path[1]).id
        guard caller == id else { throw .notYours }
        let change: DisplayNameChange = try decoded(request, needs: "the text 'displayName'")
        let name = trimmed(change.displayName)
        guard !name.isEmpty else { throw .emptyName }
        guard name.count <= 40 else { throw .tooLong("display name", limit: 40) }
        state.displayNames[id] = String(String.UnicodeScalarView(name))
        return json(try user(id))
    }

    func signedIn(_ request: HTTP.Request) throws(Refusal) -> String {
        guard let token = request.token, let user = state.sessions[token.value] else { throw .notSignedIn }
        return user
    }

    private func user(_ id: String) throws(Refusal) -> EmbeddedUser {
        guard let name = state.displayNames[id] else { throw .unknownUser(id) }
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
