import DisplayInterface
import FeatureFlagsInterface
import Foundation
import HTTPClientInterface
import LoginInterface
import NotesInterface
import RouterServiceInterface
import RouterServiceProgram
import StorageInterface

/// Registers what the App itself provides: the server and the folder that the user chose, and adapters between modules
/// that do not know each other.
struct AppModule: Module {
    /// The server to talk to, or nil for the backend inside the program.
    let server: HTTP.Server?
    /// The folder in which data is kept, or nil to keep it in memory.
    let dataPath: String?
    /// The flags that the user sets.
    let flags: [FeatureFlags.Override]

    func register(in registrar: Registrar) {
        if let server { registrar.register(HTTP.Server.self, lifetime: .transient) { server } }
        if let dataPath {
            registrar.register(Storage.Folder.self, lifetime: .transient) { Storage.Folder(path: dataPath) }
        }
        if server == nil { registrar.contribute(Login.Hint.self) { Login.Hint(Arguments.hint) } }
        registrar.register((any Display.Status).self, lifetime: .singleton, by: SignedInStatus.init)
        #if LIVE
            LiveModule().register(in: registrar)
            registrar.override((any Display.Status).self) {
                (status: LiveStatus, sessions: Deferred<any Login.Sessions>, folder: Storage.Folder?) in
                status.usual = SignedInStatus(sessions: sessions, folder: folder)
                return status
            }
        #endif
        registrar.register(RouterTrace.self, lifetime: .singleton, by: RouterTrace.init)
        registrar.register((any Display.Trace).self, lifetime: .singleton) { (trace: RouterTrace) in trace }
        registerAuthor(in: registrar)
        registerFlags(in: registrar)
    }

    /// Registers the author and the routes that Notes requires, which Login provides: the server's rules keep no user from
    /// signing in or out.
    @MainActor
    private func registerAuthor(in registrar: Registrar) {
        registrar.register((any Notes.RequiredAuthor).self, lifetime: .singleton, by: SignedInAuthor.init)
        registrar.adapt(
            Notes.RequiredSignIn.self, to: Login.SignIn.self, route: { Login.SignIn(userName: $0.userName) },
            output: { _ in })
        registrar.contribute(FeatureFlags.ExemptRoute.self) { .init(Notes.RequiredSignIn.self) }
        registrar.contribute(FeatureFlags.ExemptRoute.self) { .init(Notes.ConfirmSignOut.self) }
        registrar.intercept(
            Login.SignOut.self, Notes.Synchronize.self, phase: .confirmation, by: ActionGuard.init)
        registrar.listen(to: Login.SignedOut.self) { (event, router: any Router) in
            let failures = await router.broadcast(Notes.AuthorLeft(author: event.user))
            if case .listenerFailed(_, _, let reason)? = failures.first { throw reason }
        }
    }
}

extension AppModule {
    /// Registers the flags that the user sets, when the server is asked again, and notices of what it decides.
    @MainActor
    private func registerFlags(in registrar: Registrar) {
        for flag in flags { registrar.contribute(FeatureFlags.Override.self) { flag } }
        registrar.listen(to: FeatureFlags.Changed.self) { (event, dialog: any Display.Dialog) in
            dialog.notify("Changed by the server: \(event.names.joined(separator: ", "))")
        }
        registrar.listen(to: Display.Resumed.self) { (_, router: any Router) in
            // Other listeners do not wait for the server.
            Task { await router.broadcast(FeatureFlags.Outdated()) }
        }
        registrar.listen(to: FeatureFlags.Refused.self) { (event, dialog: any Display.Dialog) in
            dialog.notify(event.reason)
        }
    }
}

/// Adapts Login and Storage to the status that Display shows: the signed-in user, and where data is kept.
///
/// The terminal holds the status, and cannot be replaced while it shows screens. The sessions are deferred, so that
/// Login can be replaced.
@MainActor
final class SignedInStatus: Display.Status {
    private let sessions: Deferred<any Login.Sessions>
    private let folder: Storage.Folder?

    init(sessions: Deferred<any Login.Sessions>, folder: Storage.Folder?) {
        (self.sessions, self.folder) = (sessions, folder)
    }

    var about: [String] {
        [
            folder.map { "Your data is kept in \($0.path)." }
                ?? "Your data is kept in memory, until the App ends."
        ]
    }

    var text: String? { (try? sessions.value)?.current.map { "Signed in as \($0.user)" } }
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
        if let current, current.token == Login.Token(token) { try? sessions.value.forget(current) }
    }

    private var current: Login.Session? { (try? sessions.value)?.current }
}
