import Foundation
import RouterServiceInterface
import StorageInterface
import Synchronization

/// Keeps a folder for each user, with a log, and logs that were damaged; without a folder, keeps all stores in memory.
actor LogStores: Storage.Stores {
    nonisolated let (damaged, reports) = AsyncStream<any Storage.Store>.makeStream()
    private let folder: Storage.Folder?
    /// The open stores, which are kept open only in memory.
    private var open: [Identifier: () -> LogStore?] = [:]
    private let executor = DiskExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(in folder: Storage.Folder?) { self.folder = folder }

    func store(of user: Identifier) throws(Storage.Failure) -> any Storage.Store {
        if let store = open[user]?() { return store }
        let path = folder.map { "\($0.path)/\(Self.folderPath(of: user))" }
        let store = try LogStore(in: path, reports: reports)
        open[user] = path == nil ? { store } : { [weak store] in store }
        store.reportDamage()
        return store
    }

    /// The path of a user's folder, which differs for each user even where case does not matter.
    ///
    /// A name that is too long for a file system continues in a folder within, under a name that no file of a store has.
    static func folderPath(of user: Identifier) -> String {
        let kept = Set("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
        let name = user.text.utf8.reduce("user-") { name, byte in
            name + (kept.contains(byte) ? "\(Unicode.Scalar(byte))" : String(format: "%%%02x", byte))
        }
        var (path, rest) = (String(name.prefix(255)), name.dropFirst(255))
        while !rest.isEmpty {
            path += "/+" + rest.prefix(254)
            rest = rest.dropFirst(254)
        }
        return path
    }
}

/// Keeps the values of one user in memory, and in a log.
actor LogStore: Storage.Store {
    private let current: Mutex<Storage.Values>
    private let reports: AsyncStream<any Storage.Store>.Continuation?
    /// Nil where the values end with the program.
    private var log: Log?
    private let executor = DiskExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    nonisolated var values: Storage.Values { current.withLock { $0 } }

    /// Opens the store of a folder, or creates it; without a folder, one in memory.
    init(
        in folder: String?, minimumCompaction: Int = 1 << 16,
        reports: AsyncStream<any Storage.Store>.Continuation? = nil
    ) throws(Storage.Failure) {
        self.reports = reports
        let opened = try folder.map { path throws(Storage.Failure) in
            try Log.open(in: path, minimumCompaction: minimumCompaction)
        }
        log = opened?.log
        current = Mutex(opened?.values ?? Storage.Values())
    }

    func transaction<Result: Sendable>(
        _ body: @Sendable (inout Storage.Values) throws -> Result
    ) throws -> Result {
        let (result, changes) = try values.changes(by: body)
        if changes.isEmpty { return result }
        try log?.append(changes.sorted { $0.key < $1.key }.map { ($0, $1) }, to: values.encoded)
        current.withLock { $0.apply(changes) }
        if let report = log?.compact(to: values.encoded) {
            // Where the disk is full, this fails as well, as the user's next change does.
            try? transaction { $0.damage = $0.damage.filter { $0 != report } + [report] }
        }
        reportDamage()
        return result
    }

    nonisolated func reportDamage() { if !values.damage.isEmpty { reports?.yield(self) } }

    func erase() throws(Storage.Failure) {
        current.withLock { $0 = Storage.Values() }
        try log?.erase()
    }
}

/// Runs an actor on a queue of its own: waiting for the disk must not hold the threads that all tasks share.
final class DiskExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "Storage")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
