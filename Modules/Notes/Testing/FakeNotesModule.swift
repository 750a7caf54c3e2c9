import NotesInterface
public import RouterServiceInterface

/// Stands in for Notes where another feature runs alone: one note, which is never sent, and no screens.
public struct FakeNotesModule: Module {
    public init() {}

    /// Registers services without a server, and actions for the routes.
    public func register(in registrar: Registrar) {
        registrar.register((any Notes.Library).self, lifetime: .singleton) {
            FakeLibrary(Notes.Note(title: "Shopping", text: "Milk\nTea"))
        }
        registrar.register((any Notes.Synchronizer).self, lifetime: .singleton) { FakeSynchronizer() }
        registrar.register((any Notes.Focus).self, lifetime: .singleton) { FakeFocus() }
        registrar.action(Notes.List.self) { Nothing<Notes.List>() }
        registrar.action(Notes.Edit.self) { Nothing<Notes.Edit>() }
        registrar.action(Notes.Synchronize.self) { Nothing<Notes.Synchronize>() }
        registrar.action(Notes.ConfirmSignOut.self) { Nothing<Notes.ConfirmSignOut>() }
        registrar.action(Notes.Editor.self, by: FakeEditor.init)
    }
}

/// Does nothing.
private struct Nothing<Destination: Route>: Action where Destination.Output == Void {
    func perform(_ route: Destination) async {}
}

/// Finishes with the note as it is, as if the user had saved it without a change, or with a new one.
private struct FakeEditor: Action {
    @Dependency var library: any Notes.Library

    func perform(_ route: Notes.Editor) async throws -> Notes.Note {
        if let note = route.id.flatMap(library.entry)?.note { return note }
        let note = Notes.Note(title: "New", text: "")
        try await library.save(note, replacing: nil)
        return note
    }
}
