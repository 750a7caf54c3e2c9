import Foundation
import HTTPClientInterface
import RouterServiceInterface
import StorageInterface

/// Fulfils the requests of the sample's API, which Modules/HTTPClient/README.md describes.
struct EmbeddedBackend: Sendable {
    /// All that is stored besides notes.
    struct Record: Codable, Equatable, Sendable {
        static let key = Storage.Key<Record>("server/record")

        var server = UUID().uuidString
        var displayNames = ["ann": "Ann Example", "bob": "Bob Builder"]
        /// The last version that was given; 0 if none was.
        var lastVersion = 0
        /// Pairs of versions, ascending, between which none was given; nil in stores of earlier versions.
        var gaps: [[Int]]?

        private enum CodingKeys: String, CodingKey {
            case server, displayNames, gaps
            // Its name in stores of earlier versions, which counted.
            case lastVersion = "versionsGiven"
        }

        /// Gives the time in milliseconds as a version, but at least the last one and 1.
        ///
        /// So a server whose data were restored repeats none. The first one since the data were read, which may be a backup,
        /// records a gap; where the clock is behind, it leaves out as many as the distance.
        mutating func giveVersion(at time: Date, isFirst: Bool, distance: Int) -> Int {
            let now = max(Int((time.timeIntervalSince1970 * 1000).rounded()), 1)
            let version = now > lastVersion ? now : lastVersion + (isFirst ? distance : 1)
            if isFirst, version > lastVersion + 1 {
                gaps = ((gaps ?? []) + [[lastVersion, version]]).suffix(100)
            }
            lastVersion = version
            return version
        }
    }

    private typealias Operation =
        @Sendable (inout EmbeddedBackend, HTTP.Request) throws -> HTTP.Response

    /// For each path, `…` for the part that varies, and each method.
    private static let operations: [[String]: [HTTP.Method: Operation]] = [
        EmbeddedConfiguration.path: [
            .get: { backend, _ in try HTTP.Response(status: 200, body: backend.configuration.text()) }
        ],
        ["session"]: [.post: { try $0.signIn($1) }, .delete: { try $0.signOut($1) }],
        ["users", "…"]: [.get: { try $0.showUser($1) }, .put: { try $0.renameUser($1) }],
        ["notes"]: [.get: { try $0.listNotes($1) }],
        ["notes", "…"]: [.put: { try $0.saveNote($1) }, .delete: { try $0.deleteNote($1) }],
    ]

    let configuration: EmbeddedConfiguration
    let clock: @Sendable () -> Date
    /// How far a start is from the last version where the clock is behind it.
    let distance: @Sendable () -> Int
    var sessions = EmbeddedSessions()
    var record = Record()
    var notes = EmbeddedNotes()
    /// The values of the store, while a request is answered.
    var values = Storage.Values()
    /// Whether a version was given since the record was read.
    var hasGivenVersion = false

    /// The methods of a path; none where there is nothing.
    static func methods(at path: [String]) -> [String] { operations(at: path).keys.map(\.rawValue) }

    private static func operations(at path: [String]) -> [HTTP.Method: Operation] {
        operations[path.count == 2 && !path[1].isEmpty ? [path[0], "…"] : path] ?? [:]
    }

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
            record = stored ?? Record(lastVersion: notes.newestVersion)
            hasGivenVersion = false
        }
        let response = try fulfil(request)
        if record != stored { try self.values.set(record, for: Record.key) }
        return response
    }

    /// Fulfils a request with the values that were read, or refuses it.
    mutating func fulfil(_ request: HTTP.Request) throws -> HTTP.Response {
        do {
            let operations = Self.operations(at: request.path)
            if operations.isEmpty { throw Refusal.unknownPath }
            guard let operation = operations[request.method] else {
                throw Refusal.methodNotAllowed(request.method.rawValue)
            }
            return try operation(&self, request)
        } catch let refusal as Refusal {
            return refusal.response
        }
    }

    private mutating func signIn(_ request: HTTP.Request) throws(Refusal) -> HTTP.Response {
        let credentials: Credentials = try decoded(request, needs: "the texts 'user' and 'password'")
        guard credentials.password == EmbeddedUser.password, record.displayNames[credentials.user] != nil
        else {
            throw Refusal(401, "The user name or the password is wrong.")
        }
        let token = sessions.begin(of: credentials.user)
        return .json(["user": credentials.user, "token": token])
    }

    private mutating func signOut(_ request: HTTP.Request) throws(Refusal) -> HTTP.Response {
        _ = try signedIn(request)
        if let token = request.token { sessions.end(token) }
        return HTTP.Response(status: 204, body: Data())
    }

    private func showUser(_ request: HTTP.Request) throws(Refusal) -> HTTP.Response {
        let caller = try signedIn(request)
        return .json(try user(request.path[1], for: caller))
    }

    private mutating func renameUser(_ request: HTTP.Request) throws(Refusal) -> HTTP.Response {
        let caller = try signedIn(request)
        let id = try user(request.path[1], for: caller).id
        guard caller == id else { throw Refusal(403, "You can change only your own profile.") }
        let change: DisplayNameChange = try decoded(request, needs: "the text 'displayName'")
        let name = trimmed(change.displayName)
        guard 1...40 ~= name.count else {
            throw Refusal(422, "A display name has 1 to 40 characters; an emoji may count as several.")
        }
        record.displayNames[id] = String(String.UnicodeScalarView(name))
        return .json(try user(id, for: caller))
    }

    func signedIn(_ request: HTTP.Request) throws(Refusal) -> String {
        guard let user = sessions.user(of: request.token ?? "") else { throw Refusal(401, "Sign in first.") }
        return user
    }

    /// A user as the caller sees them.
    private func user(_ id: String, for caller: String) throws(Refusal) -> EmbeddedUser {
        guard let name = record.displayNames[id] else { throw Refusal(404, "There is no user '\(id)'.") }
        let ownLinks = id == caller ? EmbeddedUser.ownLinks : []
        return EmbeddedUser(id: id, displayName: name, links: (EmbeddedUser.links[id] ?? []) + ownLinks)
    }

    func decoded<Body: Decodable>(_ request: HTTP.Request, needs: String) throws(Refusal) -> Body {
        do {
            return try JSONDecoder().decode(Body.self, from: request.body ?? Data())
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

/// A user as the backend sends it.
struct EmbeddedUser: Encodable {
    let id, displayName: String
    /// The links that this user's profile offers.
    let links: [EmbeddedLink]

    /// The links of each user's profile.
    static let links = [
        "ann": [EmbeddedLink(title: "Profile of bob", link: #"profile.overview|{"user":"bob"}"#)],
        "bob": [EmbeddedLink(title: "Profile of ann", link: #"profile.overview|{"user":"ann"}"#)],
    ]

    /// The links that users see on their own profiles besides.
    static let ownLinks = [EmbeddedLink(title: "Notes", link: "notes.list|{}")]

    /// The password of every user.
    static let password = "secret"
}

/// A link for users, with a title and as a string: a backend knows routes only by their identifiers.
struct EmbeddedLink: Encodable, Sendable {
    let title, link: String
}
