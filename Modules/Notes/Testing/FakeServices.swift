public import Foundation
public import NotesInterface
public import Observation

/// Notes in memory, which are never sent.
@Observable
@MainActor
public final class FakeLibrary: Notes.Library {
    /// The user whose notes these are.
    public let author: String
    /// The notes, in the order that a test gives them.
    public var entries: [Notes.Entry] { didSet { revision += 1 } }
    /// The number of changes of the notes.
    public private(set) var revision = 0
    /// What was typed and not saved.
    public private(set) var drafts: [UUID: Notes.Draft] = [:]
    /// A description of what keeps drafts from being stored.
    public var draftProblem: String?
    /// The note that was deleted last.
    public private(set) var deleted: Notes.Note?
    /// Whether the notes can be read and changed.
    public var isOpen = true
    /// An error that every change throws.
    public var failure: (any Error)?
    /// The notes that were saved, with those that they replaced.
    public private(set) var saved: [(note: Notes.Note, original: Notes.Note?)] = []
    /// The choices that resolved conflicts.
    public private(set) var choices: [Notes.Choice] = []

    /// Creates a library with some notes, which the server has.
    public init(_ notes: Notes.Note..., author: String = "ann") {
        self.author = author
        entries = notes.map { Notes.Entry(note: $0, status: .sent) }
    }

    /// The number of notes that are not sent.
    public var unsentCount: Int { entries.count { $0.status != .sent } }

    /// Keeps what was typed.
    public func keep(_ draft: Notes.Draft?, of id: UUID) { drafts[id] = draft }

    /// Returns a note.
    public func entry(_ id: UUID) -> Notes.Entry? { entries.first { $0.id == id } }

    /// Puts a note in front of the others.
    ///
    /// - Throws: ``failure``.
    public func save(_ note: Notes.Note, replacing original: Notes.Note?) async throws {
        if let failure { throw failure }
        saved.append((note, original))
        drafts[note.id] = nil
        entries =
            [Notes.Entry(note: note, status: .unsent(refusal: nil))] + entries.filter { $0.id != note.id }
    }

    /// Removes a note, which can be undone until the next one is removed.
    ///
    /// - Throws: ``failure``.
    public func delete(_ id: UUID) async throws {
        if let failure { throw failure }
        deleted = entry(id)?.note
        entries.removeAll { $0.id == id }
    }

    /// Puts the note that was deleted last in front of the others.
    ///
    /// - Throws: ``failure``.
    public func undoDeletion() async throws {
        if let failure { throw failure }
        guard let note = deleted else { return }
        deleted = nil
        try await save(note, replacing: nil)
    }

    /// Records the choice; the notes that are kept have no conflict any more.
    ///
    /// - Throws: ``failure``.
    public func resolve(_ id: UUID, by choice: Notes.Choice) async throws {
        if let failure { throw failure }
        choices.append(choice)
        entries = entries.compactMap { entry in
            guard entry.id == id, case .conflict(let theirs) = entry.status else { return entry }
            guard choice == .keepMine else { return theirs.map { Notes.Entry(note: $0, status: .sent) } }
            return Notes.Entry(note: entry.note, status: .unsent(refusal: nil))
        }
    }
}

/// A synchroniser without a server, whose state a test sets.
@Observable
@MainActor
public final class FakeSynchronizer: Notes.Synchronizer {
    /// The state before and after synchronising.
    public var state = Notes.SyncState.idle
    /// The requests to synchronise: for each, whether with all notes.
    public private(set) var requests: [Bool] = []
    /// The decisions about notes that the server does not know.
    public private(set) var decisions: [Notes.Decision] = []
    /// The effect of the server's answer to a request.
    public var answer: @MainActor () -> Void = {}

    /// Creates a synchroniser that has nothing to do.
    public init() {}

    /// Records the request, and lets the server answer.
    public func begin(all: Bool) {
        requests.append(all)
        answer()
    }

    /// Records the request, and lets the server answer.
    public func synchronize(all: Bool) async { begin(all: all) }

    /// Records the decision.
    public func decide(_ decision: Notes.Decision) async throws { decisions.append(decision) }
}

/// A focus that holds its value.
@Observable
@MainActor
public final class FakeFocus: Notes.Focus {
    /// The note.
    public var id: UUID?

    /// Creates a focus on nothing.
    public init() {}
}

/// An author whom a test signs in and out.
@Observable
@MainActor
public final class FakeAuthor: Notes.RequiredAuthor {
    /// The identifier of the user who is signed in.
    public var id: String?
    /// The tokens that the server did not accept.
    public private(set) var expired: [String] = []

    /// Creates an author who is signed in, or none.
    public init(_ id: String? = nil) { self.id = id }

    /// A token for the author.
    public var token: String? { id.map { "token of \($0)" } }

    /// Signs the author out.
    public func expire(token: String) {
        expired.append(token)
        id = nil
    }
}
