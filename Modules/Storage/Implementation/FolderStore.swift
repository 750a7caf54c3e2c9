import Foundation
import StorageInterface
import Synchronization

/// Keeps the values of one user in a folder, each in a file that is replaced in one step.
///
/// ```
/// user-ann/notes/drafts/17.json             a value
/// user-ann/notes/drafts/17.json.damaged-1   a file that could not be read
/// user-ann/new/5                            a file that is being written, and is renamed when it is complete
/// ```
final class FolderStore: Storage.Store {
    private struct State {
        /// The number of writes that have begun.
        var count = 0
        /// The number of the last completed write of each path, and of the last write before everything was removed.
        var completed: [String: Int] = [:]
        var removed = 0
        /// The folders whose names were synchronised since the store was opened, and since a folder was created.
        var synchronized: Set<String> = []
    }

    private let folder: String
    /// The open folder, whose lock keeps other programs from opening the store.
    private let lock: File
    private let state = Mutex(State())
    private let reports: AsyncStream<String>.Continuation?
    private let synchronize: @Sendable (File) throws(SystemError) -> Void

    /// Opens the store in a folder, or creates it; `synchronize` waits until a file would survive a loss of power.
    init(
        in folder: String, reports: AsyncStream<String>.Continuation? = nil,
        synchronize: @escaping @Sendable (File) throws(SystemError) -> Void = { file throws(SystemError) in
            try file.synchronize()
        }
    ) throws(Storage.Failure) {
        self.folder = folder
        self.reports = reports
        self.synchronize = synchronize
        do { lock = try File.lockedFolder(folder) } catch {
            throw .unusable(path: folder, reason: error.reason)
        }
        // A killed program leaves files that were being written.
        try? FileManager.default.removeItem(atPath: "\(folder)/new")
    }

    func read(_ name: String, take: (String, Data) throws -> Void) throws(Storage.Failure) {
        for (name, path) in name.hasSuffix("/") ? try files(in: name) : [(name, path(of: name))] {
            do {
                try take(name, File(path, O_RDONLY).read())
            } catch let error as SystemError {
                switch error.code {
                case ENOENT: continue
                case EMFILE, ENFILE, ENOMEM: throw .unusable(path: path, reason: error.reason)
                default: setAside(name, at: path, because: error.reason)
                }
            } catch {
                setAside(name, at: path, because: "it has another format")
            }
        }
    }

    /// Renames a file that cannot be read, and reports it.
    private func setAside(_ name: String, at path: String, because reason: String) {
        let free = (1...).lazy.map { "\(path).damaged-\($0)" }.first { access($0, F_OK) != 0 } ?? path
        let kept = rename(path, free) == 0 ? free : path
        reports?.yield(
            "The stored value '\(name)' cannot be read (\(reason)). The file was kept as \(kept).")
    }

    private func path(of value: String) -> String { "\(folder)/\(FileName.file(of: value))" }

