import DisplayInterface
import Foundation
import NotesInterface
import StorageInterface
import Synchronization

/// Stores what the user types, each draft as a value of its own.
///
/// A draft waits neither for notes that are being stored nor for the main actor, which may be busy when a signal ends the
/// program.
final class Drafts: Display.Unstored {
    private struct State {
        /// The latest drafts; a draft that is missing is to be removed.
        var drafts: [Storage.Key<Notes.Draft>: Notes.Draft] = [:]
        /// The drafts that are not stored yet.
        var unstored: Set<Storage.Key<Notes.Draft>> = []
        var isClosed = false
    }

    private let store: any Storage.Store
    private let report: @Sendable (Storage.Failure?) -> Void
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "Notes.drafts")

    /// Creates the drafts of a store; `report` is called after each attempt to store drafts, with the failure if there is one.
    init(in store: any Storage.Store, report: @escaping @Sendable (Storage.Failure?) -> Void) {
        self.store = store
        self.report = report
    }

    /// Stores a draft on another thread; nil removes the draft.
    func keep(_ draft: Notes.Draft?, of id: UUID) {
        let key = StoredNotes.key(ofDraft: id)
        state.withLock { state in
            if state.isClosed { return }
            state.drafts[key] = draft
            state.unstored.insert(key)
        }
        // While the disk stores one text, the texts that follow wait as one.
        queue.async { self.storeAll() }
    }

    /// Waits until all drafts are stored, and returns the failure if there is one.
    func flush() async -> Storage.Failure? {
        await withCheckedContinuation { done in
            queue.async { done.resume(returning: self.storeAll()) }
        }
    }

    /// Stores the drafts on the thread of the caller, at first without waiting for the disk: drafts outlive the program as soon
    /// as they are written.
    func storeNow() throws {
        for key in state.withLock({ $0.unstored }) {
            try? store.setNow(latest(key), for: key, isSynchronized: false)
        }
        if let failure = storeAll() { throw failure }
    }

    /// Stores nothing any more, because the user's data are about to be removed.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.drafts = [:]
            state.unstored = []
        }
    }

    @discardableResult
    private func storeAll() -> Storage.Failure? {
        let unstored = state.withLock { $0.unstored }
        if unstored.isEmpty { return nil }
        var failure: Storage.Failure?
        // A draft that cannot be stored keeps no other draft from being stored.
        for key in unstored {
            var draft: Notes.Draft?
            func latestDraft() -> Notes.Draft? {
                draft = latest(key)
                return draft
            }
            do {
                try store.setNow(latestDraft(), for: key, isSynchronized: true)
                // Text that was typed meanwhile is still unstored.
                state.withLock { if $0.drafts[key] == draft { $0.unstored.remove(key) } }
            } catch {
                failure = error
            }
        }
        report(failure)
        return failure
    }

    private func latest(_ key: Storage.Key<Notes.Draft>) -> Notes.Draft? { state.withLock { $0.drafts[key] } }
}
