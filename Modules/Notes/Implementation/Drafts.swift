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
        /// The drafts that are not stored yet; nil where a draft is to be removed.
        var unstored: [Storage.Key<Notes.Draft>: Notes.Draft?] = [:]
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
        state.withLock { state in
            if !state.isClosed { state.unstored.updateValue(draft, forKey: StoredNotes.key(ofDraft: id)) }
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
        for (key, draft) in state.withLock({ $0.unstored }) {
            try store.setNow(draft, for: key, isSynchronized: false)
        }
        if let failure = storeAll() { throw failure }
    }

    /// Stores nothing any more, because the user's data are about to be removed.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.unstored = [:]
        }
    }

    @discardableResult
    private func storeAll() -> Storage.Failure? {
        let unstored = state.withLock { $0.unstored }
        if unstored.isEmpty { return nil }
        var failure: Storage.Failure?
        do {
            for (key, draft) in unstored {
                try store.setNow(draft, for: key, isSynchronized: true)
                // Text that was typed meanwhile is still unstored.
                state.withLock { if $0.unstored[key] == draft { $0.unstored[key] = nil } }
            }
        } catch {
            failure = error
        }
        report(failure)
        return failure
    }
}
