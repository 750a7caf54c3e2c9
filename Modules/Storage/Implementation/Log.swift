import Foundation
import StorageInterface

/// The file that holds the values of one user, of which a transaction appends a record.
///
/// When the file has become twice as large as its values need, or is to hold none, a new one with the values alone takes
/// its place.
struct Log {
    private let folder: String
    private let smallestCompaction: Int
    /// The open folder, which is locked: another program may remove files and folders, but not open this log.
    private var lock: File
    private var file: File
    private var end: LogFormat.End
    /// The size at which the log is compacted next.
    private var compactionSize: Int
    /// Whether a failure left the content of the disk unknown, such as one to synchronise the file; nothing is written then
    /// until the log is opened again.
    private var isBroken = false

    /// Opens the log of a folder, or creates both.
    ///
    /// Damaged bytes are copied into a file of their own before a log without them takes the place of the damaged one.
    ///
    /// - Returns: The log, not compacted below a size in bytes, and its values, among them a report of its damage.
    /// - Throws: `Storage.Failure`; the log is as it was then.
    static func open(
        in folder: String, of user: String, smallestCompaction: Int
    ) throws(Storage.Failure) -> (log: Log, values: Storage.Values) {
        let (path, lock) = (path(in: folder), try lock(folder))
        let (file, content): (File, LogReader.Content)
        do {
            // The file of an interrupted compaction.
            unlink(newPath(in: folder))
            file = try File(path, O_RDWR | O_CREAT)
            content = try LogReader.read(file)
        } catch {
            throw .unusable(path: path, reason: error.reason)
        }
        if let version = content.version, version > LogFormat.version {
            throw .newerFormat(path: path, version: version)
        }
        var log = Log(
            folder: folder, smallestCompaction: smallestCompaction, lock: lock, file: file, end: content.end,
            compactionSize: max(smallestCompaction, 2 * LogFormat.size(of: content.values)))
        do {
            let values = try log.repair(content, of: user)
            return (log, values)
        } catch {
            throw .unusable(path: path, reason: error.reason)
        }
    }

