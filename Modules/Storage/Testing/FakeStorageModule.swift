public import RouterServiceInterface
import StorageInterface

/// Stands in for Storage where another feature runs alone: stores without files, empty at first.
public struct FakeStorageModule: Module {
    public init() {}

    /// Registers the stores.
    public func register(in registrar: Registrar) {
        registrar.register((any Storage.Stores).self, lifetime: .singleton) { FakeStores() }
    }
}
