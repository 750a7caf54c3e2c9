import DisplayInterface
import NotesInterface
import RouterServiceInterface
import StorageInterface

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
        let losses = await losses(of: route.author)
        guard !losses.isEmpty else { return }
        guard await dialog.confirm("\(losses)Sign out?") else { throw UserDeclined() }
    }

    private func losses(of author: String) async -> String {
        do {
            guard sessions.stores.hasStore(of: author), try await sessions.begin() else { return "" }
            let library = try library.value
            guard library.author == author else { return "" }
            return loss(of: library.unsentCount, "change", because: "the server does not have")
                + loss(of: library.draftCount, "draft", because: "you have not saved")
        } catch {
            return "Your notes cannot be read, and will be lost where the server does not have them. "
                + "\(errorMessage(of: error)) "
        }
    }

    private func loss(of count: Int, _ kind: String, because reason: String) -> String {
        if count == 0 { return "" }
        let (what, them) = count == 1 ? ("One \(kind)", "it") : ("\(count) \(kind)s", "them")
        return "\(what) of your notes will be lost, because \(reason) \(them) yet. "
    }
}
