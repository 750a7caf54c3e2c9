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
    public let damage: AsyncStream<String>
    private let reports: AsyncStream<String>.Continuation
    private let stores = Mutex<[String: FakeStore]>([:])

    public init() { (damage, reports) = AsyncStream.makeStream() }

    /// The store of a user, also where opening it fails.
    public subscript(user: String) -> FakeStore {
        stores.withLock { stores in
            let store = stores[user] ?? FakeStore(reports)
            stores[user] = store
            return store
        }
    }

    public func store(of user: String) async throws(Storage.Failure) -> any Storage.Store {
        if let failure = self[user].failure { throw failure }
        return self[user]
    }

    public func hasStore(of user: String) -> Bool { stores.withLock { $0[user] != nil } }
}

/// A store without files; its values still pass through JSON.
public final class FakeStore: Storage.Store {
    private struct State {
        var values: [String: Data] = [:]
        var failure: Storage.Failure?
        var beforeWrite: (@Sendable (_ isSynchronized: Bool) -> Void)?
    }

    private let state = Mutex(State())
    private let reports: AsyncStream<String>.Continuation

    init(_ reports: AsyncStream<String>.Continuation) { self.reports = reports }

    public var values: [String: Data] {
        get { state.withLock { $0.values } }
        set { state.withLock { $0.values = newValue } }
    }

    /// The failure of opening, writing and removing.
    public var failure: Storage.Failure? {
        get { state.withLock { $0.failure } }
        set { state.withLock { $0.failure = newValue } }
    }

    /// Called before each write, which waits until the closure returns, as for a slow disk.
    public var beforeWrite: (@Sendable (_ isSynchronized: Bool) -> Void)? {
        get { state.withLock { $0.beforeWrite } }
        set { state.withLock { $0.beforeWrite = newValue } }
    }

    public func read(_ name: String, take: (String, Data) throws -> Void) {
        for (key, data) in values where key == name || name.hasSuffix("/") && key.hasPrefix(name) {
            // A folder of names does not have the values of the folders in it.
            if key.dropFirst(name.count).contains("/") { continue }
            do { try take(key, data) } catch {
                state.withLock { $0.values[key] = nil }
                reports.yield(key)
            }
        }
    }

    public func write(
        as name: String, isSynchronized: Bool, _ data: () throws(Storage.Failure) -> Data?
    ) throws(Storage.Failure) {
        beforeWrite?(isSynchronized)
        if let failure { throw failure }
        try state.withLock { state throws(Storage.Failure) in state.values[name] = try data() }
    }

    public func removeAll() throws(Storage.Failure) {
        if let failure { throw failure }
        state.withLock { $0.values = [:] }
    }
}
