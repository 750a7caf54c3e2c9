import Foundation
import HTTPClientInterface
import NotesInterface
import Observation
import RouterServiceInterface

/// Sends the outbox of a library to the server, and then reads the changes there; retries after a failure for as long as
/// something is to be sent.
@Observable
@MainActor
final class ServerSynchronizer: Notes.Synchronizer {
    private(set) var state = Notes.SyncState.idle
    private let client: any HTTP.Client
    private let author: any Notes.RequiredAuthor
    private let library: StoredLibrary
    private let sleep: @Sendable (Duration) async throws -> Void
    /// Whether the next run reads all notes; nil if no run is requested.
    @ObservationIgnored private var request: Bool?
    @ObservationIgnored private var running: Task<Void, Never>?
    @ObservationIgnored private var retry: Task<Void, Never>?
    /// The position up to which everything was read from the server; nil where all notes are to be read.
    @ObservationIgnored private var position: String?
    /// The notes of ``Notes/SyncState/otherServer(unknown:)``, and the server that does not know them.
    @ObservationIgnored private var undecided: OtherServer?

    /// The time to wait after a failure.
    static let retryDuration = Duration.seconds(15)
    /// The most pages that are read: a million notes.
    static let maximumPages = 10_000

    init(
        client: any HTTP.Client, author: any Notes.RequiredAuthor, library: StoredLibrary,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.client = client
        self.author = author
        self.library = library
        self.sleep = sleep
        // Known at once, so that the first frame of the list has its buttons.
        if token == nil { state = .signedOut }
    }

    deinit { retry?.cancel() }

    /// The token of the user of the notes; nil where that user is not signed in.
    private var token: String? { author.id == library.author ? author.token : nil }

    func begin(all: Bool) {
        request = all || request == true
        guard running == nil else { return }
        // Set before the task runs, so that a screen that asks now waits for the result.
        state = token == nil ? .signedOut : .running
        running = Task {
            while let all = request {
                request = nil
                state = .running
                state = await run(all: all)
            }
            running = nil
        }
    }

    func synchronize(all: Bool) async {
        begin(all: all)
        await running?.value
    }

    func decide(_ decision: Notes.Decision) async throws {
        if let undecided {
            try await library.decide(decision, about: undecided.unknown, forServer: undecided.id)
            self.undecided = nil
        }
        await synchronize(all: true)
    }

    private func run(all: Bool) async -> Notes.SyncState {
        retry?.cancel()
        guard let token else { return .signedOut }
        let api = NotesAPI(client: client, token: token)
        do {
            if all { position = nil }
            var page = try await claimed(firstPage(of: api), of: api)
            let outbox = library.outbox
            let refusal = try await send(outbox, to: api)
            if !outbox.isEmpty { page = try await api.page(since: position) }
            try await read(from: api, first: page)
            if let refusal { throw refusal }
            return .idle
        } catch let error as OtherServer {
            undecided = error
            return .otherServer(unknown: error.unknown.count)
        } catch HTTP.Failure.status(401, _) {
            author.expire(token: token)
            return .signedOut
        } catch {
            tryAgain()
            let reason = errorMessage(of: error)
            return isFailureOfConnection(error) ? .offline(reason: reason) : .failed(reason: reason)
        }
    }

    /// The first page since the position, or of everything where the server does not know the position.
    private func firstPage(of api: NotesAPI) async throws -> NotesAPI.Page {
        do {
            return try await api.page(since: position)
        } catch HTTP.Failure.status(410, _) {
            position = nil
            return try await api.page(since: nil)
        }
    }

