import Foundation
import HTTPClientInterface
import NotesInterface
import Observation

/// Sends the outbox of a library to the server, and then reads the changes there.
@Observable
@MainActor
final class ServerSynchronizer: Notes.Synchronizer {
    private(set) var state = Notes.SyncState.idle
    private let client: any HTTP.Client
    private let author: (any Notes.RequiredAuthor)?
    private let library: StoredLibrary
    private let sleep: @Sendable (Duration) async throws -> Void
    /// Whether to synchronise once more, and then with all notes.
    @ObservationIgnored private var wanted: Bool?
    @ObservationIgnored private var running: Task<Void, Never>?
    @ObservationIgnored private var retry: Task<Void, Never>?
    /// The first notes, and their versions, of the last listing that read all of the server's changes.
    @ObservationIgnored private var marks: [UUID: String]?

    /// The time to wait after a failure of the connection.
    static let retryDuration = Duration.seconds(15)

    init(
        client: any HTTP.Client, author: (any Notes.RequiredAuthor)?, library: StoredLibrary,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        (self.client, self.author, self.library, self.sleep) = (client, author, library, sleep)
    }

    deinit { retry?.cancel() }

    func begin(all: Bool) {
        wanted = all || wanted == true
        guard running == nil else { return }
        // From here on, and not only when the task runs: a screen that asks is not finished before.
        state = .running
        running = Task {
            while let all = wanted {
                (wanted, state) = (nil, .running)
                state = await outcome(all: all)
            }
            running = nil
        }
    }

    func synchronize(all: Bool) async {
        begin(all: all)
        await running?.value
    }

    private func outcome(all: Bool) async -> Notes.SyncState {
        retry?.cancel()
        guard let author, author.id == library.author, let token = author.token else { return .signedOut }
        let api = NotesAPI(client: client, token: token)
        do {
            let refusal = try await send(to: api)
            try await read(from: api, all: all)
            return refusal.map { Notes.SyncState.failed(reason: message($0)) } ?? .idle
        } catch HTTP.Failure.status(401, _) {
            author.expire(token: token)
            return .signedOut
        } catch let error where isFailureOfConnection(error) {
            tryAgainLater()
            return .offline(reason: message(error))
        } catch {
            return .failed(reason: message(error))
        }
    }

    /// Sends all unsent changes.
    ///
    /// - Returns: The first refusal of the server; it does not keep other changes from being sent.
    private func send(to api: NotesAPI) async throws -> (any Error)? {
        var refusal: (any Error)?
        for (id, change) in library.outbox where library.isPending(change, of: id) {
            do {
                switch try await api.send(change, of: id) {
                case .accepted(let note): try await library.accept(note, for: change, of: id)
                case .conflict(let note?):
                    try await library.receive([note])
                    if change.content == .delete { refusal = refusal ?? NotDeleted(title: note.title) }
                case .conflict(nil): try await library.receive(deleted: [id])
                }
            } catch HTTP.Failure.status(let status, let body)
                where (400...499).contains(status) && status != 401
            {
                refusal = refusal ?? HTTP.Failure.status(status, body: body)
            }
        }
        return refusal
    }

    /// Reads notes saved elsewhere; with all notes, and the first time, also finds deletions.
    private func read(from api: NotesAPI, all: Bool) async throws {
        guard !all, let marks else {
            let known = library.sentIDs
            let listing = try await list(from: api, until: nil)
            // A note that was saved meanwhile has moved to the front, which had been read before.
            let moved = try await list(from: api, until: listing.marks)
            try await library.receive(deleted: known.subtracting(listing.read).subtracting(moved.read))
            return self.marks = moved.marks
        }
        self.marks = try await list(from: api, until: marks).marks
    }

    /// Reads notes, the last saved first, up to one that has not changed since the last time.
    ///
    /// - Returns: The notes that were read, and the versions of the first of them, which end the next listing.
    private func list(
        from api: NotesAPI, until marks: [UUID: String]?
    ) async throws -> (read: Set<UUID>, marks: [UUID: String]) {
        var read: Set<UUID> = []
        var newMarks: [UUID: String]?
        var positions: Set<String> = []
        var position: String?
        repeat {
            let page = try await api.page(after: position)
            try await library.receive(page.notes)
            read.formUnion(page.notes.map(\.id))
            newMarks = newMarks ?? Dictionary(page.notes.map { ($0.id, $0.version) }) { first, _ in first }
            if let marks, page.notes.contains(where: { marks[$0.id] == $0.version }) { break }
            position = page.next
            if let position, !positions.insert(position).inserted { throw InvalidAnswer.endlessPages }
        } while position != nil
        return (read, newMarks ?? [:])
    }

    private func tryAgainLater() {
        guard library.unsentCount > 0 else { return }
        retry = Task { [weak self, sleep] in
            guard (try? await sleep(Self.retryDuration)) != nil else { return }
            self?.begin(all: false)
        }
    }

    private func isFailureOfConnection(_ error: any Error) -> Bool {
        switch error {
        case HTTP.Failure.unreachable, HTTP.Failure.timedOut: true
        case HTTP.Failure.status(let status, _): (500...599).contains(status)
        default: false
        }
    }

    private func message(_ error: any Error) -> String {
        (error as? any LocalizedError)?.errorDescription ?? String(describing: error)
    }
}

/// A deletion that was dropped, because the user has not seen the current note.
private struct NotDeleted: LocalizedError {
    let title: String

    var errorDescription: String? {
        "'\(title)' was changed elsewhere, so it was not deleted. Read it, and delete it again if you still want to."
    }
}
