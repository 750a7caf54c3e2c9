import DisplayInterface
import Foundation
import Synchronization
import Testing

/// What is stored before the program ends.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct EndingTests {
    private struct Refusal: Error {}

    private final class Text: Display.Unstored {
        let count = Atomic(0)
        let fails: Bool
        let waits: DispatchSemaphore?

        init(fails: Bool = false, waits: DispatchSemaphore? = nil) {
            self.fails = fails
            self.waits = waits
        }

        func storeNow() throws {
            waits?.wait()
            count.add(1, ordering: .relaxed)
            if fails { throw Refusal() }
        }
    }

    @Test func everything_isStored_alsoWhereSomethingFails() {
        let ending = Display.Ending()
        let texts = [Text(), Text(fails: true), Text()]
        texts.forEach(ending.add)
        let errors = ending.store()
        #expect(errors.count == 1)
        #expect(errors.first is Refusal)
        #expect(texts.allSatisfy { $0.count.load(ordering: .relaxed) == 1 })
    }

    @Test func lastAction_isDoneAfterEverythingIsStored_whereTheProgramEnds() {
        let ending = Display.Ending()
        let text = Text()
        let counts = Mutex<[Int]>([])
        ending.add(text)
        ending.doLast { counts.withLock { $0.append(text.count.load(ordering: .relaxed)) } }
        ending.store(within: .seconds(60))
        ending.end(within: .seconds(60))
        let count = counts.withLock { $0 }
        #expect(count == [2], "not where the program only stops")
    }

    @Test func releasedText_isNotHeld() {
        let ending = Display.Ending()
        weak var released: Text?
        do {
            let text = Text()
            released = text
            ending.add(text)
        }
        #expect(released == nil)
        #expect(ending.store().isEmpty)
    }

    /// The caller is the main thread, whose actor does nothing meanwhile.
    @Test func slowDisk_isWaitedForNoLongerThanTheLimit_andStoresAllTheSame() async {
        let (ending, disk) = (Display.Ending(), DispatchSemaphore(value: 0))
        let text = Text(waits: disk)
        ending.add(text)
        ending.store(within: .milliseconds(20))
        #expect(text.count.load(ordering: .relaxed) == 0)
        disk.signal()
        while text.count.load(ordering: .relaxed) == 0, !Task.isCancelled { await Task.yield() }
        disk.signal()
        ending.store(within: .seconds(60))
        #expect(text.count.load(ordering: .relaxed) == 2)
    }
}
