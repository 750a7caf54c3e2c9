import Foundation
import HTTPClientInterface
import LoginInterface
import Observation
import ProfileInterface
import RouterServiceInterface

/// Reads and changes profiles on the server, with `GET /users/:id` and `PUT /users/:id`.
@Observable
@MainActor
final class ServerProfiles: Profile.Service {
    private var users: [String: Profile.User] = [:]
    private var reader: Login.Session?
    private let client: any HTTP.Client
    private let sessions: any Login.Sessions
    private let routes: any RouteCatalog

    init(client: any HTTP.Client, sessions: any Login.Sessions, routes: any RouteCatalog) {
        self.client = client
        self.sessions = sessions
        self.routes = routes
    }

    func known(_ id: String) -> Profile.User? {
        // Profiles that were read by one user are not shown to the next user.
        reader == sessions.current ? users[id] : nil
    }

    func user(_ id: String) async throws -> Profile.User {
        try await send(.get, id, body: nil)
    }

    func rename(_ id: String, to displayName: String) async throws -> Profile.User {
        try await send(.put, id, body: JSONEncoder().encode(["displayName": displayName]))
    }

    private func send(_ method: HTTP.Method, _ id: String, body: Data?) async throws -> Profile.User {
        let session = sessions.current
        do {
            let response = try await client.send(
                HTTP.Request(method, ["users", id], token: session?.token.value, body: body))
            let user = try response.decoded(as: Profile.User.self, routes: routes)
            guard user.id == id else { throw WrongUser(requested: id, received: user.id) }
            remember(user, readBy: session)
            return user
        } catch HTTP.Failure.status(401, let body) {
            if let session { sessions.expire(session) }
            throw HTTP.Failure.status(401, body: body)
        }
    }

    private func remember(_ user: Profile.User, readBy session: Login.Session?) {
        if reader != session {
            users = [:]
            reader = session
        }
        users[user.id] = user
    }
}

private struct WrongUser: LocalizedError {
    let requested, received: String

    var errorDescription: String? {
        "The server sent the profile of '\(received)' instead of '\(requested)'. Try again later."
    }
}
