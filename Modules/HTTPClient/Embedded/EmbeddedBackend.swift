import Foundation
import HTTPClientInterface

/// Serves the API of `scripts/backend`, with the same words, and nothing in it is left to chance.
@MainActor
final class EmbeddedBackend {
    private var users = Dictionary(uniqueKeysWithValues: EmbeddedUser.all.map { ($0.id, $0) })
    private var sessions: [String: String] = [:]
    private var tokensGiven = 0

    nonisolated init() {}

    /// What requests have changed.
    struct State: Codable, Sendable {
        let displayNames, sessions: [String: String]
        let tokensGiven: Int
    }

    var state: State {
        get {
            let displayNames = users.mapValues(\.displayName)
            return State(displayNames: displayNames, sessions: sessions, tokensGiven: tokensGiven)
        }
        set {
            (sessions, tokensGiven) = (newValue.sessions, newValue.tokensGiven)
            for (id, name) in newValue.displayNames { users[id]?.displayName = name }
        }
    }

    /// Answers a request as a server would, whatever the status.
    func answer(to request: HTTP.Request) -> HTTP.Response {
        do throws(Refusal) {
            switch (request.path, request.method) {
            case (["session"], .post): return try signIn(request)
            case (["session"], .delete): return try signOut(request)
            case (["session"], _): throw Refusal.methodNotAllowed(request.method)
            case (let path, let method) where path.count == 2 && path[0] == "users" && !path[1].isEmpty:
                switch method {
                case .get: return try show(path[1], request)
                case .put: return try rename(path[1], request)
                case .post, .delete: throw Refusal.methodNotAllowed(method)
                }
            default: throw Refusal.unknownPath
            }
        } catch {
            return json(["error": error.message], status: error.status)
        }
    }

    private func signIn(_ request: HTTP.Request) throws(Refusal) -> HTTP.Response {
        let credentials: Credentials = try decoded(request, needs: "the texts 'user' and 'password'")
        guard users[credentials.user] != nil, credentials.password == EmbeddedUser.password else {
            throw .wrongCredentials
        }
        tokensGiven += 1
        let token = "embedded-\(tokensGiven)"
        sessions[token] = credentials.user
        return json(["user": credentials.user, "token": token])
    }

    private func signOut(_ request: HTTP.Request) throws(Refusal) -> HTTP.Response {
        _ = try signedIn(request)
        if let token = request.token { sessions[token.value] = nil }
        return HTTP.Response(status: 204, body: Data())
    }

    private func show(_ id: String, _ request: HTTP.Request) throws(Refusal) -> HTTP.Response {
        _ = try signedIn(request)
        return json(try user(id))
    }

    private func rename(_ id: String, _ request: HTTP.Request) throws(Refusal) -> HTTP.Response {
        let caller = try signedIn(request)
        var user = try user(id)
        guard caller == id else { throw .notYours }
        let change: Change = try decoded(request, needs: "the text 'displayName'")
        let name = trimmed(change.displayName)
        guard !name.isEmpty else { throw .emptyName }
        guard name.count <= 40 else { throw .longName }
        user.displayName = String(String.UnicodeScalarView(name))
        users[id] = user
        return json(user)
    }

    private func signedIn(_ request: HTTP.Request) throws(Refusal) -> String {
        guard let token = request.token, let user = sessions[token.value] else { throw .notSignedIn }
        return user
    }

    private func user(_ id: String) throws(Refusal) -> EmbeddedUser {
        guard let user = users[id] else { throw .unknownUser(id) }
        return user
    }

    private func decoded<Body: Decodable>(_ request: HTTP.Request, needs: String) throws(Refusal) -> Body {
        do {
            return try JSONDecoder().decode(Body.self, from: request.body ?? Data())
        } catch {
            throw .malformed(needs: needs)
        }
    }

    /// The text without white space at its ends, in scalars: what both backends count alike.
    private func trimmed(_ text: String) -> Substring.UnicodeScalarView {
        var scalars = text[...].unicodeScalars
        while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
        while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
        return scalars
    }

    private func json(_ value: some Encodable, status: Int = 200) -> HTTP.Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Only strings and lists of strings are encoded, which cannot fail.
        return HTTP.Response(status: status, body: (try? encoder.encode(value)) ?? Data())
    }
}

private struct Credentials: Decodable {
    let user: String
    let password: String
}

private struct Change: Decodable {
    let displayName: String
}

/// Why a request is not fulfilled.
private enum Refusal: Error {
    case malformed(needs: String)
    case wrongCredentials
    case notSignedIn
    case notYours
    case unknownUser(String)
    case unknownPath
    case methodNotAllowed(HTTP.Method)
    case emptyName
    case longName

    var status: Int {
        switch self {
        case .malformed: 400
        case .wrongCredentials, .notSignedIn: 401
        case .notYours: 403
        case .unknownUser, .unknownPath: 404
        case .methodNotAllowed: 405
        case .emptyName, .longName: 422
        }
    }

    /// The words of `scripts/backend`, to the letter.
    var message: String {
        switch self {
        case .malformed(let needs): "The body must be a JSON object with \(needs)."
        case .wrongCredentials: "The user name or the password is wrong."
        case .notSignedIn: "Sign in first."
        case .notYours: "You can change only your own profile."
        case .unknownUser(let id): "There is no user '\(id)'."
        case .unknownPath: "There is nothing at this address."
        case .methodNotAllowed(let method): "This address does not take \(method.rawValue)."
        case .emptyName: "The display name must not be empty."
        case .longName: "The display name must have at most 40 characters."
        }
    }
}
