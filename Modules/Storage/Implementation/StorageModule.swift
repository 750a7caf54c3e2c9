public import RouterServiceInterface
import StorageInterface

/// Registers stores that keep their values in files, or only in memory.
public struct StorageModule: Module {
    public init() {}

    /// Registers the stores, in a `Storage.Folder` that another module entry registers; without a folder, values end with the
    /// program.
    public func register(in registrar: Registrar) {
        registrar.register((any Storage.Stores).self, lifetime: .singleton) { (folder: Storage.Folder?) in
            FolderStores(in: folder)
        }
    }
}