    /// Locks a folder until the result is released, and creates it where it is missing.
    private static func lock(_ folder: String) throws(Storage.Failure) -> File {
        do {
            try Directory.create(folder)
            let file = try File(folder, O_RDONLY | O_DIRECTORY)
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

    private static func path(in folder: String) -> String { "\(folder)/log" }
    private static func newPath(in folder: String) -> String { "\(folder)/log.new" }

    /// Replaces a log by its intact records, after its damaged bytes were copied into a new file beside it.
    ///
    /// - Returns: The values, among them a report of the damage.
    private mutating func repair(
        _ content: LogReader.Content, of user: String
    ) throws(SystemError) -> Storage.Values {
        var values = Storage.Values(of: user, encoded: content.values)
        if content.isIntact { return values }
        if content.damage.isEmpty {
            try replace(by: content.values)
            return values
        }
        let (path, damaged) = try Self.newFile(in: folder)
        do {
            var count = 0
            for range in content.damage {
                for start in stride(from: range.lowerBound, to: range.upperBound, by: LogReader.pieceCount) {
                    let piece = try file.read(start..<min(range.upperBound, start + LogReader.pieceCount))
                    if !piece[...].isZero { try damaged.write(piece, at: count) }
                    count += piece.count
                }
            }
            // Zeros at the end were not written.
            try damaged.truncate(to: count)
            try damaged.synchronize()
            try Directory.synchronize(folder)
            values.damage.append(
                Storage.Damage(
                    of: user, changes: content.lostCount, names: content.lostNames.sorted(), file: path,
                    count: count))
            values = Storage.Values(of: user, encoded: values.encoded)
            try replace(by: values.encoded)
        } catch {
            // The log still holds the bytes.
            unlink(path)
            throw error
        }
        return values
    }

    /// Creates the first file of `damaged-1`, `damaged-2`, … that does not exist.
    private static func newFile(in folder: String) throws(SystemError) -> (path: String, file: File) {
        var number = 1
        while true {
            let path = "\(folder)/damaged-\(number)"
            do {
                return (path, try File(path, O_WRONLY | O_CREAT | O_EXCL))
            } catch {
                guard error.code == EEXIST else { throw error }
                number += 1
            }
        }
    }

    /// Appends a record of changes, and waits until it is saved.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - values: The values before, which are written again where the log was removed.
    /// - Throws: `Storage.Failure`; no part of the record counts then.
    mutating func append(_ changes: [LogFormat.Change], to values: [String: Data]) throws(Storage.Failure) {
        guard !isBroken else {
            throw notSaved("after an earlier failure it can be written only when the program is restarted")
        }
        try restore(values)
        let most = LogFormat.lengths.upperBound
        guard changes.reduce(0, { $0 + 16 + $1.name.utf8.count + ($1.value?.count ?? 0) }) <= most else {
            throw notSaved("it has more than \(most >> 20) MiB, which is too much at once")
        }
        let record = LogFormat.record(changes, at: end)
        do {
            try file.write(record.bytes, at: end.count)
            isBroken = true
            try file.synchronize()
            isBroken = false
        } catch {
            // Nothing may stand behind the end of a shorter record that comes next.
            do { try file.truncate(to: end.count) } catch { isBroken = true }
            throw notSaved(error.reason)
        }
        end = record.end
    }

    /// Creates the folder and the log again if something removed them.
    private mutating func restore(_ values: [String: Data]) throws(Storage.Failure) {
        do {
            // Another program's log is left alone.
            if try file.isAt(Self.path(in: folder)) { return }
        } catch {
            throw notSaved(error.reason)
        }
        if (try? lock.isAt(folder)) != true { lock = try Self.lock(folder) }
        do { try replace(by: values) } catch { throw notSaved(error.reason) }
    }

    /// Replaces this log with one of the values alone, if that is worthwhile.
    ///
    /// A failure to do so is no failure of the transaction, which is saved; it is tried again later.
    ///
    /// - Returns: The failure, in words for the user.
    mutating func compact(to values: [String: Data]) -> String? {
        guard end.count >= compactionSize || values.isEmpty else { return nil }
        do {
            try replace(by: values)
            compactionSize = max(smallestCompaction, 2 * end.count)
            return nil
        } catch {
            compactionSize = 2 * end.count
            return
                "\(Self.path(in: folder)) holds values that were removed or replaced, because it could not be "
                + "written again: \(error.reason)."
        }
    }

    /// Replaces this log with one of the values alone; a program that is killed leaves the one or the other.
    private mutating func replace(by values: [String: Data]) throws(SystemError) {
        let (path, new) = (Self.path(in: folder), Self.newPath(in: folder))
        let log = LogFormat.log(of: values)
        do {
            let file = try File(new, O_RDWR | O_CREAT | O_TRUNC)
            try file.write(log.bytes, at: 0)
            try file.synchronize()
            try SystemError.check { rename(new, path) }
            (self.file, end) = (file, log.end)
        } catch {
            unlink(new)
            throw error
        }
        isBroken = true
        try Directory.synchronize(folder)
        isBroken = false
    }

    /// Removes all values from the disk, and everything that was set aside, as far as possible.
    ///
    /// The log is emptied in place, which a folder that cannot be written and a full disk allow.
    mutating func erase() throws(Storage.Failure) {
        var (failed, reason) = (Self.path(in: folder), "")
        do {
            let empty = LogFormat.header()
            isBroken = true
            try file.write(empty.bytes, at: 0)
            try file.truncate(to: empty.end.count)
            try file.synchronize()
            (end, isBroken) = (empty.end, false)
        } catch {
            reason = error.reason
        }
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where name.hasPrefix("damaged-") {
            let path = "\(folder)/\(name)"
            // Emptied too, because a folder may not allow to remove what is in it.
            try? File(path, O_WRONLY | O_TRUNC).synchronize()
            if unlink(path) != 0 { (failed, reason) = (path, SystemError(code: errno).reason) }
        }
        if !reason.isEmpty { throw .notRemoved(path: failed, reason: reason) }
    }

    private func notSaved(_ reason: String) -> Storage.Failure {
        .notSaved(path: Self.path(in: folder), reason: reason)
    }
}
