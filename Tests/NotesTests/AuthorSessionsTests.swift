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
@Suite(.timeLimit(.minutes(1)))
struct AuthorSessionsTests {
    @Test func notesOfTheUser_areOpened_andTheScopeBegins() async throws {
        let session = Session(of: "ann")
        #expect(try await session.sessions.begin())
        #expect(session.sessions.open?.author == "ann" && session.router.scopes == [Notes.session])
        let open = session.sessions.open
        #expect(try await session.sessions.begin() && session.sessions.open === open)
    }

    @Test func nobody_hasNoNotes_andNoScope() async throws {
        let session = Session(of: nil)
        #expect(try await !session.sessions.begin())
        #expect(session.sessions.open == nil && session.router.scopes.isEmpty)
    }

    @Test func lastUser_hasTheirNotesOpen_beforeAnybodySignsIn() async throws {
        let first = Session(of: "ann")
        _ = try await first.sessions.begin()
        let later = await AuthorSessions.opened(
            stores: first.stores, author: FakeAuthor(), router: RecordingRouter())
        #expect(later.open?.author == "ann")
    }

    @Test func otherUser_hasOtherNotes_inAScopeOfTheirOwn() async throws {
        let session = Session(of: "ann")
        _ = try await session.sessions.begin()
        session.author.id = "bob"
        #expect(try await session.sessions.begin())
        #expect(session.sessions.open?.author == "bob" && session.router.scopes == [Notes.session])
        session.author.id = nil
        #expect(try await session.sessions.begin() && session.sessions.open?.author == "bob")
    }

    @Test func signOut_endsTheScope_andForgetsTheUser_alsoOneWhoseNotesAreNotOpen() async throws {
        let session = Session(of: "ann")
        _ = try await session.sessions.begin()
        session.author.id = "bob"
        _ = try await session.sessions.begin()
        session.author.id = nil
        try await session.sessions.end("ann")
        #expect(session.sessions.open?.author == "bob", "those of another user stay open")
        #expect(try await !session.sessions.keepsNotes(of: "ann"))
        try await session.sessions.end("bob")
        #expect(session.sessions.open == nil && session.router.scopes.isEmpty)
        #expect(try await !session.sessions.begin())
    }

    @Test func storeThatCannotBeOpened_isAnErrorAsSoonAsItIsNeeded() async throws {
        let stores = FakeStores()
        stores.failure = .inUse(path: "notes")
        let sessions = await AuthorSessions.opened(
            stores: stores, author: FakeAuthor("ann"), router: RecordingRouter())
        await #expect(throws: Storage.Failure.inUse(path: "notes")) { try await sessions.begin() }
        stores.failure = nil
        #expect(try await sessions.begin())
    }

    @Test func programWithoutUsers_keepsNotesAllTheSame() async throws {
        let sessions = await AuthorSessions.opened(
            stores: FakeStores(), author: nil, router: RecordingRouter())
        #expect(sessions.open?.author == "local")
    }

    @Test(arguments: [
        AnyRoute(Notes.List()), AnyRoute(Notes.Editor()), AnyRoute(Notes.Preview()),
        AnyRoute(Notes.Synchronize()),
    ])
    func routeThatNeedsNotes_awaitsTheSignIn(link: AnyRoute) async throws {
        let session = Session(of: nil)
        session.router.finish(Notes.RequiredSignIn.self) { session.author.id = "ann" }
        #expect(try await proceeds(link.route, in: session))
        #expect(session.router.opened == [AnyRoute(Notes.RequiredSignIn())])
        #expect(session.sessions.open?.author == "ann")
        #expect(try await proceeds(link.route, in: session) && session.router.opened.count == 1)
    }

    @Test func routeThatNeedsNotes_whenTheUserGoesBack_isNotOpened() async {
        let session = Session(of: nil)
        await #expect(throws: CancellationError.self) { try await proceeds(Notes.List(), in: session) }
    }

    @Test func routeOfStoredNotes_needsNoSignIn() async throws {
        let session = Session(of: "ann")
        _ = try await session.sessions.begin()
        session.author.id = nil
        #expect(try await proceeds(Notes.List(), in: session) && session.router.opened.isEmpty)
    }

    @Test func otherRoute_opensNothing() async throws {
        let session = Session(of: "ann")
        #expect(try await proceeds(Notes.RequiredSignIn(), in: session))
        #expect(session.sessions.open == nil)
    }

    private func proceeds(_ route: any Route, in session: Session) async throws -> Bool {
        let request = RouteRequest(route, router: session.router)
        let decision = try await SessionGuard(sessions: session.sessions).intercept(request)
        if case .proceed = decision { return true }
        return false
    }
}
