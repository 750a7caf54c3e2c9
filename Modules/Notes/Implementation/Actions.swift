import DisplayInterface
import Foundation
import NotesInterface
import RouterServiceInterface

/// Fulfils `Notes.Edit`: the list, and above it the form.
struct EditAction: Action {
    @Dependency var router: any Router

    func perform(_ route: Notes.Edit) async throws {
        try await router.open([Notes.List(), Notes.Editor(id: route.id)])
    }
}

/// Fulfils `Notes.Synchronize`.
struct SynchronizeAction: Action {
    @Dependency var synchronizer: any Notes.Synchronizer

    func perform(_ route: Notes.Synchronize) async throws {
        await synchronizer.synchronize(all: true)
        switch synchronizer.state {
        case .idle, .running: return
        case .signedOut: throw NotSynchronized(reason: "Sign in to synchronise your notes.")
        case .offline(let reason), .failed(let reason): throw NotSynchronized(reason: reason)
        }
    }

    private struct NotSynchronized: LocalizedError {
        let reason: String

        var errorDescription: String? { reason }
    }
}

/// Fulfils `Notes.ConfirmSignOut`.
///
/// The library is deferred, because its scope begins here where nothing has used the notes yet.
struct ConfirmSignOutAction: Action {
    @Dependency var sessions: AuthorSessions
    @Dependency var library: Deferred<any Notes.Library>
    @Dependency var dialog: any Display.Dialog

    func perform(_ route: Notes.ConfirmSignOut) async throws {
        guard try await sessions.keepsNotes(of: route.author), try await sessions.begin() else { return }
        let library = try library.value
        guard library.author == route.author, library.unsentCount > 0 else { return }
        let (changes, them) =
            library.unsentCount == 1 ? ("One change", "it") : ("\(library.unsentCount) changes", "them")
        let question =
            "\(changes) of your notes will be lost, because the server does not have \(them) yet. Sign out?"
        guard await dialog.confirm(question) else { throw CancellationError() }
    }
}
