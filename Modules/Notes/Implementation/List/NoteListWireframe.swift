import DisplayInterface
import Foundation
import NotesInterface
import RouterServiceInterface

/// The navigation of the list.
@MainActor
protocol NoteListWireframe {
    /// Lets the user change a note, or write a new note without an identifier, and waits until the note is saved.
    func edit(_ id: UUID?) async throws -> Notes.Note

    /// Builds the preview for the list.
    func embedPreview() async throws -> EmbeddedScreen

    func signIn(as author: String) async throws

    /// Shows the list of the user who is signed in, in place of this one.
    func reopen() async throws
}

/// Navigates through the router.
struct RoutedNoteListWireframe: NoteListWireframe {
    let context: any RouteContext<Notes.List>

    func edit(_ id: UUID?) async throws -> Notes.Note {
        try await context.result(of: Notes.Editor(id: id), as: .push)
    }

    func embedPreview() async throws -> EmbeddedScreen {
        try await context.embed(Notes.Preview())
    }

    func signIn(as author: String) async throws {
        try await context.result(of: Notes.RequiredSignIn(userName: author))
    }

    func reopen() async throws { try await context.replace(with: Notes.List()) }
}
