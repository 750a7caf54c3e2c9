import DisplayInterface
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
        if let problem = synchronizer.state.problem { throw Notes.Failure.notSynchronized(problem) }
    }
}

/// Fulfils `Notes.ConfirmSignOut`.
///
/// The library is deferred, because its scope begins here where nothing has used the notes yet.
struct ConfirmSignOutAction: Action {
    @Dependency var sessions: AuthorSessions
    @Dependency var library: Deferred<StoredLibrary>
    @Dependency var dialog: any Display.Dialog

    func perform(_ route: Notes.ConfirmSignOut) async throws {
        // Notes that cannot be opened keep no user from signing out.
        guard (try? await sessions.keepsNotes(of: route.author)) == true,
            (try? await sessions.begin()) == true
        else { return }
        let library = try library.value
        guard library.author == route.author else { return }
        await library.storeDrafts()
        let count = library.unsentCount + library.draftCount
        guard count > 0 else { return }
        let (changes, them) = count == 1 ? ("One change", "it") : ("\(count) changes", "them")
        let question =
            "\(changes) of your notes will be lost, because the server does not have \(them) yet. Sign out?"
        guard await dialog.confirm(question) else { throw CancellationError() }
    }
}
