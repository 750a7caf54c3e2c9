import Foundation
import StorageInterface
import Synchronization

/// Keeps a folder for each user; without a folder, keeps all stores in memory.
final class FolderStores: Storage.Stores {
    let (damage, reports) = AsyncStream<String>.makeStream()
    private let folder: Storage.Folder?
    /// The open stores, of which only those in memory are held.
    private let open = Mutex<[String: () -> (any Storage.Store)?]>([:])

    init(in folder: Storage.Folder?) { self.folder = folder }

    func store(of user: String) async throws(Storage.Failure) -> any Storage.Store {
        // One after another, and without waiting for the disk where the store is open.
        if let store = open.withLock({ $0[user]?() }) { return store }
        return try await Storage.onDisk { () throws(Storage.Failure) in try self.openStore(of: user) }
    }

    private func openStore(of user: String) throws(Storage.Failure) -> any Storage.Store {
        if let store = open.withLock({ $0[user]?() }) { return store }
        guard let folder else {
            let store = MemoryStore()
            open.withLock { $0[user] = { store } }
            return store
        }
        let store = try FolderStore(in: "\(folder.path)/\(FileName.userFolder(user))", reports: reports)
        open.withLock { $0[user] = { [weak store] in store } }
        return store
    }
}

/// Keeps values until the program ends.
private final class MemoryStore: Storage.Store {
    private let values = Mutex<[String: Data]>([:])

    func read(_ name: String, take: (String, Data) throws -> Void) {
        for (key, data) in values.withLock({ $0 }) where key == name || name == Storage.folder(of: key) {
            // A replaced module may have written something else.
            do { try take(key, data) } catch { write([key: nil], isSynchronized: false) }
        }
    }

    func write(_ changes: [String: Data?], isSynchronized: Bool) {
        values.withLock { for (name, data) in changes { $0[name] = data } }
    }

    func removeAll() { values.withLock { $0.removeAll() } }
}

/// The names of files, which differ for each user and each value even where case does not matter, and are equal where the
/// names are equal as strings.
enum FileName {
    private static func isKept(_ byte: UInt8) -> Bool {
        0x61...0x7A ~= byte || 0x30...0x39 ~= byte || byte == UInt8(ascii: "-")
    }

    private static let suffix = ".json"

    static func userFolder(_ user: String) -> String { "user-" + encoded(user[...]) }

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
