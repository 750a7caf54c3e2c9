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
        var unreadable: [String: String] = [:]
        for (name, path) in name.hasSuffix("/") ? try files(in: name) : [(name, path(of: name))] {
            do {
                try take(name, File(path, O_RDONLY).read())
            } catch let error as SystemError {
                switch error.code {
                case ENOENT: continue
                case EMFILE, ENFILE, ENOMEM: throw .unusable(path: path, reason: error.reason)
                default: unreadable[name] = error.reason
                }
            } catch {
                unreadable[name] = "it has another format"
            }
        }
        if !unreadable.isEmpty { setAside(unreadable) }
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

    func write(_ values: [String: Data?], isSynchronized: Bool) throws(Storage.Failure) {
        var path = folder
        do {
            var folders: Set<String> = []
            for (name, data) in values {
                path = self.path(of: name)
                try put(data, at: path, isSynchronized: isSynchronized)
                folders.insert((path as NSString).deletingLastPathComponent)
            }
            // The entries of a folder are synchronised once for all its values.
            for folder in folders where isSynchronized && access(folder, F_OK) == 0 {
                path = folder
                try synchronize(File(folder, O_RDONLY | O_DIRECTORY))
            }
        } catch {
            throw .notSaved(path: path, reason: error.reason)
        }
    }

    /// Replaces a file by a new one in one step, or removes the file.
    private func put(_ data: Data?, at path: String, isSynchronized: Bool) throws(SystemError) {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        guard let data else {
            return try complete(number, at: path) { unlink(path) == 0 || errno == ENOENT ? 0 : -1 }
        }
        let new = "\(folder)/new/\(number)"
        try File.createFolder("\(folder)/new")
        // Fails where the file was renamed.
        defer { unlink(new) }
        let file = try File(new, O_WRONLY | O_CREAT | O_TRUNC)
        try file.write(data)
        if isSynchronized { try synchronize(file) }
        try File.createFolder((path as NSString).deletingLastPathComponent)
        try complete(number, at: path) { rename(new, path) }
    }

    /// Makes the last system call of a write, unless a later write was faster or everything was removed meanwhile.
    private func complete(_ number: Int, at path: String, _ call: () -> Int32) throws(SystemError) {
        try state.withLock { state throws(SystemError) in
            guard number > max(state.removed, state.completed[path] ?? 0) else { return }
            try SystemError.check(call)
            state.completed[path] = number
        }
    }

    /// Renames files that cannot be read, and reports them.
    private func setAside(_ reasons: [String: String]) {
        for name in reasons.keys {
            let path = path(of: name)
            let free = (1...).lazy.map { "\(path).damaged-\($0)" }.first { access($0, F_OK) != 0 }
            if let free { rename(path, free) }
        }
        let names = reasons.sorted { $0.key < $1.key }.prefix(3).map { "'\($0)' (\($1))" }
        reports?.yield(
            """
            \(reasons.count == 1 ? "A stored value" : "\(reasons.count) stored values") cannot be read: \
            \(names.joined(separator: ", "))\(reasons.count > 3 ? ", …" : ""). What is there is kept in \
            \(folder), with 'damaged' in the names of the files.
            """)
    }

    func removeAll() throws(Storage.Failure) {
        state.withLock { $0.removed = $0.count }
        var failure: Storage.Failure?
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            let path = "\(folder)/\(name)"
            do { try FileManager.default.removeItem(atPath: path) } catch {
                failure = .notRemoved(path: path, reason: error.localizedDescription)
            }
        }
        try? File(folder, O_RDONLY | O_DIRECTORY).synchronize()
        if let failure { throw failure }
    }
}
