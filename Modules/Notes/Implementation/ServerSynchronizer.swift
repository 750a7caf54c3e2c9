import Foundation
import HTTPClientInterface
import NotesInterface
import Observation
import RouterServiceInterface

/// Sends the outbox of a library to the server, and then reads the changes there; retries after a failure for as long as
/// something is unsent.
@Observable
@MainActor
final class ServerSynchronizer: Notes.Synchronizer {
    private(set) var state = Notes.SyncState.idle
    private let client: any HTTP.Client
    private let author: (any Notes.RequiredAuthor)?
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
    /// The number of failures in a row that were not failures of the connection.
    @ObservationIgnored private var refusals = 0
    /// The reasons why notes could not be read that the user was shown.
    @ObservationIgnored private var reported: Set<HTTP.Failure> = []

    /// The time to wait after a failure of the connection; after refusals it doubles each time, up to 64 times.
    static let retryDuration = Duration.seconds(15)
    /// The most pages that are read: a million notes.
    static let maximumPages = 10_000

    init(
        client: any HTTP.Client, author: (any Notes.RequiredAuthor)?, library: StoredLibrary,
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
    private var token: String? { author?.id == library.author ? author?.token : nil }

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
            try await library.decide(decision, about: undecided.unknown, for: undecided.server)
            self.undecided = nil
            position = nil
        }
        await synchronize(all: true)
    }

    private func run(all: Bool) async -> Notes.SyncState {
        retry?.cancel()
        guard let author, let token else { return .signedOut }
        let api = NotesAPI(client: client, token: token)
        do {
            if all { position = nil }
            var page = try await claimed(firstPage(of: api), of: api)
            let refusal = try await sendOutbox(to: api, readAgain: &page)
            let unreadable = try await read(from: api, first: page)
            if let refusal { return failed(because: refusal) }
            refusals = 0
            return report(unreadable)
        } catch let error as OtherServer {
            undecided = error
            return .otherServer(unknown: error.unknown.count)
        } catch HTTP.Failure.status(401, _) {
            author.expire(token: token)
            return .signedOut
        } catch let error where isFailureOfConnection(error) {
            tryAgain(after: Self.retryDuration)
            return .offline(reason: errorMessage(of: error))
        } catch {
            return failed(because: errorMessage(of: error))
        }
    }

    private func failed(because reason: String) -> Notes.SyncState {
        refusals += 1
        tryAgain(after: Self.retryDuration * (1 << min(refusals - 1, 6)))
        return .failed(reason: reason)
    }

    /// The state after everything was sent and read but some notes, each of which is reported once.
    private func report(_ unreadable: [HTTP.Failure]) -> Notes.SyncState {
        let new = unreadable.filter { reported.insert($0).inserted }
        guard let first = new.first else { return .idle }
        let failure = Notes.Failure.unreadableNotes(count: new.count, reason: errorMessage(of: first))
        return .failed(reason: errorMessage(of: failure))
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
        if library.server == nil { try await library.belong(to: page.server) }
        if library.server == page.server { return page }
        position = nil
        let first = try await api.page(since: nil)
        var unknown = library.ids
        try await forEachPage(of: api, first: first) { _, listing in
            unknown.subtract(listing.notes.map(\.id))
        }
        guard unknown.isEmpty else { throw OtherServer(server: first.server, unknown: unknown) }
        try await library.decide(.upload, about: [], for: first.server)
        return first
    }

    /// Sends all unsent changes; a change that the server refuses keeps no other from being sent.
    ///
    /// - Parameters:
    ///   - api: The server.
    ///   - page: The first page, which is read again after something was sent.
    /// - Returns: A description of the refusals, or nil.
    /// - Throws: The error that keeps all changes from being sent or stored.
    private func sendOutbox(to api: NotesAPI, readAgain page: inout NotesAPI.Page) async throws -> String? {
        let outbox = library.outbox
        if outbox.isEmpty { return nil }
        var count = 0
        var refusals: [any Error] = []
        for id in outbox {
            guard let change = try await library.attempt(id) else { continue }
            count += 1
            do {
                try await send(change, of: id, to: api)
                library.refuse(id, because: nil)
            } catch let error where isRefusal(error) {
                refusals.append(error)
                library.refuse(id, because: errorMessage(of: error))
            }
        }
        page = try await api.page(since: position)
        guard let first = refusals.first else { return nil }
        if count == 1 { return errorMessage(of: first) }
        let notes =
            count == refusals.count
            ? "None of \(count) notes could be" : "\(refusals.count) of \(count) notes could not be"
        return "\(notes) sent. \(errorMessage(of: first))"
    }

    private func send(
        _ change: Change, of id: UUID, to api: NotesAPI, isRepeated: Bool = false
    ) async throws {
        switch try await api.send(change, of: id) {
        case .accepted(let note): try await library.accept(note, for: change, of: id)
        case .conflict(nil): try await library.receive([], deleted: [ServerDeletion(id: id)])
        case .conflict(let note?):
            try await library.receive([note])
            guard let next = library.sendable(id) else {
                if change.content == .delete { throw Notes.Failure.notDeleted(title: note.title) }
                return
            }
            // The server had an earlier save from here.
            if !isRepeated { try await send(next, of: id, to: api, isRepeated: true) }
        }
    }

    /// Reads what was saved and deleted since the position, and returns the reasons why notes cannot be read.
    ///
    /// Where everything is read, notes that the server neither lists nor names as deleted are sent again.
    private func read(from api: NotesAPI, first: NotesAPI.Page) async throws -> [HTTP.Failure] {
        var missing = position == nil ? library.idsOfServer : []
        var notes: [UUID: ServerNote] = [:]
        var deletions: [UUID: ServerDeletion] = [:]
        var unreadable: [HTTP.Failure] = []
        var end = position
        try await forEachPage(of: api, first: first) { server, page in
            guard server == library.server else { throw Notes.Failure.otherServer }
            // A note that changes while pages are read is on a later page too.
            for note in page.notes { (notes[note.id], deletions[note.id]) = (note, nil) }
            for deletion in page.deletions { (notes[deletion.id], deletions[deletion.id]) = (nil, deletion) }
            unreadable += page.unreadable
            end = page.position
        }
        try await library.receive(Array(notes.values), deleted: Array(deletions.values))
        position = end
        missing.subtract(notes.keys)
        missing.subtract(deletions.keys)
        // An unreadable note may be any of the missing notes.
        if !missing.isEmpty, unreadable.isEmpty {
            try await library.sendAgain(missing)
            if missing.contains(where: { library.sendable($0) != nil }) { request = request ?? false }
        }
        return unreadable
    }

    private func forEachPage(
        of api: NotesAPI, first: NotesAPI.Page,
        _ body: (_ server: String, _ page: NotesAPI.Listing) async throws -> Void
    ) async throws {
        var page = first
        for count in 1... {
            let listing = try page.listing.result.get()
            try await body(page.server, listing)
            if !listing.hasMore { return }
            if count == Self.maximumPages { throw Notes.Failure.endlessPages }
            page = try await api.page(since: listing.position)
        }
    }

    private func tryAgain(after duration: Duration) {
        guard library.unsentCount > 0 else { return }
        retry = Task { [weak self, sleep] in
            guard (try? await sleep(duration)) != nil else { return }
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
    let server: String
    let unknown: Set<UUID>
}
