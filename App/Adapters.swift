import DisplayInterface
import Foundation
import HTTPClientInterface
import LoginInterface
import NotesInterface
import Observation
import RouterServiceInterface
import StorageInterface

/// Registers what the App itself provides: the server and the folder that the user chose, and adapters between modules
/// that know nothing of each other.
struct AppModule: Module {
    /// The server to talk to, or nil for the backend inside the program.
    let server: URL?
    /// The folder in which data is kept, or nil to keep it in memory.
    let dataPath: String?

    func register(in registrar: Registrar) {
        if let server {
            registrar.register(HTTP.Server.self, lifetime: .singleton) { HTTP.Server(url: server) }
        }
        if let dataPath {
            registrar.register(Storage.Folder.self, lifetime: .singleton) { Storage.Folder(path: dataPath) }
        }
        registrar.register((any Display.Status).self, lifetime: .singleton, by: SignedInStatus.init)
        registrar.register(RouterTrace.self, lifetime: .singleton, by: RouterTrace.init)
        registrar.register((any Display.Trace).self, lifetime: .singleton) { (trace: RouterTrace) in trace }
        registerAuthor(in: registrar)
    }

    /// Registers what Notes requires, which Login provides.
    @MainActor
    private func registerAuthor(in registrar: Registrar) {
        registrar.register((any Notes.RequiredAuthor).self, lifetime: .singleton, by: SignedInAuthor.init)
        registrar.adapt(
            Notes.RequiredSignIn.self, to: Login.SignIn.self, route: { Login.SignIn(userName: $0.userName) },
            output: { _ in })
        registrar.intercept(by: UnsentNotesGuard.init)
        registrar.listen(to: Login.SignedOut.self) { (event, router: any Router) in
            let failures = await router.broadcast(Notes.AuthorLeft(author: event.user))
            if let failure = failures.first { throw failure }
        }
    }
}

/// Answers what Display asks about the program with what Login knows: who is signed in.
///
/// The terminal holds the status, and cannot be exchanged while it shows screens. The sessions are deferred, so that
/// Login can be.
@MainActor
final class SignedInStatus: Display.Status {
    private let sessions: Deferred<any Login.Sessions>

    init(sessions: Deferred<any Login.Sessions>) {
        self.sessions = sessions
    }

    var text: String? { (try? sessions.value)?.current.map { "Signed in as \($0.user)" } }
}

/// Answers what Notes asks about its user with what Login knows.
///
/// The sessions are deferred, so that an exchange of Login does not open the notes again.
@MainActor
final class SignedInAuthor: Notes.RequiredAuthor {
    private let sessions: Deferred<any Login.Sessions>

    init(sessions: Deferred<any Login.Sessions>) {
        self.sessions = sessions
    }

    var id: String? { current?.user }
    var token: String? { current?.token.value }

    func expire(token: String) {
        if let current, current.token.value == token { try? sessions.value.forget(current) }
    }

    private var current: Login.Session? { (try? sessions.value)?.current }
}

/// Has Notes ask before a user signs out whose changes are not all sent.
struct UnsentNotesGuard: Interceptor {
    @Dependency var sessions: any Login.Sessions

    func intercept(_ request: RouteRequest) async throws -> Interception {
        if request.route is Login.SignOut, let user = sessions.current?.user {
            try await request.result(of: Notes.ConfirmSignOut(author: user))
        }
        return .proceed
    }
}

/// Answers what Display asks about the architecture at work with what the router reports.
@Observable
@MainActor
final class RouterTrace: Display.Trace {
    private(set) var stack: [String] = []
    private(set) var events: [String] = []
    private(set) var services: [String] = []

    /// How many events are kept.
    private static let mostEvents = 1000

    /// Follows a router until it ends.
    func follow(_ router: any RunningRouter) {
        let reports = router.events()
        Task { [weak self, weak router] in
            for await event in reports { self?.take(event, of: router) }
        }
    }

    private func take(_ event: RouterEvent, of router: (any RunningRouter)?) {
        switch event {
        case .resolved: return  // which says little, and often
        case .created(let type, _): services.append("\(type)")
        case .presented, .removed, .exchanged:
            stack = router?.snapshot.entries.map { (try? $0.route.link) ?? "\($0.route)" } ?? []
        default: break
        }
        events = events.suffix(Self.mostEvents - 1) + [event.description]
    }
}
