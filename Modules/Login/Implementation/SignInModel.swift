import Foundation
import LoginInterface
import Observation
import RouterServiceInterface

/// The model of the sign-in form: its fields and the user's actions.
@Observable
@MainActor
final class SignInModel {
    var userName: String
    var password = ""
    /// Whether the name is typed: a form that knows it asks for the password alone.
    private(set) var asksForName: Bool
    /// Sentences above the fields.
    let advice: [String]
    private let sessions: any Login.Sessions
    private let context: any RouteContext<Login.SignIn>

    init(
        route: Login.SignIn, sessions: any Login.Sessions, advice: [String],
        context: any RouteContext<Login.SignIn>
    ) {
        (userName, asksForName) = (route.userName ?? "", route.userName == nil)
        self.sessions = sessions
        self.advice = advice
        self.context = context
    }

    /// Signs in and finishes with the session.
    func signIn() async throws {
        guard !userName.isEmpty, !password.isEmpty else { throw IncompleteForm() }
        try await context.finish(sessions.signIn(userName: userName, password: password))
    }

    /// Lets the user type another name.
    func changeName() {
        asksForName = true
    }

    private struct IncompleteForm: LocalizedError {
        var errorDescription: String? { "Type your user name and your password." }
    }
}

// The typed text survives a replacement of the module, and never leaves the process.
extension SignInModel: Restorable {
    struct SavedState: Codable {
        let userName, password: String
        let asksForName: Bool
    }

    static var stateScope: StateScope { .memory }

    var savedState: SavedState? {
        SavedState(userName: userName, password: password, asksForName: asksForName)
    }

    func restore(_ state: SavedState?) {
        guard let state else { return }
        userName = state.userName
        password = state.password
        asksForName = state.asksForName
    }
}
