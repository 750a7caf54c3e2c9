import DisplayInterface
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
struct AuthorSessionsTests {
    @Test func notesOfTheUser_areOpened_andTheScopeBegins() async throws {
        let session = Session(of: "ann")
        #expect(try await session.sessions.begin())
        #expect(session.sessions.open?.author == "ann")
        #expect(session.router.scopes == [Notes.session])
        let open = session.sessions.open
        #expect(try await session.sessions.begin())
        #expect(session.sessions.open?.id == open?.id)
    }

    @Test func nobody_hasNoNotes_andNoScope() async throws {
        let session = Session(of: nil)
        #expect(try await !session.sessions.begin())
        #expect(session.sessions.open == nil)
        #expect(session.router.scopes.isEmpty)
    }

    @Test func lastUser_hasTheirNotes_beforeAnybodySignsIn_asSoonAsTheyAreNeeded() async throws {
        let first = Session(of: "ann")
        _ = try await first.sessions.begin()
        let later = await AuthorSessions.opened(
            stores: first.stores, author: FakeAuthor(), router: RecordingRouter(), ending: Display.Ending())
        #expect(later.open == nil, "the first screen does not wait for notes")
        #expect(try await later.begin())
        #expect(later.open?.author == "ann")
    }

    @Test func sessionsThatReplaceOthers_haveTheNotesOpen() async throws {
        let first = Session(of: "ann")
        _ = try await first.sessions.begin()
        let later = await AuthorSessions.opened(
            stores: first.stores, author: FakeAuthor(), router: first.router, ending: Display.Ending())
        #expect(later.open?.author == "ann")
        #expect(first.router.scopes == [Notes.session])
    }

    @Test func notes_areClosedToAnotherUser_asSoonAsThatOneSignsIn() async throws {
        let session = Session(of: "ann")
        let library = try await session.library()
        try await library.save(Notes.Note(title: "Tea", text: ""), replacing: nil)
        session.author.id = nil
        #expect(library.isOpen)
        #expect(library.notes.count == 1)
        session.author.id = "bob"
        #expect(!library.isOpen)
        #expect(library.notes.isEmpty)
        #expect(library.outbox.isEmpty)
        await #expect(throws: Notes.Failure.closed) {
            try await library.save(Notes.Note(title: "Milk", text: ""), replacing: nil)
        }
        #expect(try await session.library().author == "bob")
    }

    @Test(arguments: [["ann", "bob"], ["bob", "ann"]])
    func signOut_endsTheScopeOfOpenNotes_andShowsNobodysNotesAfterTheLastUser(users: [String]) async throws {
        let session = Session(of: "ann")
        try await session.library().save(Notes.Note(title: "Tea", text: ""), replacing: nil)
        session.author.id = "bob"
        _ = try await session.sessions.begin()
        session.author.id = nil
        var left: Set = ["ann", "bob"]
        for user in users {
            try await session.sessions.end(user)
            left.remove(user)
            // Where Ann did not sign out, she was not the last user.
            #expect(session.sessions.open?.author == (left.contains("bob") ? "bob" : nil))
            #expect(session.router.scopes == (left.contains("bob") ? [Notes.session] : []))
            #expect(try await session.sessions.begin() == left.contains("bob"))
            #expect(session.stores["ann"].values.isEmpty == !left.contains("ann"))
        }
    }

    @Test func notesThatCannotBeRemoved_areReported_andRemovedAtTheNextStart() async throws {
        let session = Session(of: "ann")
        let library = try await session.library()
        try await library.save(Notes.Note(title: "Tea", text: ""), replacing: nil)
        session.author.id = nil
        session.stores["ann"].failure = .notSaved(path: "user-ann", reason: "No space left on device")
        await #expect {
            try await session.sessions.end("ann")
        } throws: {
            $0.localizedDescription.hasPrefix("You are signed out, but notes of ann could not be removed")
        }
        #expect(try await !session.sessions.begin())
        #expect(!library.isOpen)
        session.stores["ann"].failure = nil
        _ = await AuthorSessions.opened(
            stores: session.stores, author: session.author, router: RecordingRouter(),
            ending: Display.Ending())
        await eventually { session.stores["ann"].values.isEmpty }
        #expect(session.stores["ann"].values.isEmpty)
    }

    @Test func signOut_removesTheNotes_whereTheListOfUsersIsDamaged_andTheNotesAreNotOpen() async throws {
        let first = Session(of: "ann")
        _ = try await first.library().save(Notes.Note(title: "Tea", text: ""), replacing: nil)
        first.stores[""].values["notes/users"] = Data("?".utf8)
        let later = Session(of: "ann", stores: first.stores)
        try await later.sessions.end("ann")
        #expect(first.stores["ann"].values.isEmpty)
    }

    @Test func signOut_removesTheNotes_whereTheListOfUsersCannotBeStored() async throws {
        let session = Session(of: "ann")
        _ = try await session.library().save(Notes.Note(title: "Tea", text: ""), replacing: nil)
        session.stores[""].failure = .notSaved(path: "users", reason: "No space left on device")
        try? await session.sessions.end("ann")
        #expect(session.stores["ann"].values.isEmpty)
    }

    @Test func otherUser_hasOtherNotes_inAScopeOfTheirOwn() async throws {
        let session = Session(of: "ann")
        _ = try await session.sessions.begin()
        session.author.id = "bob"
        #expect(try await session.sessions.begin())
        #expect(session.sessions.open?.author == "bob")
        #expect(session.router.scopes == [Notes.session])
        session.author.id = nil
        #expect(try await session.sessions.begin())
        #expect(session.sessions.open?.author == "bob")
    }

    @Test func storeThatCannotBeOpened_isAnErrorAsSoonAsItIsNeeded() async throws {
        let stores = FakeStores()
        let failure = Storage.Failure.unusable(path: "notes", reason: "another program uses it")
        stores[""].failure = failure
        let sessions = await AuthorSessions.opened(
            stores: stores, author: FakeAuthor("ann"), router: RecordingRouter(), ending: Display.Ending())
        await #expect(throws: failure) { try await sessions.begin() }
        stores[""].failure = nil
        #expect(try await sessions.begin())
    }

    @Test(arguments: [
        AnyRoute(Notes.List()), AnyRoute(Notes.Editor()), AnyRoute(Notes.Preview()),
    ])
    func routeThatNeedsNotes_awaitsTheSignIn(link: AnyRoute) async throws {
        let session = Session(of: nil)
        session.router.finish(Notes.RequiredSignIn.self) { session.author.id = "ann" }
        #expect(try await proceeds(link.route, in: session))
        #expect(session.router.opened == [AnyRoute(Notes.RequiredSignIn())])
        #expect(session.sessions.open?.author == "ann")
        #expect(try await proceeds(link.route, in: session))
        #expect(session.router.opened.count == 1)
    }

    @Test func routeThatNeedsNotes_whenTheUserGoesBack_isNotOpened() async {
        let session = Session(of: nil)
        await #expect(throws: UserDeclined.self) { try await proceeds(Notes.List(), in: session) }
    }

    @Test func routeOfStoredNotes_needsNoSignIn() async throws {
        let session = Session(of: "ann")
        _ = try await session.sessions.begin()
        session.author.id = nil
        #expect(try await proceeds(Notes.List(), in: session))
        #expect(session.router.opened.isEmpty)
    }

    private func proceeds(_ route: any Route, in session: Session) async throws -> Bool {
        let request = RouteRequest(route, router: session.router)
        let decision = try await SessionGuard(sessions: session.sessions).intercept(request)
        if case .proceed = decision { return true }
        return false
    }
}
