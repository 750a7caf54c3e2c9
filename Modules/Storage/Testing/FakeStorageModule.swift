public import RouterServiceInterface
public import StorageInterface
import Synchronization

/// Stands in for Storage where another feature runs alone: stores without files, empty at first.
public struct FakeStorageModule: Module {
    public init() {}

    /// Registers the stores.
    public func register(in registrar: Registrar) {
        registrar.register((any Storage.Stores).self, lifetime: .singleton) { FakeStores() }
    }
}

/// Stores without files, which a test can make fail.
///
/// ```swift
/// let stores = FakeStores()
/// stores["ann"].failure = .notSaved(path: "log", reason: "No space left on device")
/// ```
@MainActor
public final class FakeStores: Storage.Stores {
    /// An error that opening a store throws.
    public var failure: Storage.Failure?
    /// The stores with reports of damage, which a test adds in a transaction.
    nonisolated public let damaged: AsyncStream<any Storage.Store>
    private let reports: AsyncStream<any Storage.Store>.Continuation
    private var stores: [Identifier: FakeStore] = [:]

    /// Creates stores, of which none has a value yet.
    nonisolated public init() { (damaged, reports) = AsyncStream.makeStream() }

    /// The store of a user, also where opening it fails.
    public subscript(user: Identifier) -> FakeStore {
        let store = stores[user] ?? FakeStore(reports)
        stores[user] = store
        return store
    }

    /// Returns the store of a user, the same one each time.
    ///
    /// - Throws: ``failure``.
    @MainActor
    public func store(of user: Identifier) async throws(Storage.Failure) -> any Storage.Store {
        if let failure { throw failure }
        let store = self[user]
        store.reportDamage()
        return store
    }
}

/// A store without a file; its values still pass through JSON.
public final class FakeStore: Storage.Store {
    private struct State {
        var values = Storage.Values()
        var failure: Storage.Failure?
    }

    private let state = Mutex(State())
    private let reports: AsyncStream<any Storage.Store>.Continuation

    init(_ reports: AsyncStream<any Storage.Store>.Continuation) { self.reports = reports }

    /// The values as the last transaction left them.
    public var values: Storage.Values { state.withLock { $0.values } }

    /// An error that transactions throw instead of saving.
    public var failure: Storage.Failure? {
        get { state.withLock { $0.failure } }
        set { state.withLock { $0.failure = newValue } }
    }

    /// Changes values, all or none of them.
    ///
    /// - Throws: The error of the body, or ``failure``.
    public func transaction<Result: Sendable>(
        _ body: @Sendable (inout Storage.Values) throws -> Result
    ) async throws -> Result {
        let result = try state.withLock { state in
            let (result, changes) = try state.values.changes(by: body)
            if let failure = state.failure { throw failure }
            state.values.apply(changes)
            return result
        }
        reportDamage()
        return result
    }

    /// Removes all values.
    ///
    /// - Throws: ``failure``.
    public func erase() async throws(Storage.Failure) {
        try state.withLock { state throws(Storage.Failure) in
            if let failure = state.failure { throw failure }
            state.values = Storage.Values()
        }
    }

    func reportDamage() { if !values.damage.isEmpty { reports.yield(self) } }
}
