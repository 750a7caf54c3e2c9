import DisplayInterface
import Foundation
import HTTPClientInterface
import LoginInterface
import Observation
import RouterServiceInterface

/// Signs users in and out on the server, with `POST /session` and `DELETE /session`.
@Observable
@MainActor
final class ServerSessions: Login.Sessions {
    private(set) var current: Login.Session?
    private let client: any HTTP.Client
    private let dialog: Deferred<any Display.Dialog>

    init(client: any HTTP.Client, dialog: Deferred<any Display.Dialog>) {
        self.client = client
        self.dialog = dialog
    }

    func signIn(userName: String, password: String) async throws -> Login.Session {
        let body = try JSONEncoder().encode(Credentials(user: userName, password: password))
        let response = try await client.send(HTTP.Request(.post, ["session"], body: body))
        let session = try response.decoded(as: NewSession.self).session
        current = session
        return session
    }

    func forget(_ session: Login.Session) {
        if current == session { current = nil }
    }

    func expire(_ session: Login.Session) {
        guard current == session else { return }
        current = nil
        try? dialog.value.notify("The server has ended your session. Sign in again.", as: .warning)
    }

    func end(_ session: Login.Session) async throws {
        do {
            _ = try await client.send(HTTP.Request(.delete, ["session"], token: session.token.value))
        } catch HTTP.Failure.status(401, _) {
            // The server had ended the session before.
        } catch let error where !(error is CancellationError) {
            throw SignOutNotSent(reason: errorMessage(of: error))
        }
    }
}

// The session survives a replacement of the module, and never leaves the process.
extension ServerSessions: Restorable {
    struct SavedState: Codable {
        let user: String
        let token: String
    }

    static var stateScope: StateScope { .memory }

    var savedState: SavedState? { current.map { SavedState(user: $0.user, token: $0.token.value) } }

    func restore(_ state: SavedState?) {
        current = state.map { Login.Session(user: $0.user, token: Login.Token($0.token)) }
    }
}

private struct Credentials: Encodable {
    let user: String
    let password: String
}

private struct NewSession: Decodable {
    let session: Login.Session

    private enum CodingKeys: CodingKey {
        case user, token
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let user = try container.decode(String.self, forKey: .user)
        // A name is part of paths, in which a slash would separate components.
        guard (1...200).contains(user.unicodeScalars.count), ![".", ".."].contains(user),
            !user.unicodeScalars.contains(where: { $0 == "/" || $0.properties.generalCategory == .control })
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .user, in: container, debugDescription: "this cannot be the name of a user.")
        }
        let token = try container.decode(String.self, forKey: .token)
        session = Login.Session(user: user, token: Login.Token(token))
    }
}

private struct SignOutNotSent: LocalizedError {
    let reason: String

    var errorDescription: String? { "You are signed out here, but the server was not notified. \(reason)" }
}
