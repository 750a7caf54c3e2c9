import DisplayInterface
import Foundation
import RouterServiceInterface
import Synchronization

enum TerminalEvent: Equatable, Sendable {
    case keys([Key])
    /// The terminal has another size, or another program drew on it.
    case damaged
    /// The screens or their surroundings changed, or time has passed.
    case changed
}

/// The screen and the keyboard of a full-screen presenter.
@MainActor
protocol FullScreenDevice {
    var size: TerminalDevice.Size { get }
    /// Whether Ctrl-C was pressed, known before earlier keys have been handled.
    var isInterrupted: Bool { get }
    /// Takes over the screen and the keyboard as soon as the terminal is the program's, and begins to report.
    func open(reporting: @escaping @Sendable (TerminalEvent) -> Void) throws
    func draw(_ text: String) throws
    /// Restores the original screen, and ends reporting.
    func close()
    /// Stops the program until it is continued.
    func suspend()
}

@MainActor
final class TerminalScreen: FullScreenDevice {
    private let device: TerminalDevice
    private let watchesSignals: Bool
    private let router: (any Router)?
    /// The parser of typed bytes, and the number of readings.
    private let typing = Mutex((parser: KeyParser(), readings: 0))
    /// Whether Ctrl-C was pressed and not yet handled.
    private let interrupt = Atomic(false)
    private var input: (any DispatchSourceRead)?

    init(_ device: TerminalDevice, watchesSignals: Bool = true, router: (any Router)? = nil) {
        self.device = device
        self.watchesSignals = watchesSignals
        self.router = router
    }

    var size: TerminalDevice.Size { device.size }
    var isInterrupted: Bool { interrupt.load(ordering: .acquiring) }

    func open(reporting report: @escaping @Sendable (TerminalEvent) -> Void) throws {
        if watchesSignals {
            TerminalSignals.watch(device, notifying: router) { report(.damaged) }
        }
        do {
            try device.begin(.screen)
        } catch {
            close()
            throw error
        }
        input = reader(reporting: report)
    }

    func draw(_ text: String) throws {
        try device.draw(text)
    }

    func close() {
        input?.cancel()
        input = nil
        device.end()
        interrupt.store(false, ordering: .releasing)
    }

    func suspend() {
        if watchesSignals { kill(getpid(), SIGTSTP) }
    }

    /// The time to wait for the rest of a sequence after an Escape; typing is never that fast.
    private nonisolated static let escapeDelay = DispatchTimeInterval.milliseconds(50)
    /// The time that the main actor has for a Ctrl-C before the program ends without it.
    private nonisolated static let interruptDelay = DispatchTimeInterval.milliseconds(60)

    private nonisolated func reader(
        reporting report: @escaping @Sendable (TerminalEvent) -> Void
    ) -> any DispatchSourceRead {
        // A file that other code closes must not be a source's, so the source has a copy.
        let copy = dup(device.input)
        let queue = DispatchQueue(label: "Display.keys", qos: .userInteractive)
        let source = DispatchSource.makeReadSource(fileDescriptor: copy, queue: queue)
        source.setEventHandler { [self] in
            let bytes = readAvailable(from: copy)
            guard !bytes.isEmpty else {
                report(.keys([.interrupt]))  // the terminal is closed
                return source.cancel()  // would stay readable for ever
            }
            let (keys, readings, isWaiting) = typing.withLock { typing in
                typing.readings += 1
                return (typing.parser.parse(bytes), typing.readings, typing.parser.isWaitingForMore)
            }
            if keys.contains(.interrupt) {
                interrupt.store(true, ordering: .releasing)
                queue.asyncAfter(deadline: .now() + Self.interruptDelay) { [self] in
                    guard watchesSignals, interrupt.load(ordering: .acquiring) else { return }
                    device.pause()
                    _exit(EXIT_SUCCESS)  // as when the main actor responds: the user quits
                }
            }
            if !keys.isEmpty { report(.keys(keys)) }
            guard isWaiting else { return }
            queue.asyncAfter(deadline: .now() + Self.escapeDelay) { [self] in
                // Unless more bytes have followed.
                let keys = typing.withLock { $0.readings == readings ? $0.parser.flush() : [] }
                if !keys.isEmpty { report(.keys(keys)) }
            }
        }
        source.setCancelHandler { Foundation.close(copy) }
        source.activate()
        return source
    }
}
