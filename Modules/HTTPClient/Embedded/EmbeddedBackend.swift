import Foundation
import HTTPClientInterface
import RouterServiceInterface
import StorageInterface

/// Fulfils the requests of the server's API, which Modules/HTTPClient/README.md describes.
struct EmbeddedBackend: Sendable {
    /// The stored value of everything but notes.
    struct Record: Codable, Equatable, Sendable {
        static let key = Storage.Key<Record>("server/record")

        var server = UUID().uuidString
        var displayNames = ["ann": "Ann Example", "bob": "Bob Builder"]
    }

    /// A value that must be stored before the response is sent.
    enum Write: Sendable {
        case record(Record)
        case note(EmbeddedNote, of: String)
    }

    /// A response, and the write on which it depends.
    struct Response {
        let response: HTTP.Response
        let write: Write?

        init(_ response: HTTP.Response, write: Write? = nil) {
            self.response = response
            self.write = write
        }
    }

    private typealias Operation = @Sendable (inout EmbeddedBackend, HTTP.Request) throws(Refusal) -> Response

    /// The operation of each path, in which `…` is a variable part, and each method.
    private static let operations: [[String]: [HTTP.Method: Operation]] = [
        EmbeddedConfiguration.path: [
            .get: { backend, _ throws(Refusal) in
                Response(HTTP.Response(status: 200, body: try backend.configuration.text()))
            }
        ],
        ["session"]: [
            .post: { backend, request throws(Refusal) in try backend.signIn(request) },
            .delete: { backend, request throws(Refusal) in try backend.signOut(request) },
        ],
        ["users", "…"]: [
            .get: { backend, request throws(Refusal) in try backend.showUser(request) },
            .put: { backend, request throws(Refusal) in try backend.renameUser(request) },
        ],
        ["notes"]: [.get: { backend, request throws(Refusal) in try backend.listNotes(request) }],
        ["notes", "…"]: [
            .put: { backend, request throws(Refusal) in try backend.saveNote(request) },
            .delete: { backend, request throws(Refusal) in try backend.deleteNote(request) },
        ],
    ]

    let configuration: EmbeddedConfiguration
    let drawVersion: @Sendable () -> String
    /// The user of each token.
    var sessions: [String: String] = [:]
    private(set) var record = Record()
    private(set) var notes: [String: EmbeddedNotes] = [:]

    init(configuration: EmbeddedConfiguration, drawVersion: @escaping @Sendable () -> String) {
        self.configuration = configuration
        self.drawVersion = drawVersion
    }

    mutating func load(_ record: Record, _ notes: [String: [EmbeddedNote]]) {
        self.record = record
        self.notes = notes.mapValues { EmbeddedNotes($0) }
    }

    /// Takes over a write that is stored.
    mutating func apply(_ write: Write) {
        switch write {
        case .record(let record): self.record = record
        case .note(let note, let user): notes[user, default: EmbeddedNotes()].set(note)
        }
    }

    static func methods(at path: [String]) -> [String] { operations(at: path).keys.map(\.rawValue) }

    private static func operations(at path: [String]) -> [HTTP.Method: Operation] {
        operations[path.count == 2 && !path[1].isEmpty ? [path[0], "…"] : path] ?? [:]
    }

    /// Fulfils a request, or refuses it; the write of the response is applied later.
    mutating func fulfil(_ request: HTTP.Request) -> Response {
        do throws(Refusal) {
            let operations = Self.operations(at: request.path)
            if operations.isEmpty { throw Refusal.unknownPath }
            guard let operation = operations[request.method] else {
                throw Refusal.methodNotAllowed(request.method.rawValue)
            }
            return try operation(&self, request)
        } catch {
            return Response(error.response)
        }
    }

    private mutating func signIn(_ request: HTTP.Request) throws(Refusal) -> Response {
        let credentials: Credentials = try decoded(request, needs: "the texts 'user' and 'password'")
        guard credentials.password == EmbeddedUser.password, record.displayNames[credentials.user] != nil
        else {
            throw Refusal(401, "The user name or the password is wrong.")
        }
        // The system's generator makes numbers that cannot be guessed.
        let token = (1...4).map { _ in String(UInt64.random(in: 0 ... .max), radix: 16) }.joined()
        sessions[token] = credentials.user
        return Response(.json(["user": credentials.user, "token": token]))
    }

    private mutating func signOut(_ request: HTTP.Request) throws(Refusal) -> Response {
        _ = try signedIn(request)
        if let token = request.token { sessions[token] = nil }
        return Response(HTTP.Response(status: 204, body: Data()))
    }

    private func showUser(_ request: HTTP.Request) throws(Refusal) -> Response {
        let caller = try signedIn(request)
        return Response(.json(try user(request.path[1], in: record, for: caller)))
    }

    private func renameUser(_ request: HTTP.Request) throws(Refusal) -> Response {
        let caller = try signedIn(request)
        let id = try user(request.path[1], in: record, for: caller).id
        guard caller == id else { throw Refusal(403, "You can change only your own profile.") }
        let change: DisplayNameChange = try decoded(request, needs: "the text 'displayName'")
        let name = trimmed(change.displayName)
        guard 1...40 ~= name.count else {
            throw Refusal(422, "A display name has 1 to 40 characters; an emoji may count as several.")
        }
        var record = record
        record.displayNames[id] = String(String.UnicodeScalarView(name))
        return Response(.json(try user(id, in: record, for: caller)), write: .record(record))
    }

    func signedIn(_ request: HTTP.Request) throws(Refusal) -> String {
        // Hashes are seeded at random, so the time of a look-up does not depend on how much of a guess is right.
        guard let user = sessions[request.token ?? ""] else { throw Refusal(401, "Sign in first.") }
        return user
    }

    private func user(_ id: String, in record: Record, for caller: String) throws(Refusal) -> EmbeddedUser {
        guard let name = record.displayNames[id] else { throw Refusal(404, "There is no user '\(id)'.") }
        let ownLinks = id == caller ? EmbeddedUser.ownLinks : []
        return EmbeddedUser(id: id, displayName: name, links: (EmbeddedUser.links[id] ?? []) + ownLinks)
    }

    func decoded<Body: Decodable>(_ request: HTTP.Request, needs: String) throws(Refusal) -> Body {
        do {
            return try JSONDecoder().decode(Body.self, from: (request.body ?? Data()).normalizedJSON)
        } catch {
            throw Refusal(400, "The body must be a JSON object with \(needs).")
        }
    }

    /// The text without white space at its ends, in scalars.
    private func trimmed(_ text: String) -> Substring.UnicodeScalarView {
        var scalars = text[...].unicodeScalars
        while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
        while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
        return scalars
    }
}

private struct Credentials: Decodable {
    let user: String
    let password: String
}

private struct DisplayNameChange: Decodable {
    let displayName: String
}

struct EmbeddedUser: Encodable {
    let id, displayName: String
    let links: [EmbeddedLink]

    /// The links that every user sees on the profile of a user.
    static let links = [
        "ann": [EmbeddedLink(title: "Profile of bob", link: #"profile.overview|{"user":"bob"}"#)],
        "bob": [EmbeddedLink(title: "Profile of ann", link: #"profile.overview|{"user":"ann"}"#)],
    ]

    /// The further links that users see on their own profiles.
    static let ownLinks = [EmbeddedLink(title: "Notes", link: "notes.list|{}")]

    /// The password of every user.
    static let password = "secret"
}

/// A link as a string, because a backend knows routes only by their identifiers.
struct EmbeddedLink: Encodable, Sendable {
    let title, link: String
}
