import Foundation
public import RouterServiceInterface
import StorageInterface
import Synchronization

/// Registers stores that keep their values in files.
public struct StorageModule: Module {
    public init() {}

    /// Registers the stores, in a `Storage.Folder` that another module entry registers.
    public func register(in registrar: Registrar) {
        registrar.register((any Storage.Stores).self, lifetime: .singleton) { (folder: Storage.Folder) in
            FolderStores(in: folder)
        }
    }
}

/// Keeps a folder for each user.
final class FolderStores: Storage.Stores {
    let (damage, reports) = AsyncStream<String>.makeStream()
    private let folder: Storage.Folder
    /// The open stores, which are not held.
    private let open = Mutex<[String: () -> FolderStore?]>([:])

    init(in folder: Storage.Folder) { self.folder = folder }

    func store(of user: String) async throws(Storage.Failure) -> any Storage.Store {
        try await Storage.onDisk { () throws(Storage.Failure) in
            if let store = self.open.withLock({ $0[user]?() }) { return store }
            let store = try FolderStore(in: self.path(of: user), reports: self.reports)
            self.open.withLock { $0[user] = { [weak store] in store } }
            return store
        }
    }

    func hasStore(of user: String) -> Bool { access(path(of: user), F_OK) == 0 || errno != ENOENT }

    private func path(of user: String) -> String { "\(folder.path)/\(FileName.userFolder(user))" }
}
