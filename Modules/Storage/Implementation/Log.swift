import Foundation
import StorageInterface

/// The file that holds the values of one user, of which a transaction appends a record.
///
/// When the file has become twice as large as its values need, or is to hold none, a new one with the values alone takes
/// its place.
struct Log {
    private let folder: String
    private let smallestCompaction: Int
    private var file: File
    private var end: LogFormat.End
    /// The size at which the log is compacted next.
    private var compactionSize: Int
    /// Whether a failure left the content of the disk unknown, such as one to synchronise the file; nothing is written then
    /// until the log is opened again.
    private var isBroken = false

    /// A log with the values in it, and its damage.
    typealias Opened = (log: Log, values: [String: Data], damage: Storage.Damage?)

    /// Opens the log of a folder, or creates one.
    ///
    /// A damaged end is copied into a file of its own before a log without it takes the place of the damaged one.
    ///
    /// - Parameters:
    ///   - folder: The folder, locked by the caller.
    ///   - smallestCompaction: The size in bytes below which a log is not compacted.
    /// - Returns: The log, its values, and its damage.
    /// - Throws: `Storage.Failure`; the log is as it was then.
    static func open(in folder: String, smallestCompaction: Int = 1 << 16) throws(Storage.Failure) -> Opened {
        let path = path(in: folder)
        let (file, bytes): (File, [UInt8])
        do {
            // The file of an interrupted compaction.
            unlink(newPath(in: folder))
            file = try File(path, O_RDWR | O_CREAT)
            bytes = try file.read()
        } catch {
            throw .unusable(path: path, reason: error.reason)
        }
        let content = LogFormat.read(bytes)
        if let version = content.version, version > LogFormat.version {
            throw .newerFormat(path: path, version: version)
        }
        var log = Log(
            folder: folder, smallestCompaction: smallestCompaction, file: file, end: content.end,
            compactionSize: max(smallestCompaction, 2 * LogFormat.size(of: content.values)))
        do {
            let damage = try setAside(bytes[content.end.count...], in: folder)
            if damage != nil || bytes.isEmpty { try log.replace(by: content.values) }
            return (log, content.values, damage)
        } catch {
            throw .unusable(path: path, reason: error.reason)
        }
    }

    private static func path(in folder: String) -> String { "\(folder)/log" }
    private static func newPath(in folder: String) -> String { "\(folder)/log.new" }

    /// Keeps bytes in a new file beside the log.
    private static func setAside(
        _ bytes: ArraySlice<UInt8>, in folder: String
    ) throws(SystemError) -> Storage.Damage? {
        if bytes.isEmpty { return nil }
        let (path, file) = try newFile(in: folder)
        do {
            try file.write(Array(bytes), at: 0)
            try file.synchronize()
            try Directory.synchronize(folder)
        } catch {
            // The log still holds the bytes that could not be copied.
            unlink(path)
            throw error
        }
        return Storage.Damage(file: path, count: bytes.count)
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
    /// - Throws: `Storage.Failure.notSaved`; no part of the record counts then.
    mutating func append(_ changes: [(name: String, value: Data?)]) throws(Storage.Failure) {
        guard !isBroken else {
            throw notSaved("after an earlier failure it can be written only when the program is restarted")
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

    /// Replaces this log with one of the values alone, if that is worthwhile.
    ///
    /// A failure to do so is no failure of the transaction, which is saved; it is tried again later.
    mutating func compact(to values: [String: Data]) {
        guard end.count >= compactionSize || values.isEmpty else { return }
        do {
            try replace(by: values)
            compactionSize = max(smallestCompaction, 2 * end.count)
        } catch {
            compactionSize = 2 * end.count
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

    private func notSaved(_ reason: String) -> Storage.Failure {
        .notSaved(path: Self.path(in: folder), reason: reason)
    }
}
