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
    /// The open notes of a user, until they are closed; opened again, they are another instance.
    final class Open: Sendable {
        let author: String
        let store: any Storage.Store
        /// The notes in the store when it was opened.
        let notes: StoredNotes

        init(author: String, store: any Storage.Store, notes: StoredNotes) {
            (self.author, self.store, self.notes) = (author, store, notes)
        }
    }

    private(set) var open: Open?
    private let stores: any Storage.Stores
    private let author: (any Notes.RequiredAuthor)?
    private let router: any Router
    /// The store of the whole program; nil until it could be opened.
    @ObservationIgnored private var program: (any Storage.Store)?

    /// The key, in the program's store, of the users whose notes are kept here, the last user at the end.
    private static let authors = Storage.Key<[String]>("notes/authors")
    /// The name of that store, which no user can have, and the name of the user if the program knows no users.
    private static let (programName, onlyAuthor) = ("", "local")

    init(stores: any Storage.Stores, author: (any Notes.RequiredAuthor)?, router: any Router) {
        (self.stores, self.author, self.router) = (stores, author, router)
    }

    /// Creates the sessions, with the notes of the last user open, if there are any.
    ///
    /// An error in opening them is thrown as soon as they are needed, and not at the start of the program.
    static func opened(
        stores: any Storage.Stores, author: (any Notes.RequiredAuthor)?, router: any Router
    ) async -> AuthorSessions {
        let sessions = AuthorSessions(stores: stores, author: author, router: router)
        _ = try? await sessions.begin()
        return sessions
    }

    /// Opens the notes of the user who is signed in, or else of the last user.
    ///
    /// - Returns: False if there is neither.
    /// - Throws: The error that keeps the notes from being opened.
    func begin() async throws -> Bool {
        while let wanted = try await wantedAuthor() {
            if open?.author == wanted { return true }
            let store = try await stores.store(of: wanted)
            let notes = try await StoredNotes.read(from: store.values)
            try await remember(wanted)
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

    /// Whether notes of a user are kept here.
    func keepsNotes(of user: String) async throws -> Bool {
        try await authors().contains(user)
    }

    /// Removes the notes of a user, and closes them.
    func end(_ user: String) async throws {
        guard try await keepsNotes(of: user) else { return }
        let store = try await stores.store(of: user)
        // Closed first, so that nothing is written any more.
        if open?.author == user { try close() }
        try await store.transaction { StoredNote.removeAll(from: &$0) }
        try await changeAuthors { $0.removeAll { $0 == user } }
    }

    private func close() throws {
        open = nil
        try router.leave(Notes.session)
    }

    private func wantedAuthor() async throws -> String? {
        guard let author else { return Self.onlyAuthor }
        if let id = author.id { return id }
        return try await authors().last
    }

    private func remember(_ user: String) async throws {
        guard try await authors().last != user else { return }
        try await changeAuthors {
            $0.removeAll { $0 == user }
            $0.append(user)
        }
    }

    private func authors() async throws -> [String] {
        try await programStore().values.value(for: Self.authors) ?? []
    }

    private func changeAuthors(_ change: @Sendable (inout [String]) -> Void) async throws {
        let key = Self.authors
        try await programStore().transaction { values in
            var authors = try values.value(for: key) ?? []
            change(&authors)
            try values.set(authors, for: key)
        }
    }

    private func programStore() async throws -> any Storage.Store {
        if let program { return program }
        let store = try await stores.store(of: Self.programName)
        program = store
        return store
    }
}
