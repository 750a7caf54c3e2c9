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
        /// The drafts that are not stored yet, with the number of the change; nil where a draft is to be removed.
        var unstored: [UUID: (draft: Notes.Draft?, number: Int)] = [:]
        var count = 0
        var isWaiting = false
        var isClosed = false
    }

    private let store: any Storage.Store
    private let report: @Sendable (Storage.Failure?) -> Void
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "Notes.drafts")

    /// The time from a key to the storing of its draft.
    static let delay = DispatchTimeInterval.milliseconds(100)

    /// Creates the drafts of a store; `report` is called after each attempt to store drafts, with the failure if there is one.
    init(in store: any Storage.Store, report: @escaping @Sendable (Storage.Failure?) -> Void) {
        self.store = store
        self.report = report
    }

    /// Keeps a draft, and stores it in a moment; nil removes the draft.
    func keep(_ draft: Notes.Draft?, of id: UUID) {
        let isFirst = state.withLock { state in
            guard !state.isClosed else { return false }
            state.count += 1
            state.unstored[id] = (draft, state.count)
            defer { state.isWaiting = true }
            return !state.isWaiting
        }
        guard isFirst else { return }
        queue.asyncAfter(deadline: .now() + Self.delay) { [self] in
            state.withLock { $0.isWaiting = false }
            try? storeAll()
        }
    }

    /// Stores the drafts now, and returns the failure if there is one.
    func flush() async -> Storage.Failure? {
        await withCheckedContinuation { done in
            queue.async { [self] in
                do throws(Storage.Failure) {
                    try storeAll()
                    done.resume(returning: nil)
                } catch {
                    done.resume(returning: error)
                }
            }
        }
    }

    /// Stores the drafts on the thread of the caller, at first without waiting for the disk: drafts outlive the program as soon
    /// as they are written.
    func storeNow() throws {
        let unstored = state.withLock { $0.unstored }
        try store.setNow(keyed(unstored), isSynchronized: false)
        try storeAll()
    }

    /// Stores nothing any more, because the user's data are about to be removed.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.unstored = [:]
        }
    }

    private func storeAll() throws(Storage.Failure) {
        let unstored = state.withLock { $0.unstored }
        guard !unstored.isEmpty else { return }
        do {
            try store.setNow(keyed(unstored), isSynchronized: true)
            state.withLock { state in
                // Text that was typed meanwhile is still unstored.
                for (id, (_, number)) in unstored where state.unstored[id]?.number == number {
                    state.unstored[id] = nil
                }
            }
            report(nil)
        } catch {
            report(error)
            throw error
        }
    }

    private func keyed(
        _ unstored: [UUID: (draft: Notes.Draft?, number: Int)]
    ) -> [Storage.Key<Notes.Draft>: Notes.Draft?] {
        unstored.reduce(into: [:]) {
            $0.updateValue($1.value.draft, forKey: StoredNotes.key(ofDraft: $1.key))
        }
    }
}
