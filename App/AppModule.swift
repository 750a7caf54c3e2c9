import DisplayInterface
import FeatureFlagsInterface
import Foundation
import HTTPClientInterface
import LoginInterface
import NotesInterface
import RouterServiceInterface
import StorageInterface

/// Registers the server and the folder that the user chose, and adapters between modules that do not know each other.
struct AppModule: Module {
    /// The server to talk to, or nil for the server inside the program.
    let server: HTTP.Server?
    /// The folder in which data is kept.
    let dataPath: String

    func register(in registrar: Registrar) {
        if let server { registrar.register(HTTP.Server.self, lifetime: .transient) { server } }
        registrar.register(Storage.Folder.self, lifetime: .singleton) { Storage.Folder(path: dataPath) }
        if server == nil { registrar.contribute(Login.Hint.self) { Login.Hint(Arguments.hint) } }
        registrar.register((any Display.Status).self, lifetime: .singleton, by: SignedInStatus.init)
        #if Live
            LiveModule().register(in: registrar)
            registrar.override((any Display.Status).self) {
                (status: LiveStatus, sessions: Deferred<any Login.Sessions>, folder: Storage.Folder) in
                status.usual = SignedInStatus(sessions: sessions, folder: folder)
                return status
            }
        #endif
        registrar.register(RouterTrace.self, lifetime: .singleton, by: RouterTrace.init)
        registrar.register((any Display.Trace).self, lifetime: .singleton) { (trace: RouterTrace) in trace }
        registrar.listen(to: Display.Resumed.self) { (_, router: any Router) in
            // Other listeners do not wait for the server.
            Task { await router.broadcast(FeatureFlags.Outdated()) }
        }
        registerAuthor(in: registrar)
    }

    /// Registers the author and the sign-in that Notes requires, which Login provides.
    @MainActor
    private func registerAuthor(in registrar: Registrar) {
        registrar.register((any Notes.RequiredAuthor).self, lifetime: .singleton, by: SignedInAuthor.init)
        registrar.adapt(
            Notes.RequiredSignIn.self, to: Login.SignIn.self, route: { Login.SignIn(userName: $0.userName) },
            output: { _ in })
        registrar.intercept(Login.SignOut.self, phase: .confirmation, by: ActionGuard.init)
        registrar.listen(to: Login.SignedOut.self) { (event, router: any Router) in
            let failures = await router.broadcast(Notes.AuthorLeft(author: event.user))
            if case .listenerFailed(_, _, let reason)? = failures.first { throw reason }
        }
    }
}

/// Adapts Login and Storage to the status that Display shows: the signed-in user, and where data is kept.
///
/// The terminal holds the status, and cannot be replaced while it shows screens, so the sessions, which can, are deferred.
@MainActor
final class SignedInStatus: Display.Status {
    private let sessions: Deferred<any Login.Sessions>
    private let folder: Storage.Folder

    init(sessions: Deferred<any Login.Sessions>, folder: Storage.Folder) {
        self.sessions = sessions
        self.folder = folder
    }

    var about: [String] { ["Your data is kept in \(folder.path)."] }

    var fact: Display.Fact? {
        (try? sessions.value)?.current.map { Display.Fact("Signed in as \($0.user)") }
    }
}

/// Adapts Login to the author that Notes requires.
///
/// The sessions are deferred, so that replacing Login does not open the notes again.
@MainActor
final class SignedInAuthor: Notes.RequiredAuthor {
    private let sessions: Deferred<any Login.Sessions>

    init(sessions: Deferred<any Login.Sessions>) {
        self.sessions = sessions
    }

    var id: String? { current?.user }
    var token: String? { current?.token.value }

    func expire(token: String) {
        if let current, current.token == Login.Token(token) { try? sessions.value.expire(current) }
    }

    private var current: Login.Session? { (try? sessions.value)?.current }
}
