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
    nonisolated let (damaged, reports) = AsyncStream<any Storage.Store>.makeStream()
    private var stores: [Identifier: InMemoryStore] = [:]

    func store(of user: Identifier) -> any Storage.Store {
        let store = stores[user] ?? InMemoryStore(reports)
        stores[user] = store
        return store
    }
}

/// Keeps the values of one user in memory.
private actor InMemoryStore: Storage.Store {
    private let current = Mutex(Storage.Values())
    private let reports: AsyncStream<any Storage.Store>.Continuation

    nonisolated var values: Storage.Values { current.withLock { $0 } }

    init(_ reports: AsyncStream<any Storage.Store>.Continuation) { self.reports = reports }

    func transaction<Result: Sendable>(
        _ body: @Sendable (inout Storage.Values) throws -> Result
    ) throws -> Result {
        let (result, changes) = try values.changes(by: body)
        current.withLock { $0.apply(changes) }
        if !values.damage.isEmpty { reports.yield(self) }
        return result
    }

    func erase() { current.withLock { $0 = Storage.Values() } }
}