    /// The values in a folder of names, with the paths of their files.
    private func files(in names: String) throws(Storage.Failure) -> [(name: String, path: String)] {
        let path = "\(folder)/\(FileName.folder(of: names))"
        if access(path, F_OK) != 0, errno == ENOENT { return [] }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path).compactMap { file in
                FileName.value(of: file).map { (names + $0, "\(path)/\(file)") }
            }
        } catch {
            throw .unusable(path: path, reason: error.localizedDescription)
        }
    }

    func write(
        as name: String, isSynchronized: Bool, _ data: () throws(Storage.Failure) -> Data?
    ) throws(Storage.Failure) {
        let path = self.path(of: name)
        let (number, value) = try state.withLock { state throws(Storage.Failure) in
            state.count += 1
            return (state.count, try data())
        }
        do {
            try put(value, number, at: path, isSynchronized: isSynchronized)
            let folder = (path as NSString).deletingLastPathComponent
            if isSynchronized, access(folder, F_OK) == 0 { try synchronizeEntries(of: folder) }
        } catch {
            throw .notSaved(path: path, reason: error.reason)
        }
    }

    /// Replaces a file by a new one in one step, or removes the file.
    private func put(
        _ data: Data?, _ number: Int, at path: String, isSynchronized: Bool
    ) throws(SystemError) {
        guard let data else {
            return try complete(number, at: path) { unlink(path) == 0 || errno == ENOENT ? 0 : -1 }
        }
        let new = "\(folder)/new/\(number)"
        try createFolder("\(folder)/new")
        // Fails where the file was renamed.
        defer { unlink(new) }
        let file = try File(new, O_WRONLY | O_CREAT | O_TRUNC)
        try file.write(data)
        if isSynchronized { try synchronize(file) }
        try createFolder((path as NSString).deletingLastPathComponent)
        try complete(number, at: path) { rename(new, path) }
    }

    private func createFolder(_ path: String) throws(SystemError) {
        if access(path, F_OK) == 0 { return }
        try File.createFolder(path)
        state.withLock { $0.synchronized = [] }
    }

    /// Makes the last system call of a write, unless a later write was faster or everything was removed meanwhile.
    private func complete(_ number: Int, at path: String, _ call: () -> Int32) throws(SystemError) {
        try state.withLock { state throws(SystemError) in
            guard number > max(state.removed, state.completed[path] ?? 0) else { return }
            try SystemError.check(call)
            state.completed[path] = number
        }
    }

    /// Synchronises the entries of a folder, and once also the names of the folder and of the folders above it, which may have
    /// been created by a write that was not synchronised, or by a program that was killed.
    private func synchronizeEntries(of path: String) throws(SystemError) {
        // A folder above the store's may belong to another user, and refuse this.
        let isAbove = !path.hasPrefix(folder)
        do { try synchronize(File(path, O_RDONLY | O_DIRECTORY, isAnyones: isAbove)) } catch {
            if !isAbove { throw error }
        }
        let parent = (path as NSString).deletingLastPathComponent
        if parent == path || state.withLock({ $0.synchronized.contains(path) }) { return }
        try synchronizeEntries(of: parent)
        state.withLock { _ = $0.synchronized.insert(path) }
    }

    func removeAll() throws(Storage.Failure) {
        state.withLock { $0.removed = $0.count }
        var failure: Storage.Failure?
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            let path = "\(folder)/\(name)"
            do { try FileManager.default.removeItem(atPath: path) } catch {
                failure = .unusable(path: path, reason: error.localizedDescription)
            }
        }
        try? File(folder, O_RDONLY | O_DIRECTORY).synchronize()
        if let failure { throw failure }
    }
}

/// The names of files, which differ for each user and each value even where case does not matter, and are equal where the
/// names are equal as strings.
enum FileName {
    private static func isKept(_ byte: UInt8) -> Bool {
        0x61...0x7A ~= byte || 0x30...0x39 ~= byte || byte == UInt8(ascii: "-")
    }

    private static let suffix = ".json"

    /// The path of a user's folder; a name that is longer than systems allow becomes folders in folders of its own.
    static func userFolder(_ user: String) -> String {
        var (path, rest) = ("", "user-" + encoded(user[...]))
        while rest.count > 200 {
            path += rest.prefix(200) + "+/"
            rest.removeFirst(200)
        }
        return path + rest
    }

    static func file(of value: String) -> String { folder(of: value) + suffix }

    static func folder(of names: String) -> String {
        names.split(separator: "/").map(encoded).joined(separator: "/")
    }

    /// The last part of a value's name; nil for a file that holds no value.
    static func value(of file: String) -> String? {
        guard file.hasSuffix(suffix) else { return nil }
        let part = file.dropLast(suffix.count)
        let name = part.contains("%") ? String(part).removingPercentEncoding : String(part)
        return name.flatMap { encoded($0[...]) == part ? $0 : nil }
    }

    private static func encoded(_ text: Substring) -> String {
        if text.utf8.allSatisfy(isKept) { return String(text) }
        return text.precomposedStringWithCanonicalMapping.utf8.reduce("") { name, byte in
            name + (isKept(byte) ? "\(Unicode.Scalar(byte))" : String(format: "%%%02x", byte))
        }
    }
}
