import Foundation
import RouterServiceInterface

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The events of a test, in order.
@MainActor
final class Journal {
    private(set) var lines: [String] = []

    func note(_ line: String) {
        lines.append(line)
    }
}

/// Holds work until a test lets it continue.
@MainActor
final class Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Lets all waiting work continue, now and later.
    func open() {
        isOpen = true
        waiting.forEach { $0.resume() }
        waiting = []
    }

    /// Waits until the gate is open.
    func pass() async {
        if isOpen { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Waits until some work waits here.
    func arrival() async {
        await eventually { !waiting.isEmpty }
    }
}

/// Waits for a condition, at most until the test's time limit ends its task.
@MainActor
func eventually(_ condition: @MainActor () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
}

/// Waits until the main actor has done its pending work, and the work that this led to.
@MainActor
func settled(rounds: Int = 8) async {
    for _ in 0..<rounds {
        await withCheckedContinuation { done in
            Task { @MainActor in done.resume() }
        }
    }
}

/// The processor time of this thread, which does not grow while other threads run, or of the whole process.
func processorTime(ofProcess: Bool = false) -> Duration {
    var time = timespec()
    clock_gettime(ofProcess ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