    /// Makes sure that the notes here belong to the server of a page, before the server is sent any of them.
    ///
    /// - Returns: The page; the first page of everything where the notes belonged to another server.
    /// - Throws: `OtherServer` for the user to decide about.
    private func claimed(_ page: NotesAPI.Page, of api: NotesAPI) async throws -> NotesAPI.Page {
        if library.serverID == nil { try await library.belong(toServer: page.server) }
        if library.serverID == page.server { return page }
        position = nil
        let first = try await api.page(since: nil)
        var unknown = library.ids
        try await forEachPage(of: api, first: first) { unknown.subtract($0.notes.map(\.id)) }
        guard unknown.isEmpty else { throw OtherServer(id: first.server, unknown: unknown) }
        try await library.decide(.upload, about: [], forServer: first.server)
        return first
    }

    /// Sends unsent changes; a change that the server refuses keeps no other from being sent.
    ///
    /// - Returns: The refusals, or nil.
    /// - Throws: The error that keeps all changes from being sent or stored.
    private func send(_ outbox: [UUID], to api: NotesAPI) async throws -> Notes.Failure? {
        var refusals: [(title: String, reason: String)] = []
        for id in outbox {
            do {
                for _ in 1...2 {
                    guard let change = try await library.attempt(id),
                        try await send(change, of: id, to: api)
                    else { break }
                }
            } catch let error where isRefusal(error) {
                refusals.append((library.title(of: id), errorMessage(of: error)))
            }
        }
        return refusals.first.map {
            .refused(title: $0.title, others: refusals.count - 1, reason: $0.reason)
        }
    }

    /// Sends a change, and takes over the server's response.
    ///
    /// - Returns: Whether the change is to be sent again, because the server had an earlier save from here.
    private func send(_ change: Change, of id: UUID, to api: NotesAPI) async throws -> Bool {
        switch try await api.send(change, of: id) {
        case .accepted(let note):
            try await library.accept(note, for: change, of: id)
        case .conflict(let note):
            try await library.receive([note])
            if library.sendable(id) != nil { return true }
            if change.content == .delete { throw Notes.Failure.changedElsewhere }
        case .missing:
            // The list of all notes shows whether the note was deleted or lost.
            position = nil
        }
        return false
    }

    /// Reads what was saved and deleted since the position.
    ///
    /// Where everything is read, notes that the server neither lists nor names as deleted are sent again.
    private func read(from api: NotesAPI, first: NotesAPI.Page) async throws {
        var missing = position == nil ? library.ids : []
        var notes: [UUID: ServerNote] = [:]
        var deletions: [UUID: ServerDeletion] = [:]
        var end = position
        try await forEachPage(of: api, first: first) { page in
            guard page.server == library.serverID else { throw Notes.Failure.otherServer }
            // A note that changes while pages are read is on a later page too.
            for note in page.notes { (notes[note.id], deletions[note.id]) = (note, nil) }
            for deletion in page.deleted { (notes[deletion.id], deletions[deletion.id]) = (nil, deletion) }
            end = page.position
        }
        try await library.receive(Array(notes.values), deleted: Array(deletions.values))
        position = end
        missing.subtract(notes.keys)
        missing.subtract(deletions.keys)
        if try await library.sendAgain(missing) { request = request ?? false }
    }

    private func forEachPage(
        of api: NotesAPI, first: NotesAPI.Page, _ body: (NotesAPI.Page) async throws -> Void
    ) async throws {
        var page = first
        for count in 1... {
            try await body(page)
            if !page.hasMore { return }
            if count == Self.maximumPages { throw Notes.Failure.endlessPages }
            page = try await api.page(since: page.position)
        }
    }

    private func tryAgain() {
        guard !library.outbox.isEmpty else { return }
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

    /// Whether an error is about one change, so that the next change is sent.
    private func isRefusal(_ error: any Error) -> Bool {
        switch error {
        case HTTP.Failure.unreachable, HTTP.Failure.timedOut, HTTP.Failure.status(401, _): false
        default: error is HTTP.Failure || error is Notes.Failure
        }
    }
}

/// Another server than the server to which the notes belong, and the notes that it does not know.
private struct OtherServer: Error {
    let id: String
    let unknown: Set<UUID>
}
