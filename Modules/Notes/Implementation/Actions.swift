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
        case .unknownNotes:
            throw NotSynchronized(
                reason: "The server does not know all notes that are stored here. Open your notes to decide.")
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
        // Notes that cannot be opened keep no user from signing out.
        guard (try? await sessions.keepsNotes(of: route.author)) == true,
            (try? await sessions.begin()) == true
        else { return }
        let library = try library.value
        guard library.author == route.author else { return }
        let (unsent, drafts) = (library.unsentCount, library.drafts.count)
        let parts = [
            unsent == 0 ? nil : unsent == 1 ? "one change of your notes" : "\(unsent) changes of your notes",
            drafts == 0 ? nil : drafts == 1 ? "one draft" : "\(drafts) drafts",
        ]
        let lost = parts.compactMap { $0 }.joined(separator: " and ")
        guard !lost.isEmpty else { return }
        let question =
            "\(lost.prefix(1).uppercased() + lost.dropFirst()) will be lost, because the server does not have "
            + "\(unsent + drafts == 1 ? "it" : "them") yet. Sign out?"
        guard await dialog.confirm(question) else { throw CancellationError() }
    }
}
