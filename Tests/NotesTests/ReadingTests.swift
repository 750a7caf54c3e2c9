import Foundation
import HTTPClientInterface
import HTTPClientTesting
import NotesInterface
import NotesTesting
import RouterServiceInterface
import Testing

@testable import NotesImplementation

/// The synchroniser reads what was saved and deleted elsewhere.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ReadingTests {
    private let session = Session()
    private let tea = UUID()
    private let milk = UUID()

    private var client: FakeHTTPClient { session.client }

    /// The server was restarted, perhaps with other data.
    @Test func positionThatTheServerDoesNotKnow_hasEverythingReadAgain() async throws {
        let (library, synchronizer) = try await session.synchronized()
        client.list(json(tea, "Tea", version: 1))
        await synchronizer.synchronize(all: false)
        client.fail(.get, "notes", with: .status(410, body: ""))
        client.list(json(tea, "Tea", version: 1), json(milk, "Milk", version: 1))
        await synchronizer.synchronize(all: false)
        #expect(client.requests.map(\.query) == [[:], ["since": "end"], [:]])
        #expect(Set(library.titles) == ["Tea", "Milk"])
        #expect(synchronizer.state == .idle)
    }

    @Test func allPages_areRead_andOnlyWhatWasDeletedIsGone() async throws {
        let (library, synchronizer) = try await session.synchronized()
        let gone = UUID()
        client.list(json(gone, "Gone", version: 2), json(tea, "Tea", version: 3))
        await synchronizer.synchronize(all: false)
        #expect(Set(library.titles) == ["Tea", "Gone"])
        client.list(json(tea, "Tea", version: 3), next: "3")
        client.list(json(milk, "Milk", version: 1), deleted: [gone])
        await synchronizer.synchronize(all: true)
        #expect(Set(library.titles) == ["Tea", "Milk"])
        #expect(synchronizer.state == .idle)
        #expect(client.requests.map(\.query).suffix(2) == [[:], ["since": "3"]])
        client.list(deleted: [milk])
        await synchronizer.synchronize(all: false)
        #expect(library.titles == ["Tea"], "a deletion is found without reading all")
    }

    /// A note may change while the pages are read, and is on a later page then.
    @Test func noteThatIsDeletedWhilePagesAreRead_isGone() async throws {
        let (library, synchronizer) = try await session.synchronized()
        client.list(json(tea, "Tea", version: 1), json(milk, "Milk", version: 1), next: "1")
        client.list(json(milk, "Cold milk", version: 2), deleted: [tea])
        await synchronizer.synchronize(all: true)
        #expect(synchronizer.state == .idle)
        #expect(library.titles == ["Cold milk"])
    }

    /// Something else than a part of a response, and the path that the message names.
    @Test(arguments: [
        (#""id":"00000000-0000-4000-8000-000000000001""#, #""id":"1""#, "notes[0].id"),
        (#""id":"00000000-0000-4000-8000-000000000001","#, "", "notes[0].id"),
        ("2026-11-23T09:30:00Z", "soon", "notes[0].changed"), (#""server":"one","#, "", "server"),
        (#""end""#, "7", "position"), ("", "[]", "(the whole body)"),
    ])
    func listThatMakesNoSense_isAnError(part: String, other: String, place: String) async throws {
        let (library, synchronizer) = try await session.synchronized()
        let id = try #require(UUID(uuidString: "00000000-0000-4000-8000-000000000001"))
        let page = FakeHTTPClient.page([json(id, "Tea", version: 1)])
        let body = part.isEmpty ? other : page.replacing(part, with: other)
        #expect(body != page)
        client.respond(.get, "notes", json: body)
        await synchronizer.synchronize(all: false)
        #expect(try synchronizer.failure.contains("'\(place)'"))
        #expect(library.notes.isEmpty)
    }

    @Test func pagesWithoutEnd_areAnError() async throws {
        let (_, synchronizer) = try await session.synchronized()
        for number in 0...ServerSynchronizer.maximumPages { client.list(next: "\(number)") }
        await synchronizer.synchronize(all: false)
        #expect(
            synchronizer.state == .failed(reason: "The server's list of notes does not end. Try again later.")
        )
        #expect(client.requests.count == ServerSynchronizer.maximumPages)
    }

    @Test func requestWhileOneRuns_isFollowedByAnother() async throws {
        let interrupting = InterruptingClient(client)
        let synchronizer = ServerSynchronizer(
            client: interrupting, author: session.author, library: try await session.library())
        interrupting.beforeTheFirstResponse = { synchronizer.begin(all: false) }
        client.list(times: 2)
        synchronizer.begin(all: false)
        #expect(synchronizer.state == .running)
        await synchronizer.synchronize(all: false)
        #expect(client.requests.count == 2)
        #expect(synchronizer.state == .idle)
    }
}

/// Does something while the first request waits for its response.
@MainActor
private final class InterruptingClient: HTTP.Client {
    var beforeTheFirstResponse: (() -> Void)?
    private let client: any HTTP.Client

    init(_ client: any HTTP.Client) { self.client = client }

    @MainActor
    func send(_ request: HTTP.Request) async throws -> HTTP.Response {
        beforeTheFirstResponse?()
        beforeTheFirstResponse = nil
        return try await client.send(request)
    }
}
