public import RouterServiceInterface
import StorageInterface
import Synchronization

/// Registers stores that forget everything when the program ends.
public struct InMemoryStorageModule: Module {
    public init() {}

    /// Registers the stores, one for the whole program: they hold the values.
    public func register(in registrar: Registrar) {
        registrar.register((any Storage.Stores).self, lifetime: .singleton) { InMemoryStores() }
    }
}

/// Keeps stores in memory, including those that nothing holds.
actor InMemoryStores: Storage.Stores {
    private var stores: [String: InMemoryStore] = [:]

    func store(of user: String) -> any Storage.Store {
        let store = stores[user] ?? InMemoryStore()
        stores[user] = store
        return store
    }
}

/// Keeps the values of one user in memory.
private actor InMemoryStore: Storage.Store {
    private let current = Mutex(Storage.Values())

    nonisolated var values: Storage.Values { current.withLock { $0 } }
    nonisolated var damage: Storage.Damage? { nil }

    func transaction<Result: Sendable>(
        _ body: @Sendable (inout Storage.Values) throws -> Result
    ) throws -> Result {
        var values = values
        let result = try body(&values)
        current.withLock { $0 = Storage.Values(encoded: values.encoded) }
        return result
    }
}
