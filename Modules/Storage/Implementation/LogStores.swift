import Foundation
import StorageInterface
import Synchronization

/// Keeps a folder for each user, with a log, a lock, and damaged data.
actor LogStores: Storage.Stores {
    private let folder: Storage.Folder
    private var open: [String: OpenStore] = [:]
    private let executor = DiskExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(in folder: Storage.Folder) {
        self.folder = folder
    }

    func store(of user: String) throws(Storage.Failure) -> any Storage.Store {
        if let store = open[user]?.store { return store }
        let store = try LogStore(in: "\(folder.path)/\(Self.folderName(of: user))")
        open[user] = OpenStore(store: store)
        return store
    }

    private struct OpenStore {
        weak var store: LogStore?
    }

    /// The name of a user's folder, which differs for each user even where case does not matter.
    static func folderName(of user: String) -> String {
        user.utf8.reduce(into: "user-") { name, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                name.unicodeScalars.append(Unicode.Scalar(byte))
            default: name += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
    }
}

/// Keeps the values of one user in a log, and in memory.
actor LogStore: Storage.Store {
    nonisolated let damage: Storage.Damage?
    private let current: Mutex<Storage.Values>
    private var log: Log
    private let lock: File
    private let executor = DiskExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    nonisolated var values: Storage.Values { current.withLock { $0 } }

    /// Opens the store of a folder, or creates it.
    init(in folder: String, smallestCompaction: Int = 1 << 16) throws(Storage.Failure) {
        lock = try Self.lock(folder)
        let opened = try Log.open(in: folder, smallestCompaction: smallestCompaction)
        (log, damage) = (opened.log, opened.damage)
        current = Mutex(Storage.Values(encoded: opened.values))
    }

    func transaction<Result: Sendable>(
        _ body: @Sendable (inout Storage.Values) throws -> Result
    ) throws -> Result {
        var values = values
        let result = try body(&values)
        if values.changedNames.isEmpty { return result }
        try log.append(values.changedNames.sorted().map { ($0, values.encoded[$0]) })
        current.withLock { $0 = Storage.Values(encoded: values.encoded) }
        log.compact(to: values.encoded)
        return result
    }

    /// Locks a folder until the file is released, and creates it where it is missing.
    private static func lock(_ folder: String) throws(Storage.Failure) -> File {
        do {
            try Directory.create(folder)
            let file = try File("\(folder)/lock", O_RDWR | O_CREAT)
            // A program that is ending, and a store that is being released, hold the lock for a moment.
            for _ in 0..<20 {
                if try file.lock() { return file }
                Thread.sleep(forTimeInterval: 0.01)
            }
        } catch {
            throw .unusable(path: folder, reason: error.reason)
        }
        throw .inUse(path: folder)
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
