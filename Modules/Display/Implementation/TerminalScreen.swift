import DisplayInterface
import Foundation
import RouterServiceInterface
import Synchronization

@MainActor
protocol FullScreenDevice {
    var size: TerminalDevice.Size { get }
    /// Takes over the screen and the keyboard as soon as the terminal is the program's, and begins to report keys.
    func open(reporting: @escaping @Sendable ([Key]) -> Void) throws
    func draw(_ text: String) throws
    func close()
    func suspend()
}

@MainActor
final class TerminalScreen: FullScreenDevice {
    private let device: TerminalDevice
    private let watchesSignals: Bool
    private let ending: Display.Ending
    private let router: (any Router)?
    /// How long the main actor may take for a Ctrl-C before the program ends without it: long enough for the keys that were typed
    /// before.
    private let interruptLimit: DispatchTimeInterval
    /// The parser of typed bytes, and the number of readings.
    private let typing = Mutex((parser: KeyParser(), readings: 0))
    /// The number of times that Ctrl-C was pressed and is not yet handled.
    private let interrupts = Atomic(0)
    private var input: (any DispatchSourceRead)?

    init(
        _ device: TerminalDevice, watchesSignals: Bool = true, ending: Display.Ending = Display.Ending(),
        router: (any Router)? = nil, interruptLimit: DispatchTimeInterval = .seconds(3)
    ) {
        self.device = device
        self.interruptLimit = interruptLimit
        self.watchesSignals = watchesSignals
        self.ending = ending
        self.router = router
    }

    var size: TerminalDevice.Size { device.size }

    func open(reporting report: @escaping @Sendable ([Key]) -> Void) throws {
        if watchesSignals {
            TerminalSignals.watch(device, storing: ending, notifying: router) { report([.redraw]) }
        }
        do {
            try device.begin(.screen)
        } catch {
            close()
            throw error
        }
        input = reader(reporting: report)
    }

    func draw(_ text: String) throws { try device.draw(text) }

    func close() {
        input?.cancel()
        input = nil
        device.end()
        interrupts.store(0, ordering: .releasing)
    }

    func suspend() {
        if watchesSignals { kill(getpid(), SIGTSTP) }
    }

    /// The time to wait for the rest of a sequence after an Escape; users type more slowly.
    private nonisolated static let escapeDelay = DispatchTimeInterval.milliseconds(50)
    /// The time that the main actor has for a Ctrl-C before the user is asked to wait.
    private nonisolated static let interruptDelay = DispatchTimeInterval.milliseconds(300)

    private nonisolated func reader(
        reporting report: @escaping @Sendable ([Key]) -> Void
    ) -> any DispatchSourceRead {
        // A source must not use a file that other code closes, so the source has a copy.
        let copy = dup(device.input)
        let queue = DispatchQueue(label: "Display.keys", qos: .userInteractive)
        let source = DispatchSource.makeReadSource(fileDescriptor: copy, queue: queue)
        source.setEventHandler { [self] in
            let bytes = readAvailable(from: copy)
            guard !bytes.isEmpty else {
                report([.interrupt])  // the terminal is closed
                return source.cancel()  // would stay readable for ever
            }
            let (keys, readings, isWaiting) = typing.withLock { typing in
                typing.readings += 1
                return (typing.parser.parse(bytes), typing.readings, typing.parser.isWaitingForMore)
            }
            if watchesSignals, keys.contains(.interrupt) { interrupt() }
            if !keys.isEmpty { report(keys) }
            guard isWaiting else { return }
            queue.asyncAfter(deadline: .now() + Self.escapeDelay) { [self] in
                let keys = typing.withLock { $0.readings == readings ? $0.parser.flush() : [] }
                if !keys.isEmpty { report(keys) }
            }
        }
        source.setCancelHandler { Foundation.close(copy) }
        source.activate()
        return source
    }

    /// Gives the main actor time for a Ctrl-C and what was typed before it, unless the user presses Ctrl-C again.
    private nonisolated func interrupt() {
        let isFirst = interrupts.add(1, ordering: .acquiringAndReleasing).oldValue == 0
        let queue = DispatchQueue.global(qos: .userInteractive)
        guard isFirst else { return queue.async { [self] in end() } }
        queue.asyncAfter(deadline: .now() + Self.interruptDelay) { [self] in
            guard isInterrupted else { return }
            // A terminal that accepts no output must not delay the end.
            Thread.detachNewThread { [self] in
                try? device.draw("\r\n\u{1B}[KStoring… Press Ctrl-C again to quit at once.")
            }
        }
        queue.asyncAfter(deadline: .now() + interruptLimit) { [self] in if isInterrupted { end() } }
    }

    private nonisolated var isInterrupted: Bool { interrupts.load(ordering: .acquiring) > 0 }

    /// Ends the program without the main actor, with the status of a program that the user quits.
    private nonisolated func end() {
        device.pause()
        ending.end(within: TerminalSignals.storingLimit)
        _exit(EXIT_SUCCESS)
    }
}
