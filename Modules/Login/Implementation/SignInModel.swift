import Foundation
import HTTPClientInterface
import LoginInterface
import Observation
import RouterServiceInterface

/// The model of the sign-in form: its fields and the user's actions.
@Observable
@MainActor
final class SignInModel {
    var userName: String
    var password = ""
    /// Whether the form asks for the name and the password, or for the password alone.
    private(set) var asksForName: Bool
    private let sessions: any Login.Sessions
    private let context: any RouteContext<Login.SignIn>

    init(route: Login.SignIn, sessions: any Login.Sessions, context: any RouteContext<Login.SignIn>) {
        userName = route.userName ?? ""
        asksForName = route.userName == nil
        self.sessions = sessions
        self.context = context
    }

    func signIn() async throws {
        guard !userName.isEmpty, !password.isEmpty else { throw IncompleteForm() }
        do {
            try await context.finish(sessions.signIn(userName: userName, password: password))
        } catch HTTP.Failure.status(401, let body) {
            // A refused password is typed again, and not added to dots that nobody can read.
            password = ""
            throw HTTP.Failure.status(401, body: body)
        }
    }

    func changeName() {
        userName = ""
        password = ""
        asksForName = true
    }

    private struct IncompleteForm: LocalizedError {
        var errorDescription: String? { "Type your user name and your password." }
    }
}
