import NotesInterface

extension Notes {
    /// Sends changes made here to the server, and reads changes made elsewhere.
    @MainActor
    protocol Synchronizer: AnyObject {
        /// The present state, or the result of the last time; observable.
        var state: SyncState { get }
        /// Begins to synchronise, and returns at once; if the synchroniser is running, it runs once more afterwards.
        ///
        /// - Parameter all: Whether to read all notes, which finds notes that the server has lost, or only what has changed
        ///   since the last time.
        func begin(all: Bool)
        /// Synchronises, and returns when it is done.
        func synchronize(all: Bool) async
        /// Decides about the notes of ``SyncState/otherServer(unknown:)``, and synchronises.
        func decide(_ decision: Decision) async throws
    }

    /// The state of synchronisation between the notes here and on the server.
    enum SyncState: Hashable, Sendable {
        /// The notes agreed the last time, or were not compared yet.
        case idle
        case running
        /// The user of these notes is not signed in.
        case signedOut
        /// No response came, for a reason.
        case offline(reason: String)
        /// The server refused something, or its response makes no sense.
        case failed(reason: String)
        /// The notes belong to another server, and this server does not know some of them.
        ///
        /// Nothing is sent before the user has decided.
        case otherServer(unknown: Int)

        /// The reason why the notes here may differ from the server's; nil if they were compared.
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
        case upload
        /// The notes are removed here.
        case remove
    }
}
