public import NotesInterface
public import Observation
public import RouterServiceInterface

/// Stands in for Notes where another feature runs alone: routes without screens.
public struct FakeNotesModule: Module {
    public init() {}

    public func register(in registrar: Registrar) {
        registrar.action(Notes.List.self) { Nothing<Notes.List>() }
        registrar.action(Notes.Edit.self) { Nothing<Notes.Edit>() }
        registrar.action(Notes.ConfirmSignOut.self) { Nothing<Notes.ConfirmSignOut>() }
        registrar.action(Notes.Editor.self) { FakeEditor() }
    }
}

private struct Nothing<Destination: Route>: Action where Destination.Output == Void {
    func perform(_ route: Destination) async {}
}

/// Finishes with a note, as if the user had saved it.
private struct FakeEditor: Action {
    func perform(_ route: Notes.Editor) async throws -> Notes.Note {
        route.id.map { Notes.Note(id: $0, title: "Shopping", text: "Milk\nTea") }
            ?? Notes.Note(title: "New", text: "")
    }
}

/// An author whom a test signs in and out.
@Observable
@MainActor
public final class FakeAuthor: Notes.RequiredAuthor {
    public var id: String?
    /// The tokens that the server did not accept.
    public private(set) var expired: [String] = []

    public init(_ id: String? = nil) { self.id = id }

    public var token: String? { id.map { "token of \($0)" } }

    public func expire(token: String) {
        expired.append(token)
        id = nil
    }
}
