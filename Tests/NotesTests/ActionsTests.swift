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

    @Test(
        arguments: [
            (.idle, nil), (.signedOut, "Sign in to synchronise your notes."),
            (.offline(reason: "No."), "No."), (.failed(reason: "Nonsense."), "Nonsense."),
        ] as [(Notes.SyncState, String?)])
    func synchronizing_comparesAll_andSaysWhatWentWrong(state: Notes.SyncState, message: String?) async {
        let synchronizer = FakeSynchronizer()
        synchronizer.state = state
        var caught: String?
        do {
            try await SynchronizeAction(synchronizer: synchronizer).perform(Notes.Synchronize())
        } catch {
            caught = error.localizedDescription
        }
        #expect(caught == message)
        #expect(synchronizer.requests == [true])
    }

    @Test(arguments: [true, false])
    func signOut_isAskedAbout_whereSomethingIsUnsent(answer: Bool) async throws {
        let (session, terminal) = (Session(of: "ann"), FakeTerminal())
        let library = try await session.library()
        let action = ConfirmSignOutAction(
            sessions: session.sessions, library: Deferred { library }, dialog: terminal)
        try await action.perform(Notes.ConfirmSignOut(author: "ann"))
        #expect(terminal.questions.isEmpty)

        try await library.save(Notes.Note(title: "Tea", text: ""), replacing: nil)
        terminal.answer = answer
        if answer {
            try await action.perform(Notes.ConfirmSignOut(author: "ann"))
        } else {
            await #expect(throws: UserDeclined.self) {
                try await action.perform(Notes.ConfirmSignOut(author: "ann"))
            }
        }
        #expect(
            terminal.questions == [
                "One change of your notes will be lost, because the server does not have it yet. Sign out?"
            ])
    }

    @Test func signOut_isAskedOnceAboutUnsentNotesAndDrafts() async throws {
        let (session, terminal) = (Session(of: "ann"), FakeTerminal())
        let library = try await session.library()
        let action = ConfirmSignOutAction(
            sessions: session.sessions, library: Deferred { library }, dialog: terminal)
        terminal.answer = true
        library.keep(Notes.Draft(title: "Milk", text: "", original: nil), of: UUID())
        try await action.perform(Notes.ConfirmSignOut(author: "ann"))
        for title in ["Tea", "Cocoa"] {
            try await library.save(Notes.Note(title: title, text: ""), replacing: nil)
        }
        try await action.perform(Notes.ConfirmSignOut(author: "ann"))
        #expect(
            terminal.questions == [
                "One draft of your notes will be lost, because you have not saved it yet. Sign out?",
                "2 changes of your notes will be lost, because the server does not have them yet. "
                    + "One draft of your notes will be lost, because you have not saved it yet. Sign out?",
            ])
    }

    @Test func signOut_isNotHeldUp_whereTheNotesCannotBeOpened() async throws {
        let session = Session(of: "ann")
        session.stores.failure = .unusable(path: "notes", reason: "another program uses it")
        let action = ConfirmSignOutAction(
            sessions: session.sessions, library: Deferred { throw Notes.Failure.closed },
            dialog: FakeTerminal())
        try await action.perform(Notes.ConfirmSignOut(author: "ann"))
    }

    @Test func signOutOfAUserWithoutNotes_opensNone() async throws {
        let session = Session(of: "ann")
        let action = ConfirmSignOutAction(
            sessions: session.sessions, library: Deferred { throw Notes.Failure.closed },
            dialog: FakeTerminal())
        try await action.perform(Notes.ConfirmSignOut(author: "ann"))
        #expect(session.sessions.open == nil)
    }

    @Test func fakeModule_handlesTheRoutesOfOthers() {
        let recorded = RecordedModules(FakeNotesModule())
        #expect(recorded.routes.contains(TypeKey(Notes.Editor.self)))
    }
}
