import Foundation
import NotesInterface
import NotesTesting
import RouterServiceInterface
import RouterServiceTesting
import StorageTesting
import Synchronization
import Testing

@testable import NotesImplementation

/// The notes of a session, on stores without files.
@MainActor
struct Session {
    let stores: FakeStores
    let author: FakeAuthor
    let router = RecordingRouter()
    let synchronizer = FakeSynchronizer()
    let pauses = Pauses()
    let sessions: AuthorSessions

    init(of user: String? = "ann", stores: FakeStores = FakeStores()) {
        (self.stores, author) = (stores, FakeAuthor(user))
        sessions = AuthorSessions(stores: stores, author: author, router: router)
    }

    /// Opens the notes.
    func library() async throws -> StoredLibrary {
        #expect(try await sessions.begin())
        return try StoredLibrary(
            sessions: sessions, synchronizer: Deferred(synchronizer), sleep: pauses.sleep)
    }
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
