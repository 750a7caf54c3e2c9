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
        /// Decides about the notes of ``SyncState/unknownNotes(count:)``, and synchronises.
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
        /// The server does not know some notes that a server had, because it is another one, or has lost them.
        ///
        /// Nothing is sent before the user has decided.
        case unknownNotes(count: Int)

        /// The reason why the notes here may not be those of the server; nil if they were compared.
        var problem: String? {
            switch self {
            case .idle, .running: nil
            case .signedOut: "Sign in to synchronise your notes."
            case .offline(let reason), .failed(let reason): reason
            case .unknownNotes:
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
    /// The first notes, and their versions, of the last listing that read all of the server's changes.
    @ObservationIgnored private var marks: [UUID: Identifier]?
    /// The notes of ``Notes/SyncState/unknownNotes(count:)``, and the server that does not know them.
    @ObservationIgnored private var unknown: UnknownNotes?
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
        if let unknown {
            try await library.decide(decision, about: unknown.ids, for: unknown.server)
            (self.unknown, marks) = (nil, nil)
        }
        await synchronize(all: true)
    }

    private func outcome(all: Bool) async -> Notes.SyncState {
        retry?.cancel()
        guard let author, author.id == library.author, let token = author.token else { return .signedOut }
        let api = NotesAPI(client: client, token: token)
        do {
            var first: NotesAPI.Page? = try await api.page(after: nil)
            if let page = first { try await meet(page, of: api) }
            // What such a server has of a note that it lost may stand behind what it has not lost.
            let isBehind =
                (try? first?.listing.result.get()).map { library.isAhead(of: $0.versions) } ?? false
            let refused = try await send(to: api, readAgain: &first)
            let unreadable = try await read(from: api, first: first, all: all || isBehind)
            if let refused { return failed(because: refused) }
            refusals = 0
            return report(unreadable)
        } catch let error as UnknownNotes {
            unknown = error
            return .unknownNotes(count: error.ids.count)
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

    /// Makes sure that the notes here belong to the server, before it is sent any.
    ///
    /// Notes that were never compared with a server, as those of earlier versions of the program, belong to the first that
    /// knows one of them, or to the first of all if no server had any.
    ///
    /// - Throws: `UnknownNotes` for the user to decide about.
    private func meet(_ first: NotesAPI.Page, of api: NotesAPI) async throws {
        let known = try library.server
        if known == first.server { return }
        let ids = library.ids
        guard known != nil || !ids.sent.isEmpty else { return try await library.adopt(first.server) }
        var listed: Set<UUID> = []
        try await forEachPage(of: api, first: first) { _, listing in
            listed.formUnion(listing.notes.map(\.id) + listing.unreadable.compactMap(\.id))
            return known != nil || ids.sent.isDisjoint(with: listed)
        }
        if known == nil, !ids.sent.isDisjoint(with: listed) { return try await library.adopt(first.server) }
        let unknown = UnknownNotes(ids: ids.sent.union(ids.others).subtracting(listed), server: first.server)
        guard unknown.ids.isEmpty else { throw unknown }
        try await library.decide(.upload, about: [], for: first.server)
    }

    /// Sends all unsent changes; one that the server refuses does not keep others from being sent.
    ///
    /// - Parameters:
    ///   - api: The server.
    ///   - page: The first page of its notes; nil when it may have changed.
    /// - Returns: A description of what was refused, or nil.
    /// - Throws: The error that keeps all of them from being sent or stored.
    private func send(to api: NotesAPI, readAgain page: inout NotesAPI.Page?) async throws -> String? {
        if library.outbox.isEmpty { return nil }
        page = nil
        try await library.attempt()
        var (count, refused): (Int, [any Error]) = (0, [])
        for (id, change) in library.outbox where library.isPending(change, of: id) {
            count += 1
            do {
                try await send(change, of: id, to: api)
                library.refuse(id, because: nil)
            } catch let error where isRefusal(error) {
                refused.append(error)
                library.refuse(id, because: errorMessage(of: error))
            }
        }
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
        case .conflict(nil): try await library.receive([], deleted: [id])
        case .conflict(let note?):
            try await library.receive([note])
            guard let next = library.outbox.first(where: { $0.id == id })?.change else {
                if change.content == .delete { throw Notes.Failure.notDeleted(title: note.title) }
                return
            }
            // The server had an earlier save from here.
            if !isRepeated { try await send(next, of: id, to: api, isRepeated: true) }
        }
    }

    /// Reads what was saved and deleted elsewhere; with all notes, and the first time, also finds those that the server
    /// does not know.
    ///
    /// - Returns: The notes that cannot be read.
    private func read(
        from api: NotesAPI, first: NotesAPI.Page?, all: Bool
    ) async throws -> [NotesAPI.UnreadableNote] {
        let isWhole = all || marks == nil
        let (known, others) = isWhole ? library.ids : ([], [])
        let listing = try await list(from: api, first: first, until: isWhole ? nil : marks)
        guard isWhole else {
            marks = listing.marks
            return listing.unreadable
        }
        // A note that was saved meanwhile has moved to the front, which had been read before.
        let moved = try await list(from: api, first: nil, until: listing.marks)
        let read = listing.read.union(moved.read)
        // One that the server does not name may be any of them.
        if listing.unreadable.allSatisfy({ $0.id != nil }) {
            try await library.receive([], deleted: others.subtracting(read))
            let unknown = known.subtracting(read)
            // A note that is not listed was not deleted: that is listed too.
            if !unknown.isEmpty, let server = try library.server {
                throw UnknownNotes(ids: unknown.intersection(library.ids.sent), server: server)
            }
        }
        marks = moved.marks
        return listing.unreadable
    }

    /// The result of reading pages.
    private struct Listed {
        /// The notes and deletions that were read, and the notes that could not be.
        var read: Set<UUID> = []
        var unreadable: [NotesAPI.UnreadableNote] = []
        /// The versions of the first notes, which end the next listing.
        var marks: [UUID: Identifier] = [:]
    }

    /// Reads notes and deletions, the last first, up to a note that has not changed since the last time.
    private func list(
        from api: NotesAPI, first: NotesAPI.Page?, until marks: [UUID: Identifier]?
    ) async throws -> Listed {
        var listed = Listed()
        // Of the first page, which is asked for before a note can get a newer version.
        var versions: NotesAPI.ServerVersions?
        var pending: (notes: [ServerNote], deleted: Set<UUID>) = ([], [])
        func store() async throws {
            try await library.receive(
                pending.notes, deleted: pending.deleted, from: versions ?? NotesAPI.ServerVersions())
            listed.read.formUnion(pending.notes.map(\.id))
            listed.read.formUnion(pending.deleted)
            pending = ([], [])
        }
        try await forEachPage(of: api, first: first) { server, page in
            guard server == (try library.server) else { throw Notes.Failure.otherServer }
            pending.notes += page.notes
            pending.deleted.formUnion(page.deleted)
            listed.unreadable += page.unreadable
            listed.read.formUnion(page.unreadable.compactMap(\.id))
            if versions == nil {
                versions = page.versions
                listed.marks = Dictionary(page.notes.map { ($0.id, $0.version) }) { first, _ in first }
            }
            // Stored in ever larger parts: each part costs as much as all notes together.
            if pending.notes.count > max(500, listed.read.count) { try await store() }
            return !page.notes.contains { marks?[$0.id] == $0.version }
        }
        try await store()
        return listed
    }

    /// Reads pages to the last one, or until the body returns false; the first page may be known already.
    private func forEachPage(
        of api: NotesAPI, first: NotesAPI.Page?,
        _ body: (_ server: Identifier, _ page: NotesAPI.Listing) async throws -> Bool
    ) async throws {
        var page = first
        var position: String?
        for _ in 1...Self.maximumPages {
            let next: NotesAPI.Page
            if let page { next = page } else { next = try await api.page(after: position) }
            let listing = try next.listing.result.get()
            guard try await body(next.server, listing), let after = listing.next else { return }
            if after == position { break }
            (page, position) = (nil, after)
        }
        throw Notes.Failure.endlessPages
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

/// Notes that are stored here, and that a server does not know.
private struct UnknownNotes: Error {
    let ids: Set<UUID>
    let server: Identifier
}
