import DisplayInterface
import Foundation
import NotesInterface
import RouterServiceInterface

/// The navigation of the list.
@MainActor
protocol NoteListWireframe {
    /// Lets the user write a note, a new one if there is no identifier, and waits until it is saved.
    ///
    /// - Throws: `UserDeclined` when the user goes back.
    func edit(_ id: UUID?) async throws -> Notes.Note

    /// Builds the preview, which is embedded in the list until it finishes with the user's request.
    func embedPreview(
        finish: @escaping @MainActor (Notes.Preview.Output) -> Void
    ) async throws -> EmbeddedScreen

    /// Shows the preview beside the list, and waits for the user's request.
    ///
    /// - Throws: `UserDeclined` when the user closes it; `CancellationError` when the calling task is cancelled.
    func peek() async throws -> Notes.Preview.Output

    /// Lets the user of the notes sign in.
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

    func embedPreview(
        finish: @escaping @MainActor (Notes.Preview.Output) -> Void
    ) async throws -> EmbeddedScreen {
        try await context.embed(Notes.Preview(), finish: finish)
    }

    func peek() async throws -> Notes.Preview.Output {
        try await context.result(of: Notes.Preview(), as: Display.peek)
    }

    func signIn(as author: String) async throws {
        try await context.result(of: Notes.RequiredSignIn(userName: author))
    }

    func reopen() async throws { try await context.replace(with: Notes.List()) }
}
