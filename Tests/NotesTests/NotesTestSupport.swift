import DisplayInterface
import Foundation
import HTTPClientTesting
import NotesInterface
import NotesTesting
import Observation
import RouterServiceInterface
import RouterServiceTesting
import StorageTesting
import Synchronization
import Testing

@testable import NotesImplementation

/// The notes of a session, on stores without files and a server of prepared responses.
@MainActor
struct Session {
    let stores: FakeStores
    let author: FakeAuthor
    let router = RecordingRouter()
    let synchronizer = FakeSynchronizer()
    let ending = Display.Ending()
    let client = FakeHTTPClient()
    let retries = Pauses()
    let sessions: AuthorSessions

    init(of user: String? = "ann", stores: FakeStores = FakeStores()) {
        (self.stores, author) = (stores, FakeAuthor(user))
        sessions = AuthorSessions(stores: stores, author: author, router: router, ending: ending)
    }

    /// Opens the notes, after the server has sent some.
    func library(_ notes: Notes.Note...) async throws -> StoredLibrary {
        #expect(try await sessions.begin())
        let library = try StoredLibrary(sessions: sessions, synchronizer: Deferred { synchronizer })
        try await library.receive(notes.map { ServerNote($0, $0.version ?? "1") })
        return library
    }
}

/// A synchroniser without a server, whose state a test sets.
@Observable
@MainActor
final class FakeSynchronizer: Notes.Synchronizer {
    /// The state before and after synchronising.
    var state = Notes.SyncState.idle
    /// The requests to synchronise: for each, whether with all notes.
    private(set) var requests: [Bool] = []
    /// The decisions about notes that the server does not know.
    private(set) var decisions: [Notes.Decision] = []
    /// The effect of the server's response to a request.
    var response: @MainActor () -> Void = {}

    func begin(all: Bool) {
        requests.append(all)
        response()
    }

    func synchronize(all: Bool) async { begin(all: all) }

    func decide(_ decision: Notes.Decision) async throws { decisions.append(decision) }
}

/// Pauses that a test ends.
final class Pauses: Sendable {
    private let waiting = Mutex<[(duration: Duration, end: CheckedContinuation<Void, Never>)]>([])

    func sleep(_ duration: Duration) async throws {
        await withCheckedContinuation { continuation in
            waiting.withLock { $0.append((duration, continuation)) }
        }
        try Task.checkCancellation()
    }

    /// Waits until some pauses have begun, and ends them.
    ///
    /// - Returns: How long they would have been.
    @discardableResult
    func end(_ count: Int = 1) async -> [Duration] {
        while waiting.withLock({ $0.count }) < count { await Task.yield() }
        let ended = waiting.withLock { waiting in
            defer { waiting.removeAll() }
            return waiting
        }
        ended.forEach { $0.end.resume() }
        return ended.map(\.duration)
    }
}

/// Waits until a condition holds; the test's own time limit ends a wait for one that never does.
@MainActor
func eventually(_ condition: () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
}

extension Notes.Note {
    /// A note that the server has had.
    static func sent(
        _ title: String, _ text: String = "", id: UUID = UUID(), version: String = "1"
    ) -> Notes.Note {
        Notes.Note(
            id: id, title: title, text: text, changed: Date(timeIntervalSince1970: 0), version: version)
    }
}

extension ServerNote {
    /// A version of a note, after former versions.
    init(_ note: Notes.Note, _ version: String, after former: String...) {
        self.init(
            id: note.id, title: note.title, text: note.text, changed: note.changed, version: version,
            former: former)
    }
}

extension StoredLibrary {
    var titles: [String] { notes.map(\.note.title) }
    /// The changes that are to be sent, in order.
    var unsentChanges: [Change] { outbox.compactMap(sendable) }
}

extension FakeStore {
    /// The texts of the drafts that are stored.
    var drafts: [String] {
        values.filter { $0.key.hasPrefix("notes/drafts/") }.compactMap {
            try? JSONDecoder().decode(Notes.Draft.self, from: $0.value).title
        }.sorted()
    }
}
