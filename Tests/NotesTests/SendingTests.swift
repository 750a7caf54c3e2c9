import Foundation
import HTTPClientInterface
import HTTPClientTesting
import NotesInterface
import NotesTesting
import RouterServiceInterface
import Testing

@testable import NotesImplementation

/// The synchroniser sends the outbox; what the server refuses or does not receive stays there.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct SendingTests {
    private let session = Session()
    private let tea = UUID()
    private let milk = UUID()

    private var client: FakeHTTPClient { session.client }

    @Test func unsentNote_isSent_andTheServersNotesAreRead() async throws {
        let library = try await session.library()
        let synchronizer = session.synchronizer(of: library)
        try await library.save(Notes.Note(id: tea, title: "Tea", text: "Green"), replacing: nil)
        client.accept(tea, "Tea", version: 2, text: "Green")
        client.list(json(tea, "Tea", version: 2, text: "Green"), json(milk, "Milk", version: 1), times: 3)
        await synchronizer.synchronize(all: false)
        #expect(synchronizer.state == .idle)
        #expect(library.unsentCount == 0)
        #expect(Set(library.titles) == ["Tea", "Milk"])
        let save = try #require(client.requests.first { $0.method == .put })
        #expect(save.condition == .absent)
        #expect(save.token == "token of ann")
        let body = try JSONDecoder().decode([String: String].self, from: try #require(save.body))
        #expect(body == ["title": "Tea", "text": "Green"])
        #expect(library.serverID == "one", "notes that no server had belong to the first")
    }

    @Test func saveWhoseResponseWasLost_isNoConflictWithTheNextOne() async throws {
        let (library, synchronizer) = try await session.synchronized(.sent("Tea", id: tea))
        func save(_ title: String) async throws {
            let original = try #require(library.note(tea)).note
            let note = Notes.Note(id: tea, title: title, text: "", version: original.version)
            try await library.save(note, replacing: original)
        }
        try await save("Green tea")
        client.list(json(tea, "tea", version: 1))
        client.fail(.put, "notes/\(tea)", with: .timedOut(seconds: 10))
        await synchronizer.synchronize(all: false)
        try await save("Black tea")
        // The program may have been restarted meanwhile.
        let later = try await Session(stores: session.stores).library()
        #expect(later.unsentChanges.first?.attempts.count == 1)

        client.list(json(tea, "Green tea", version: 2))
        client.refuse(.put, tea, because: json(tea, "Green tea", version: 2))
        client.accept(tea, "Black tea", version: 3)
        client.list(json(tea, "Black tea", version: 3), times: 2)
        await synchronizer.synchronize(all: false)
        #expect(library.note(tea)?.status == .sent)
        #expect(library.note(tea)?.note.title == "Black tea")
        #expect(client.conditions.last == .version("2"))
    }

    @Test func deletion_isSentWithTheVersion() async throws {
        let (library, synchronizer) = try await session.synchronized(.sent("Tea", id: tea, version: "7"))
        try await library.delete(tea)
        client.respond(.delete, "notes/\(tea)", status: 204)
        client.list(json(tea, "Tea", version: 7))
        client.list(deleted: [tea])
        await synchronizer.synchronize(all: false)
        #expect(client.requests.first { $0.method == .delete }?.condition == .version("7"))
        #expect(library.unsentCount == 0)
        #expect(library.notes.isEmpty)
    }

    @Test func deletionOfWhatTheServerNoLongerHas_isDone() async throws {
        let (library, synchronizer) = try await session.synchronized(.sent("Tea", id: tea, version: "7"))
        try await library.delete(tea)
        client.fail(.delete, "notes/\(tea)", with: .status(404, body: ""))
        client.list(json(tea, "Tea", version: 7))
        client.list(times: 2)
        await synchronizer.synchronize(all: false)
        #expect(synchronizer.state == .idle)
        #expect(library.unsentCount == 0)
    }

    @Test func deletionOfANote_whoseSaveDidNotReachTheServer_isDone() async throws {
        let (library, synchronizer) = try await session.synchronized()
        try await library.save(Notes.Note(id: tea, title: "Tea", text: ""), replacing: nil)
        client.list()
        client.fail(.put, "notes/\(tea)", with: .timedOut(seconds: 10))
        await synchronizer.synchronize(all: false)
        try await library.save(Notes.Note(id: milk, title: "Milk", text: ""), replacing: nil)
        try await library.delete(tea)
        #expect(library.unsentCount == 2, "the save may have reached it")
        client.fail(.put, "notes/\(milk)", with: .status(422, body: ""))
        client.list(times: 3)
        await synchronizer.synchronize(all: true)
        #expect(library.unsentCount == 1)
        #expect(library.titles == ["Milk"])
    }

    @Test(arguments: [
        (HTTP.Failure.status(422, body: #"{"error":"Not this one."}"#), "Not this one."),
        (.status(500, body: ""), "The server responded with status 500."),
        (
            .invalidRequest(reason: "the version holds characters that a header cannot"),
            "The request cannot be sent: the version holds characters that a header cannot."
        ),
    ])
    func noteThatTheServerRefuses_isNamed_keepsNoOtherFromBeingSent_andIsSentAgain(
        failure: HTTP.Failure, reason: String
    ) async throws {
        let (library, synchronizer) = try await session.synchronized()
        try await library.save(
            Notes.Note(id: tea, title: "Tea", text: "", changed: .distantPast), replacing: nil)
        try await library.save(Notes.Note(id: milk, title: "Milk", text: ""), replacing: nil)
        client.accept(milk, "Milk", version: 1)
        client.fail(.put, "notes/\(tea)", with: failure)
        client.list(json(milk, "Milk", version: 1), times: 2)
        await synchronizer.synchronize(all: false)
        #expect(synchronizer.state == .failed(reason: "'Tea' could not be synchronised. \(reason)"))
        #expect(library.note(tea)?.status == .unsent)
        #expect(library.note(milk)?.status == .sent)
        client.accept(tea, "Tea", version: 1)
        client.list(json(milk, "Milk", version: 1), json(tea, "Tea", version: 1), times: 2)
        #expect(await session.retries.end() == [ServerSynchronizer.retryDuration])
        await eventually { synchronizer.state == .idle }
        #expect(library.unsentCount == 0)
    }

    @Test func notesThatTheServerRefuses_areCounted() async throws {
        let (library, synchronizer) = try await session.synchronized()
        for (id, time) in [(tea, 1.0), (milk, 2)] {
            let note = Notes.Note(
                id: id, title: "\(time)", text: "", changed: Date(timeIntervalSince1970: time))
            try await library.save(note, replacing: nil)
            client.respond(.put, "notes/\(id)", status: 422)
        }
        client.list(times: 2)
        await synchronizer.synchronize(all: false)
        #expect(try synchronizer.failure.hasPrefix("'1.0' and 1 more could not be synchronised. "))
    }

    @Test(arguments: [200, 412])
    func responseAboutAnotherNote_isAnError_andNothingIsLost(status: Int) async throws {
        let (library, synchronizer) = try await session.synchronized()
        try await library.save(Notes.Note(id: tea, title: "Tea", text: ""), replacing: nil)
        let other = json(milk, "Milk", version: 1)
        if status == 200 { client.respond(.put, "notes/\(tea)", json: other) }
        if status == 412 { client.refuse(.put, tea, because: other) }
        client.list(times: 3)
        await synchronizer.synchronize(all: false)
        #expect(
            synchronizer.state
                == .failed(
                    reason:
                        "'Tea' could not be synchronised. The server responded with the note \(milk) instead of "
                        + "\(tea). Try again later."))
        #expect(library.note(milk) == nil)
        #expect(library.note(tea)?.status == .unsent)
    }

    @Test func failureOfTheConnection_keepsWhatIsUnsent_andIsTriedAgain() async throws {
        let (library, synchronizer) = try await session.synchronized()
        try await library.save(Notes.Note(id: tea, title: "Tea", text: ""), replacing: nil)
        client.list()
        client.fail(.put, "notes/\(tea)", with: .unreachable(reason: "It refused."))
        await synchronizer.synchronize(all: false)
        #expect(synchronizer.state == .offline(reason: "The server cannot be reached: It refused."))
        #expect(library.unsentCount == 1)
        client.accept(tea, "Tea", version: 1)
        client.list(json(tea, "Tea", version: 1), times: 3)
        #expect(await session.retries.end() == [ServerSynchronizer.retryDuration])
        await eventually { library.unsentCount == 0 }
        #expect(library.notes.count == 1, "nothing is doubled")
    }

    @Test func nobodySignedIn_orSomebodyElse_sendsNothing() async throws {
        let (library, _) = try await session.synchronized()
        for user: String? in [nil, "bob"] {
            session.author.id = user
            let synchronizer = session.synchronizer(of: library)
            #expect(synchronizer.state == .signedOut, "before the first attempt")
            synchronizer.begin(all: false)
            #expect(synchronizer.state == .signedOut, "whenever a frame is drawn")
            await synchronizer.synchronize(all: false)
            #expect(synchronizer.state == .signedOut)
        }
        #expect(client.requests.isEmpty)
    }

    @Test func endedSession_isReported() async throws {
        let (_, synchronizer) = try await session.synchronized()
        client.respond(.get, "notes", status: 401, json: #"{"error":"Sign in first."}"#)
        await synchronizer.synchronize(all: false)
        #expect(synchronizer.state == .signedOut)
        #expect(session.author.expired == ["token of ann"])
    }
}
