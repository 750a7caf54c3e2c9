import Foundation
import RouterServiceInterface
import StorageInterface

/// The file that holds the values of one user, of which a transaction appends a record.
///
/// When the file has become twice as large as its values need, or is to hold none, a new one with the values alone takes
/// its place.
struct Log {
    private let folder: String
    private let minimumCompaction: Int
    /// The open folder, which is locked: another program may remove files and folders, but not open this log.
    private var lock: File
    private var file: File
    private var end: LogFormat.End
    /// The size at which the log is compacted next.
    private var compactionSize: Int
    /// Whether a failure left the content of the disk unknown, such as one to synchronise the file; nothing is written then
    /// until the log is opened again.
    private var isBroken = false

    private var path: String { "\(folder)/log" }

    /// Opens the log of a folder, or creates both.
    ///
    /// A damaged log is kept under another name, and one of its intact records takes its place.
    ///
    /// - Returns: The log, not compacted below a size in bytes, and its values, among them a report of its damage.
    /// - Throws: `Storage.Failure`; the log is as it was then.
    static func open(
        in folder: String, minimumCompaction: Int
    ) throws(Storage.Failure) -> (log: Log, values: Storage.Values) {
        var path = folder
        let version: UInt32
        do {
            let lock = try Directory.locked(folder)
            path += "/log"
            // The file of an interrupted replacement, which is complete where the log is already kept elsewhere.
            if access(path, F_OK) != 0 { rename(path + ".new", path) }
            unlink(path + ".new")
            let file = try File(path, O_RDWR | O_CREAT)
            let content = try LogReader(file)
            version = content.version ?? 0
            if version <= LogFormat.version {
                var log = Log(
                    folder: folder, minimumCompaction: minimumCompaction, lock: lock, file: file,
                    end: content.end,
                    compactionSize: max(minimumCompaction, 2 * LogFormat.size(of: content.values)))
                let values = try log.repair(content)
                return (log, values)
            }
        } catch {
            throw error.code == EWOULDBLOCK
                ? .inUse(path: path) : .unusable(path: path, reason: error.reason)
        }
        throw .newerFormat(path: path, version: version)
    }

    /// Replaces a log that is not as it was written; its damage is reported among the values.
    private mutating func repair(_ content: LogReader) throws(SystemError) -> Storage.Values {
        var values = Storage.Values(encoded: content.values)
        if content.isIntact { return values }
        let number = (1...).first { access("\(folder)/damaged-\($0)", F_OK) != 0 }
        let kept = content.damage.isEmpty ? nil : number.map { "\(folder)/damaged-\($0)" }
        if let kept { values.damage.append(content.report(keptIn: kept)) }
        try replace(by: values.encoded, keepingAs: kept)
        return Storage.Values(encoded: values.encoded)
    }

    /// Appends a record of changes, and waits until it is saved; the values before are written again if the log was removed.
    ///
    /// - Throws: `Storage.Failure`; no part of the record counts then.
    mutating func append(_ changes: [LogFormat.Change], to values: [Identifier: Data]) throws(Storage.Failure)
    {
        guard !isBroken else {
            throw notSaved("after an earlier failure it can be written only when the program is restarted")
        }
        let maximum = LogFormat.lengths.upperBound
        let size = changes.reduce(0) { $0 + 16 + $1.name.text.utf8.count + ($1.value?.count ?? 0) }
        guard size <= maximum else {
            throw notSaved("it has more than \(maximum >> 20) MiB, which is too much at once")
        }
        do {
            try restore(values)
            let record = LogFormat.record(changes, at: end)
            try file.write(record.bytes, at: end.count)
            isBroken = true
            try file.synchronize()
            (end, isBroken) = (record.end, false)
        } catch {
            // Nothing may stand behind the end of a shorter record that comes next.
            do { try file.truncate(to: end.count) } catch { isBroken = true }
            throw notSaved(error.reason)
        }
    }

    /// Creates the folder and the log again if something removed them; another program's log is left alone.
    private mutating func restore(_ values: [Identifier: Data]) throws(SystemError) {
        if try file.isAt(path) { return }
        if (try? lock.isAt(folder)) != true { lock = try Directory.locked(folder) }
        try replace(by: values)
    }

    /// Replaces this log with one of the values alone, if that is worthwhile.
    ///
    /// A failure to do so is no failure of the transaction, which is saved; it is tried again later.
    ///
    /// - Returns: A report of the failure, in words for the user.
    mutating func compact(to values: [Identifier: Data]) -> String? {
        guard end.count >= compactionSize || values.isEmpty else { return nil }
        defer { compactionSize = max(minimumCompaction, 2 * end.count) }
        do {
            try replace(by: values)
            return nil
        } catch {
            return
                "\(path) holds values that were removed or replaced, because it could not be written again: "
                + "\(error.reason)."
        }
    }

    /// Replaces this log with one of the values alone, and keeps it under another path if there is one.
    ///
    /// A program that is killed leaves the one log or the other.
    private mutating func replace(
        by values: [Identifier: Data], keepingAs kept: String? = nil
    ) throws(SystemError) {
        let (new, log) = (path + ".new", LogFormat.log(of: values))
        do {
            let file = try File(new, O_RDWR | O_CREAT | O_TRUNC)
            try file.write(log.bytes, at: 0)
            try file.synchronize()
            if let kept { try SystemError.check { rename(path, kept) } }
            try SystemError.check { rename(new, path) }
            (self.file, end) = (file, log.end)
        } catch {
            if let kept { rename(kept, path) }
            unlink(new)
            throw error
        }
        isBroken = true
        try Directory.synchronize(folder)
        isBroken = false
    }

    /// Removes all values from the disk, and the logs that were damaged, as far as possible.
    ///
    /// The log is emptied in place, which a folder that cannot be written and a full disk allow.
    mutating func erase() throws(Storage.Failure) {
        var failure: Storage.Failure?
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where name.hasPrefix("damaged-") {
            let path = "\(folder)/\(name)"
            // Emptied too, because a folder may not allow to remove what is in it.
            try? File(path, O_WRONLY).truncate(to: 0)
            if unlink(path) != 0 { failure = .notRemoved(path: path, reason: SystemError().reason) }
        }
        do {
            isBroken = true
            try file.truncate(to: LogFormat.headerCount)
            try file.synchronize()
            (end, isBroken) = (LogFormat.header().end, false)
        } catch {
            failure = .notRemoved(path: path, reason: error.reason)
        }
        if let failure { throw failure }
    }

    private func notSaved(_ reason: String) -> Storage.Failure { .notSaved(path: path, reason: reason) }
}
