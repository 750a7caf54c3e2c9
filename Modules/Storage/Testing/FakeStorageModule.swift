public import Foundation
public import RouterServiceInterface
public import StorageInterface
import Synchronization

/// Stands in for Storage where another feature runs alone: stores without files, empty at first.
public struct FakeStorageModule: Module {
    public init() {}

    public func register(in registrar: Registrar) {
        registrar.register((any Storage.Stores).self, lifetime: .singleton) { FakeStores() }
    }
}

/// Stores without files, which a test can make fail: `stores["ann"].failure = .notSaved(path: "", reason: "It is full")`.
public final class FakeStores: Storage.Stores {
    public let damage: AsyncStream<Storage.Damage>
    private let reports: AsyncStream<Storage.Damage>.Continuation
    private let state = Mutex((stores: [String: FakeStore](), failure: Storage.Failure?.none))

    public init() { (damage, reports) = AsyncStream.makeStream() }

    public var failure: Storage.Failure? {
        get { state.withLock { $0.failure } }
        set { state.withLock { $0.failure = newValue } }
    }

    /// The store of a user, also where opening it fails.
    public subscript(user: String) -> FakeStore {
        state.withLock { state in
            let store = state.stores[user] ?? FakeStore(reports)
            state.stores[user] = store
            return store
        }
    }

    public func store(of user: String) async throws(Storage.Failure) -> any Storage.Store {
        if let failure { throw failure }
        return self[user]
    }
}

/// A store without files; its values still pass through JSON.
public final class FakeStore: Storage.Store {
    private struct State {
        var values: [String: Data] = [:]
        var failure: Storage.Failure?
        var beforeWrite: (@Sendable (_ isSynchronized: Bool) -> Void)?
        /// The number of writes, and the number of the last write of each value.
        var writes = 0
        var lastWrites: [String: Int] = [:]
    }

    private let state = Mutex(State())
    private let reports: AsyncStream<Storage.Damage>.Continuation

    init(_ reports: AsyncStream<Storage.Damage>.Continuation) { self.reports = reports }

    public var values: [String: Data] {
        get { state.withLock { $0.values } }
        set { state.withLock { $0.values = newValue } }
    }

    public var failure: Storage.Failure? {
        get { state.withLock { $0.failure } }
        set { state.withLock { $0.failure = newValue } }
    }

    /// Called before each write, which waits for it, as for a slow disk.
    public var beforeWrite: (@Sendable (_ isSynchronized: Bool) -> Void)? {
        get { state.withLock { $0.beforeWrite } }
        set { state.withLock { $0.beforeWrite = newValue } }
    }

    public func read(_ name: String, take: (String, Data) throws -> Void) {
        for (key, data) in values where key == name || name == Storage.folder(of: key) {
            do { try take(key, data) } catch {
                state.withLock { $0.values[key] = nil }
                reports.yield(Storage.Damage(key) {})
            }
        }
    }

    public func write(_ values: [String: Data?], isSynchronized: Bool) throws(Storage.Failure) {
        let number = state.withLock { state in
            state.writes += 1
            for name in values.keys { state.lastWrites[name] = state.writes }
            return state.writes
        }
        beforeWrite?(isSynchronized)
        if let failure { throw failure }
        // A slow write does not replace the value of a later write.
        state.withLock { state in
            for (name, data) in values where state.lastWrites[name] == number { state.values[name] = data }
        }
    }

    public func removeAll() throws(Storage.Failure) {
        if let failure { throw failure }
        state.withLock { $0.values = [:] }
    }
}
