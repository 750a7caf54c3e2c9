public import RouterServiceInterface
import StorageInterface

/// Registers stores that keep their values in files, or only in memory.
public struct StorageModule: Module {
    public init() {}

    /// Registers the stores, which hold those that are open; nothing is read or written before the first one is opened.
    ///
    /// Their folder is a `Storage.Folder`, which another module entry registers; without one, values end with the program.
    public func register(in registrar: Registrar) {
        registrar.register((any Storage.Stores).self, lifetime: .singleton) { (folder: Storage.Folder?) in
            FolderStores(in: folder)
        }
    }
}
