import DisplayInterface
import NotesInterface
import RouterServiceInterface

/// Opens the list and, above it, the editor.
struct EditAction: Action {
    let router: any Router

    func perform(_ route: Notes.Edit) async throws {
        try await router.open([Notes.List(), Notes.Editor(id: route.id)])
    }
}

/// Asks before a sign-out loses notes.
///
/// The library is deferred, because its scope may begin in this action.
struct ConfirmSignOutAction: Action {
    let sessions: AuthorSessions
    let library: Deferred<StoredLibrary>
    let dialog: any Display.Dialog

    func perform(_ route: Notes.ConfirmSignOut) async throws {
        // A user whose notes cannot be opened may sign out.
        guard (try? await sessions.keepsNotes(of: route.author)) == true,
            (try? await sessions.begin()) == true
        else { return }
        let library = try library.value
        guard library.author == route.author else { return }
        let losses =
            loss(of: library.unsentCount, "change", because: "the server does not have")
            + loss(of: library.draftCount, "draft", because: "you have not saved")
        guard !losses.isEmpty else { return }
        guard await dialog.confirm("\(losses)Sign out?") else { throw UserDeclined() }
    }

    private func loss(of count: Int, _ kind: String, because reason: String) -> String {
        if count == 0 { return "" }
        let (what, them) = count == 1 ? ("One \(kind)", "it") : ("\(count) \(kind)s", "them")
        return "\(what) of your notes will be lost, because \(reason) \(them) yet. "
    }
}
