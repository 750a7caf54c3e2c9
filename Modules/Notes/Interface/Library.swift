public import Foundation

extension Notes {
    /// Keeps the notes of one user, also while the server does not answer.
    ///
    /// A service of the scope ``session``. Saved notes are stored at once, and sent later. Where it is not open, there are
    /// no notes, and changes are refused.
    @MainActor
    public protocol Library: AnyObject {
        /// The user whose notes these are.
        var author: String { get }

        /// Whether they can be read and changed: not after that user has signed out, or another has signed in.
        ///
        /// Observable.
        var isOpen: Bool { get }

        /// What was typed and not saved, by the identifier of the note.
        ///
        /// Observable.
        var drafts: [UUID: Draft] { get }

        /// Keeps what was typed; it is stored within a second, and until the note is saved or deleted.
        ///
        /// - Parameters:
        ///   - draft: The typed text; nil to forget it.
        ///   - id: The identifier of the note.
        func keep(_ draft: Draft?, of id: UUID)

        /// A description of what keeps drafts from being stored; nil if they are.
        ///
        /// Observable.
        var draftProblem: String? { get }

        /// The notes, the last saved first, after the drafts of new ones.
        ///
        /// Observable.
        var entries: [Entry] { get }

        /// A number that grows with each change of ``entries``.
        ///
        /// Observable.
        var revision: Int { get }

        /// The number of changed or deleted notes of which the server does not know.
        var unsentCount: Int { get }

        /// The note that was deleted last, for as long as this can be undone.
        ///
        /// Observable.
        var deleted: Note? { get }

        /// Returns a note, or nil.
        ///
        /// Observable.
        func entry(_ id: UUID) -> Entry?

        /// Stores a note, to be sent to the server.
        ///
        /// - Parameters:
        ///   - note: The note.
        ///   - original: The note that the user changed; nil for a new one.
        /// - Throws: The error that keeps it from being stored.
        func save(_ note: Note, replacing original: Note?) async throws

        /// Deletes a note; for five seconds, ``undoDeletion()`` brings it back, after which the server is asked to delete it.
        ///
        /// When the program ends before, the note is deleted all the same.
        ///
        /// - Throws: The error that keeps it from being stored.
        func delete(_ id: UUID) async throws

        /// Brings back the note that was deleted last.
        ///
        /// - Throws: An error if it is too late, or if it cannot be stored.
        func undoDeletion() async throws

        /// Resolves a conflict.
        ///
        /// - Throws: The error that keeps it from being stored.
        func resolve(_ id: UUID, by choice: Choice) async throws
    }
}

extension Notes {
    /// Sends changes made here to the server, and reads changes made elsewhere.
    ///
    /// A service of the scope ``session``, which has no screen. After a failure of the connection it tries again from time to
    /// time, for as long as something is unsent.
    @MainActor
    public protocol Synchronizer: AnyObject {
        /// The present state of synchronising, or the result of the last time.
        ///
        /// Observable.
        var state: SyncState { get }

        /// Begins to synchronise, and returns at once; if it runs already, it is repeated afterwards.
        ///
        /// - Parameter all: Whether to read all notes, which finds those that the server does not know, or what has changed
        ///   since the last time.
        func begin(all: Bool)

        /// Synchronises, and returns when it is done.
        func synchronize(all: Bool) async

        /// Decides about the notes of ``SyncState/unknownNotes(count:)``, and synchronises.
        ///
        /// - Throws: The error that keeps the decision from being stored.
        func decide(_ decision: Decision) async throws
    }

    /// The state of synchronisation between the notes here and on the server.
    public enum SyncState: Hashable, Sendable {
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
    }

    /// A decision about notes that are stored here and that the server does not know.
    public enum Decision: Hashable, Sendable, CaseIterable {
        /// The server is sent them.
        case upload
        /// They stay here, and are not sent before they are changed.
        case keep
        /// They are removed here.
        case remove
    }
}
