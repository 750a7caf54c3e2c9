import Foundation
import HTTPClientInterface
import NotesInterface
import Observation
import RouterServiceInterface

extension Notes {
    /// Sends changes made here to the server, and reads changes made elsewhere.
    @MainActor
    protocol Synchronizer: AnyObject {
        /// The present state of synchronising, or the result of the last time; observable.
        var state: SyncState { get }
        /// Begins to synchronise, and returns at once; if it runs already, it is repeated afterwards.
        ///
        /// - Parameter all: Whether to read all notes, which finds those that the server does not know, or what has changed
        ///   since the last time.
        func begin(all: Bool)
        /// Synchronises, and returns when it is done.
        func synchronize(all: Bool) async
        /// Decides about the notes of ``SyncState/otherServer(unknown:)``, and synchronises.
        func decide(_ decision: Decision) async throws
    }

    /// The state of synchronisation between the notes here and on the server.
    enum SyncState: Hashable, Sendable {
        /// They agreed the last time, or were not compared yet.
        case idle
        /// They are being compared.
        case running
        /// The user of these notes is not signed in.
        case signedOut
        /// The server did not answer, for this reason.
        case offline(reason: String)
        /// The server refused something, or gave an answer that makes no sense.
        case failed(reason: String)
        /// Another server answers than the one to which the notes belong, and it does not know some of them.
        ///
        /// Nothing is sent before the user has decided.
        case otherServer(unknown: Int)

        /// The reason why the notes here may not be those of the server; nil if they were compared.
        var problem: String? {
            switch self {
            case .idle, .running: nil
            case .signedOut: "Sign in to synchronise your notes."
            case .offline(let reason), .failed(let reason): reason
            case .otherServer:
                "The server does not know all notes that are stored here. Open your notes to decide."
            }
        }
    }

    /// A decision about notes that are stored here and that the server does not know.
    enum Decision: Hashable, Sendable, CaseIterable {
        /// The server is sent them.
        case upload
        /// They stay here, and are not sent before they are changed.
        case keep
        /// They are removed here.
        case remove
    }
}

