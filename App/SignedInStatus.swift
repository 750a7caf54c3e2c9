import DisplayInterface
import LoginInterface
import RouterServiceInterface

/// Registers what the App itself provides: adapters between modules that know nothing of each other.
struct AppModule: Module {
    func register(in registrar: Registrar) {
        registrar.register((any Display.Status).self, lifetime: .singleton, by: SignedInStatus.init)
    }
}

/// Answers what Display asks about the program with what Login knows: who is signed in.
@MainActor
final class SignedInStatus: Display.Status {
    private let sessions: any Login.Sessions

    init(sessions: any Login.Sessions) {
        self.sessions = sessions
    }

    var text: String? { sessions.current.map { "Signed in as \($0.user)" } }
}
