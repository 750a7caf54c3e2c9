import Foundation
import StorageInterface

/// Keeps a folder for each user, with a log, a lock, and what was found damaged.
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

    /// The name of a user's folder, which is another one for each user also where capitals do not count.
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
