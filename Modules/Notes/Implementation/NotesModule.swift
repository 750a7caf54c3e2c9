import DisplayInterface
import HTTPClientInterface
import HomeInterface
import NotesInterface
public import RouterServiceInterface

/// Registers the notes of a session, and the screens that show and change them.
public struct NotesModule: Module {
    public init() {}

    public func register(in registrar: Registrar) {
        registrar.prepare(AuthorSessions.self, by: AuthorSessions.opened)
        registerSession(in: registrar)
        registrar.intercept(.where { $0 is any Notes.AuthorsRoute.Type }, by: SessionGuard.init)
        registrar.contribute(Home.Entry.self) {
            Home.Entry("Notes", detail: "kept here and on the server", opens: Notes.List())
        }
        registrar.route(Notes.List.self, .url("app://notes"), by: NoteListFeature.init)
        registrar.route(
            Notes.Editor.self, .url("app://notes/:id"), .url("app://notes/new?title"),
            by: NoteEditorFeature.init)
        registrar.route(Notes.Preview.self, by: NotePreviewFeature.init)
        registrar.action(Notes.Edit.self, .url("app://notes/:id/edit"), by: EditAction.init)
        registrar.action(Notes.ConfirmSignOut.self, by: ConfirmSignOutAction.init)
        registrar.listen(to: Notes.AuthorLeft.self) { (event, sessions: AuthorSessions) in
            try await sessions.end(event.author)
        }
        registrar.listen(to: Display.Resumed.self) {
            (_, sessions: AuthorSessions, synchronizer: Deferred<any Notes.Synchronizer>) in
            if sessions.open != nil { try synchronizer.value.begin(all: false) }
        }
    }

    // snippet: session
    @MainActor
    private func registerSession(in registrar: Registrar) {
        let session = Lifetime.scope(Notes.session)
        registrar.register(StoredLibrary.self, lifetime: session) {
            (sessions: AuthorSessions, synchronizer: Deferred<any Notes.Synchronizer>) in
            try StoredLibrary(sessions: sessions, synchronizer: synchronizer)
        }
        registrar.register(NoteSelection.self, lifetime: session) { NoteSelection() }
        registrar.register((any Notes.Synchronizer).self, lifetime: session) {
            (client: any HTTP.Client, author: any Notes.RequiredAuthor, library: StoredLibrary) in
            ServerSynchronizer(client: client, author: author, library: library)
        }
    }
    // snippet: end
}
