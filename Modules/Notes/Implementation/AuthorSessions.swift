import DisplayInterface
import Foundation
import NotesInterface
import Observation
import RouterServiceInterface
import StorageInterface

/// Opens the notes of the user who is signed in, and closes them when that user signs out.
///
/// The router's scope `Notes.session` begins and ends here. The last user's notes can be read without a sign-in, for example
/// when the server cannot be reached.
@Observable
@MainActor
final class AuthorSessions {
    struct Open: Sendable {
        /// A new identifier each time that notes are opened.
        let id = UUID()
        let author: String
        let store: any Storage.Store
        let drafts: Drafts
        /// The notes as they were when the store was opened.
        let notes: StoredNotes
    }

    private(set) var open: Open?
    var draftFailure: Storage.Failure?
    let stores: any Storage.Stores
    private let author: any Notes.RequiredAuthor
    private let router: any Router
    private let ending: Display.Ending
    /// The users and the program's store, which has them; nil until they are read.
    @ObservationIgnored private var known: (users: Users, store: any Storage.Store)?

    private struct Users: Codable, Hashable, Sendable {
        /// The last user who was signed in, unless that user signed out.
        var last: String?
        /// The users who signed out, and whose notes are not removed yet.
        var leaving: [String] = []

        static let key = Storage.Key<Users>("notes/users")
    }

    /// The name of the program's store, which no user can have.
    private static let programName = ""

    init(
        stores: any Storage.Stores, author: any Notes.RequiredAuthor, router: any Router,
        ending: Display.Ending
    ) {
        self.stores = stores
        self.author = author
        self.router = router
        self.ending = ending
    }

    /// Creates the sessions, and removes the notes of users who signed out.
    ///
    /// Notes are opened when they are needed, so that the first screen does not wait; at once where the module was replaced.
    static func opened(
        stores: any Storage.Stores, author: any Notes.RequiredAuthor, router: any Router,
        ending: Display.Ending
    ) async -> AuthorSessions {
        let sessions = AuthorSessions(stores: stores, author: author, router: router, ending: ending)
        do {
            try router.enter(Notes.session)
            try router.leave(Notes.session)
            try? await sessions.removeLeaving()
        } catch {
            _ = try? await sessions.begin()
        }
        return sessions
    }

    /// Opens the notes of the user who is signed in, or else of the last user.
    ///
    /// - Returns: False if there is neither.
    func begin() async throws -> Bool {
        while let wanted = try await wantedAuthor() {
            if open?.author == wanted { return true }
            try await removeLeaving(wanted)
            let store = try await stores.store(of: wanted)
            let notes = try await StoredNotes.read(from: store)
            try await changeUsers { $0.last = wanted }
            // Another user may have signed in meanwhile.
            guard try await wantedAuthor() == wanted, open?.author != wanted else { continue }
            if open != nil { try close() }
            let drafts = drafts(in: store)
            notes.savedDrafts.forEach { drafts.keep(nil, of: $0) }
            open = Open(author: wanted, store: store, drafts: drafts, notes: notes)
            draftFailure = nil
            do {
                try router.enter(Notes.session)
            } catch RouterError.scopeAlreadyEntered {
                // The module was replaced.
            }
        }
        return false
    }

    private func drafts(in store: any Storage.Store) -> Drafts {
        let drafts = Drafts(in: store) { [weak self] failure in
            Task { @MainActor in if self?.draftFailure != failure { self?.draftFailure = failure } }
        }
        ending.add(drafts)
        return drafts
    }

    /// Whether notes belong to the user who is signed in, or to the last user, so that they can be read and changed.
    func isOpen(_ notes: Open) -> Bool {
        open?.id == notes.id && (author.id ?? notes.author) == notes.author
    }

    /// Closes the notes of a user and removes them; at the next start, if the program ends meanwhile.
    func end(_ user: String) async throws {
        // Closed notes are written no more.
        if open?.author == user {
            open?.drafts.close()
            try close()
        }
        do {
            guard stores.hasStore(of: user) else { return }
            // A full disk may refuse the list. The removal needs no space, and makes some.
            try? await changeUsers { users in
                users.leaving.append(user)
                if users.last == user { users.last = nil }
            }
            try await remove(user)
        } catch {
            throw Notes.Failure.notRemoved(author: user, reason: errorMessage(of: error))
        }
    }

    private func close() throws {
        open = nil
        try router.leave(Notes.session)
    }

    /// Removes the notes of a user, or of all users, who signed out.
    private func removeLeaving(_ user: String? = nil) async throws {
        for leaving in try await currentUsers().leaving where user ?? leaving == leaving {
            try await remove(leaving)
        }
    }

    private func remove(_ user: String) async throws {
        let store = try await stores.store(of: user)
        try await Storage.onDisk { () throws(Storage.Failure) in try store.removeAll() }
        try await changeUsers { $0.leaving.removeAll { $0 == user } }
    }

    private func wantedAuthor() async throws -> String? {
        if let id = author.id { return id }
        return try await currentUsers().last
    }

    private func currentUsers() async throws -> Users { try await readUsers().users }

    private func changeUsers(_ change: (inout Users) -> Void) async throws {
        var (users, store) = try await readUsers()
        change(&users)
        guard users != known?.users else { return }
        known?.users = users
        // Written at once: whatever ends the program, the notes of a user who signed out are not shown again.
        try store.setNow(users, for: Users.key, isSynchronized: false)
        try await store.set(users, for: Users.key)
    }

    private func readUsers() async throws -> (users: Users, store: any Storage.Store) {
        if let known { return known }
        let store = try await stores.store(of: Self.programName)
        let users = try await store.value(for: Users.key)
        // Another call may have read them meanwhile.
        let read = known ?? (users ?? Users(), store)
        known = read
        return read
    }
}

/// Opens the notes before a route that needs them; the user is asked to sign in only if no notes can be opened.
struct SessionGuard: Interceptor {
    let sessions: AuthorSessions

    func intercept(_ request: RouteRequest) async throws -> Interception {
        if try await sessions.begin() { return .proceed }
        try await request.result(of: Notes.RequiredSignIn())
        _ = try await sessions.begin()
        return .proceed
    }
}