/// Sends the outbox of a library to the server, and then reads the changes there; after a failure of the connection, it
/// tries again for as long as something is unsent.
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
    /// The position up to which everything was read from the server; nil where all is to be read.
    @ObservationIgnored private var position: String?
    /// The notes of ``Notes/SyncState/otherServer(unknown:)``, and the server that does not know them.
    @ObservationIgnored private var undecided: OtherServer?
    /// How many times in a row the server refused a note, or gave an answer that makes no sense.
    @ObservationIgnored private var refusals = 0
    /// The names of the notes that could not be read and were reported.
    @ObservationIgnored private var reported: Set<String> = []

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

    func decide(_ decision: Notes.Decision) async throws {
        if let undecided {
            try await library.decide(decision, about: undecided.unknown, for: undecided.server)
            self.undecided = nil
            position = nil
        }
        await synchronize(all: true)
    }

    private func outcome(all: Bool) async -> Notes.SyncState {
        retry?.cancel()
        guard let author, author.id == library.author, let token = author.token else {
            return .signedOut
        }
        let api = NotesAPI(client: client, token: token)
        do {
            if all { position = nil }
            var page = try await known(firstPage(of: api), at: api)
            let refused = try await send(to: api, readAgain: &page)
            let unreadable = try await read(from: api, first: page)
            if let refused { return failed(because: refused) }
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

    /// The state after a refusal or an answer that makes no sense; it is tried again, less and less often.
    private func failed(because reason: String) -> Notes.SyncState {
        refusals += 1
        tryAgain(after: Self.retryDuration * (1 << min(refusals - 1, 6)))
        return .failed(reason: reason)
    }

    /// The state after everything was sent and read but some notes, each of which is reported once.
    private func report(_ unreadable: [NotesAPI.UnreadableNote]) -> Notes.SyncState {
        let new = unreadable.filter { reported.insert($0.name).inserted }
        guard let first = new.first else { return .idle }
        let failure = Notes.Failure.unreadableNotes(
            count: new.count, first: first.name, reason: errorMessage(of: first.reason))
        return .failed(reason: errorMessage(of: failure))
    }

    /// The first page of what has changed since the last time; of everything where the server does not know that time.
    private func firstPage(of api: NotesAPI) async throws -> NotesAPI.Page {
        do {
            return try await api.page(since: position)
        } catch HTTP.Failure.status(410, _) {
            position = nil
            return try await api.page(since: nil)
        }
    }

    /// Makes sure that the notes here belong to the server of a page, before it is sent any of them.
    ///
    /// - Returns: The page; the first of all pages where the notes belonged to another server.
    /// - Throws: `OtherServer` for the user to decide about.
    private func known(_ page: NotesAPI.Page, at api: NotesAPI) async throws -> NotesAPI.Page {
        if library.server == nil { try await library.belong(to: page.server) }
        if library.server == page.server { return page }
        // The position was the other server's.
        position = nil
        let first = try await api.page(since: nil)
        var unknown = library.ids
        try await forEachPage(of: api, first: first) { _, listing in
            unknown.subtract(listing.notes.map(\.id) + listing.unreadable.compactMap(\.id))
        }
        guard unknown.isEmpty else { throw OtherServer(server: first.server, unknown: unknown) }
        try await library.decide(.upload, about: [], for: first.server)
        return first
    }

    /// Sends all unsent changes; one that the server refuses does not keep others from being sent.
    ///
    /// - Parameters:
    ///   - api: The server.
    ///   - page: The first page that was read before, which is read again after something was sent.
    /// - Returns: A description of what was refused, or nil.
    /// - Throws: The error that keeps all of them from being sent or stored.
    private func send(to api: NotesAPI, readAgain page: inout NotesAPI.Page) async throws -> String? {
        let outbox = library.outbox
        if outbox.isEmpty { return nil }
        var (count, refused): (Int, [any Error]) = (0, [])
        for id in outbox {
            guard let change = try await library.attempt(id) else { continue }
            count += 1
            do {
                try await send(change, of: id, to: api)
                library.refuse(id, because: nil)
            } catch let error where isRefusal(error) {
                refused.append(error)
                library.refuse(id, because: errorMessage(of: error))
            }
        }
        page = try await api.page(since: position)
        guard let first = refused.first else { return nil }
        if count == 1 { return errorMessage(of: first) }
        let notes =
            count == refused.count
            ? "None of \(count) notes could be" : "\(refused.count) of \(count) notes could not be"
        return "\(notes) sent. \(errorMessage(of: first))"
    }

    private func send(_ change: Change, of id: UUID, to api: NotesAPI, isRepeated: Bool = false) async throws
    {
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

    /// Reads what was saved and deleted since the position; where that is everything, also has those notes sent again that the
    /// server neither lists nor names as deleted.
    ///
    /// - Returns: The notes that cannot be read.
    private func read(
        from api: NotesAPI, first: NotesAPI.Page
    ) async throws -> [NotesAPI.UnreadableNote] {
        var missing = position == nil ? library.idsOfServer : []
        var (unreadable, end) = ([NotesAPI.UnreadableNote](), position)
        var unstored: (notes: [ServerNote], deleted: [ServerDeletion]) = ([], [])
        var stored = 0
        func store() async throws {
            try await library.receive(unstored.notes, deleted: unstored.deleted)
            stored += unstored.notes.count
            unstored = ([], [])
        }
        try await forEachPage(of: api, first: first) { server, page in
            guard server == library.server else { throw Notes.Failure.otherServer }
            // A note that changed while pages are read is on a later one too.
            let named = Set(page.notes.map(\.id) + page.deleted.map(\.id))
            unstored.notes = unstored.notes.filter { !named.contains($0.id) } + page.notes
            unstored.deleted = unstored.deleted.filter { !named.contains($0.id) } + page.deleted
            unreadable += page.unreadable
            missing.subtract(page.notes.map(\.id) + page.deleted.map(\.id) + page.unreadable.compactMap(\.id))
            end = page.position
            // Stored in ever larger parts: each part costs as much as all notes together.
            if unstored.notes.count > max(500, stored) { try await store() }
        }
        try await store()
        position = end
        // A note that the server does not name may be any of them.
        if !missing.isEmpty, unreadable.allSatisfy({ $0.id != nil }) {
            try await library.sendAgain(missing)
            if missing.contains(where: { library.sendable($0) != nil }) { wanted = wanted ?? false }
        }
        return unreadable
    }

    /// Reads pages to the last one; the first page is known already.
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

    /// Whether an error is about one note, and the next may do better.
    private func isRefusal(_ error: any Error) -> Bool {
        switch error {
        case HTTP.Failure.unreachable, HTTP.Failure.timedOut, HTTP.Failure.status(401, _): false
        case is HTTP.Failure, is Notes.Failure: true
        default: false
        }
    }
}

/// Another server than the one to which the notes belong, and the notes that it does not know.
private struct OtherServer: Error {
    let server: String
    let unknown: Set<UUID>
}
