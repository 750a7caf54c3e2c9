import Foundation
import LoginInterface
import Observation
import RouterServiceInterface

/// What the sign-in form holds, and what signing in does.
@Observable
@MainActor
final class SignInModel {
    var userName: String
    var password = ""
    private(set) var problem: String?
    @ObservationIgnored private let sessions: any Login.Sessions
    @ObservationIgnored private let context: RouteContext<Login.SignIn>

    init(userName: String, sessions: any Login.Sessions, context: RouteContext<Login.SignIn>) {
        self.userName = userName
        self.sessions = sessions
        self.context = context
    }

    /// Signs in and finishes with the session, or keeps what was typed and says why not.
    func signIn() async throws {
        problem = nil
        guard !userName.isEmpty, !password.isEmpty else {
            problem = "Type your user name and your password."
            return
        }
        let session: Login.Session
        do {
            session = try await sessions.signIn(userName: userName, password: password)
        } catch let cancellation as CancellationError {
            throw cancellation
        } catch {
            problem = error.localizedDescription
            return
        }
        try context.finish(session)
    }
}
