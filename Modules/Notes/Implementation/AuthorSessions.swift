import Foundation
import NotesInterface
import Observation
import RouterServiceInterface
import StorageInterface

/// Opens the notes of the user who is signed in, and closes them when that user signs out.
///
/// The router's scope `Notes.session` begins and ends here. The program remembers whose notes it keeps, so that they can be
/// read before a user has signed in, for example when the server cannot be reached.
@Observable
@MainActor
final class AuthorSessions {
    /// The open notes of a user, until they are closed.
    struct Open: Sendable {
        /// Another one each time that notes are opened.
        let id = UUID()
        let author: Identifier
        let store: any Storage.Store
        /// The notes in the store when it was opened.
        let notes: StoredNotes
    }

    private(set) var open: Open?
    private let stores: any Storage.Stores
    private let author: (any Notes.RequiredAuthor)?
    private let router: any Router
    /// The store of the whole program; nil until it could be opened.
    @ObservationIgnored private var program: (any Storage.Store)?

    /// The users whose notes are kept here.
    private struct Users: Codable, Hashable, Sendable {
        /// Those who did not sign out.
        var kept: [Identifier] = []
        /// The last one who was signed in, unless that one signed out.
        var last: Identifier?
        /// Those who signed out, and whose notes are not removed yet.
        var leaving: [Identifier] = []

        static let key = Storage.Key<Users>("notes/users")
        /// The key of earlier versions, which kept the last user at the end, whether or not that one signed out.
        private static let formerKey = Storage.Key<[Identifier]>("notes/authors")

        /// Reads the users from the program's store; where they cannot be read, nobody's notes are open without a sign-in.
        static func read(from values: inout Storage.Values) -> Users {
            if let users = values.intactValue(for: key) { return users }
            let authors = values.intactValue(for: formerKey) ?? []
            return Users(kept: authors, last: authors.last)
        }
    }

    /// The name of that store, which no user can have, and the name of the user if the program knows no users.
    private static let (programName, onlyAuthor): (Identifier, Identifier) = ("", "local")

    init(stores: any Storage.Stores, author: (any Notes.RequiredAuthor)?, router: any Router) {
        self.stores = stores
        self.author = author
        self.router = router
    }

    /// Creates the sessions, with notes open if these sessions replace others, because the module was replaced.
    ///
    /// Otherwise notes are opened as soon as they are needed: the first screen does not wait for them. What those who
    /// signed out left here is removed.
    static func opened(
        stores: any Storage.Stores, author: (any Notes.RequiredAuthor)?, router: any Router
    ) async -> AuthorSessions {
        let sessions = AuthorSessions(stores: stores, author: author, router: router)
        do {
            try router.enter(Notes.session)
            try router.leave(Notes.session)
            try? await sessions.removeLeaving()
        } catch {
            _ = try? await sessions.begin()
        }
        return sessions
    }

    /// Opens the notes of the user who is signed in, or else of the one whose notes were open last.
    ///
    /// - Returns: False if there is neither.
    /// - Throws: The error that keeps the notes from being opened.
    func begin() async throws -> Bool {
        while let wanted = try await wantedAuthor() {
            if open?.author == wanted { return true }
            try await removeLeaving(wanted)
            let store = try await stores.store(of: wanted)
            let notes = await StoredNotes.read(from: store)
            try await changeUsers {
                if !$0.kept.contains(wanted) { $0.kept.append(wanted) }
                $0.last = wanted
            }
            // Another user may have signed in meanwhile.
            guard try await wantedAuthor() == wanted, open?.author != wanted else { continue }
            if open != nil { try close() }
            open = Open(author: wanted, store: store, notes: notes)
            do {
                try router.enter(Notes.session)
            } catch RouterError.scopeAlreadyEntered {
                // These sessions replace others, because the module was replaced.
            }
        }
        return false
    }

    /// Whether notes can be read and changed: they are those of the user who is signed in, or of the last user.
    func isOpen(_ notes: Open) -> Bool {
        open?.id == notes.id && (author?.id ?? notes.author) == notes.author
    }

    /// Whether the program knows users, of whom none is signed in.
    var isSignedOut: Bool { author.map { $0.id == nil } ?? false }

    /// Whether notes of a user are kept here.
    func keepsNotes(of user: Identifier) async throws -> Bool {
        try await currentUsers().kept.contains(user)
    }

    /// Closes the notes of a user, and removes them; at the next start, if the program ends meanwhile.
    ///
    /// - Throws: The error that kept them from being removed.
    func end(_ user: Identifier) async throws {
        // Closed first, so that nothing is written any more.
        if open?.author == user { try close() }
        do {
            guard try await keepsNotes(of: user) else { return }
            try await changeUsers { users in
                users.kept.removeAll { $0 == user }
                users.leaving.append(user)
                if users.last == user { users.last = nil }
            }
            try await removeLeaving(user)
        } catch {
            throw Notes.Failure.notRemoved(author: user, reason: errorMessage(of: error))
        }
    }

    private func close() throws {
        open = nil
        try router.leave(Notes.session)
    }

    /// Removes what is left of a user, or of all users, who signed out.
    private func removeLeaving(_ user: Identifier? = nil) async throws {
        for leaving in try await currentUsers().leaving where user ?? leaving == leaving {
            try await stores.store(of: leaving).erase()
            try await changeUsers { $0.leaving.removeAll { $0 == leaving } }
        }
    }

    private func wantedAuthor() async throws -> Identifier? {
        guard let author else { return Self.onlyAuthor }
        if let id = author.id { return id }
        return try await currentUsers().last
    }

    private func currentUsers() async throws -> Users {
        var values = try await programStore().values
        return Users.read(from: &values)
    }

    /// Changes the users, if that makes a difference.
    private func changeUsers(_ change: @Sendable (inout Users) -> Void) async throws {
        try await programStore().transaction { values in
            var users = Users.read(from: &values)
            let former = users
            change(&users)
            if users != former { try values.set(users, for: Users.key) }
        }
    }

    private func programStore() async throws -> any Storage.Store {
        if let program { return program }
        let store = try await stores.store(of: Self.programName)
        program = store
        return store
    }
}

/// Opens the user's notes before a route needs them, whichever way it is opened.
///
/// If no user is signed in, the last user's notes are opened; the user is asked to sign in only if there are none, or if they
/// are to be sent.
struct SessionGuard: Interceptor {
    let sessions: AuthorSessions

    func intercept(_ request: RouteRequest) async throws -> Interception {
        let needsUser = request.route is Notes.Synchronize && sessions.isSignedOut
        if !needsUser, try await sessions.begin() { return .proceed }
        try await request.result(of: Notes.RequiredSignIn())
        _ = try await sessions.begin()
        return .proceed
    }
}
