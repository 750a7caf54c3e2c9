import DisplayTesting
import Foundation
import NotesInterface
import NotesTesting
import RouterServiceInterface
import RouterServiceTesting
import StorageInterface
import StorageTesting
import Testing

@testable import NotesImplementation

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ActionsTests {
    @Test func edit_opensTheListAndTheEditorAboveIt() async throws {
        let (router, id) = (RecordingRouter(), UUID())
        try await EditAction(router: router).perform(Notes.Edit(id: id))
        #expect(router.opened == [AnyRoute(Notes.List()), AnyRoute(Notes.Editor(id: id))])
    }

    private func action(
        in session: Session, _ library: StoredLibrary? = nil, asking terminal: FakeTerminal = FakeTerminal()
    ) -> ConfirmSignOutAction {
        ConfirmSignOutAction(
            sessions: session.sessions, library: Deferred { try #require(library) }, dialog: terminal)
    }

    @Test func signOut_isAskedAbout_whereSomethingIsUnsentOrADraft() async throws {
        let (session, terminal) = (Session(of: "ann"), FakeTerminal())
        let library = try await session.library()
        let action = action(in: session, library, asking: terminal)
        try await action.perform(Notes.ConfirmSignOut(author: "ann"))
        library.keep(Notes.Draft(title: "Milk", text: "", original: nil), of: UUID())
        try await action.perform(Notes.ConfirmSignOut(author: "ann"))
        for title in ["Tea", "Cocoa"] {
            try await library.save(Notes.Note(title: title, text: ""), replacing: nil)
        }
        terminal.answer = false
        await #expect(throws: UserDeclined.self) {
            try await action.perform(Notes.ConfirmSignOut(author: "ann"))
        }
        #expect(
            terminal.questions == [
                "One draft of your notes will be lost, because you have not saved it yet. Sign out?",
                "2 changes of your notes will be lost, because the server does not have them yet. "
                    + "One draft of your notes will be lost, because you have not saved it yet. Sign out?",
            ])
    }

    @Test func signOut_isNotAskedAbout_whereTheUserHasNoNotes() async throws {
        let session = Session(of: "ann")
        try await action(in: session).perform(Notes.ConfirmSignOut(author: "ann"))
        #expect(session.sessions.open == nil)
    }

    @Test func signOut_isAskedAbout_whereTheNotesCannotBeRead() async throws {
        let (first, terminal) = (Session(of: "ann"), FakeTerminal())
        _ = try await first.library()
        let session = Session(of: "ann", stores: first.stores)
        session.stores["ann"].failure = .unusable(path: "ann", reason: "Input/output error")
        terminal.answer = false
        await #expect(throws: UserDeclined.self) {
            try await action(in: session, asking: terminal).perform(Notes.ConfirmSignOut(author: "ann"))
        }
        #expect(
            terminal.questions == [
                """
                Your notes cannot be read, and will be lost where the server does not have them. The data in ann cannot \
                be used: Input/output error. Correct that, or choose another folder. Sign out?
                """
            ])
    }

    @Test func fakeModule_handlesTheRoutesOfOthers() {
        let recorded = RecordedModules(FakeNotesModule())
        #expect(recorded.routes.contains(TypeKey(Notes.Editor.self)))
    }
}
