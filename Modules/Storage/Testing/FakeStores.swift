public import StorageInterface
import Synchronization

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
    private var stores: [String: FakeStore] = [:]

    /// Creates stores, of which none has a value yet.
    nonisolated public init() {}

    /// The store of a user, also where opening it fails.
    public subscript(user: String) -> FakeStore {
        let store = stores[user] ?? FakeStore()
        stores[user] = store
        return store
    }

    /// Returns the store of a user, the same one each time.
    ///
    /// - Throws: ``failure``.
    public func store(of user: String) async throws(Storage.Failure) -> any Storage.Store {
        if let failure { throw failure }
        return self[user]
    }
}

/// A store without a file; its values still pass through JSON.
public final class FakeStore: Storage.Store {
    private struct State {
        var values = Storage.Values()
        var damage: Storage.Damage?
        var failure: Storage.Failure?
    }

    private let state = Mutex(State())

    /// Creates a store without values.
    public init() {}

    /// The values as the last transaction left them.
    public var values: Storage.Values { state.withLock { $0.values } }

    /// The damage that the store reports; tests may set it.
    public var damage: Storage.Damage? {
        get { state.withLock { $0.damage } }
        set { state.withLock { $0.damage = newValue } }
    }

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
        try state.withLock { state in
            var values = state.values
            let result = try body(&values)
            if let failure = state.failure { throw failure }
            state.values = Storage.Values(encoded: values.encoded)
            return result
        }
    }
}
