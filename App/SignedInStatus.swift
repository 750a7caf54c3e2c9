import DisplayInterface
import LoginInterface

/// Answers what Display wants to know of the program with what Login knows: who is signed in.
@MainActor
final class SignedInStatus: Display.Status {
    private let sessions: any Login.Sessions

    init(sessions: any Login.Sessions) {
        self.sessions = sessions
    }

    var text: String? { sessions.current.map { "Signed in as \($0.user)" } }
}
