import DisplayInterface
import Foundation
import Synchronization

/// An event that a full-screen presenter handles.
enum TerminalEvent: Equatable, Sendable {
    case keys([Key])
    /// The terminal has another size, or something else was drawn over it.
    case damaged
    /// The screens, the content of one of them, or something beside them changed, or time has passed.
    case changed
}

/// The screen and keyboard that a full-screen presenter works with.
@MainActor
protocol FullScreenDevice {
    /// The current size.
    var size: TerminalDevice.Size { get }
    /// Whether Ctrl-C was pressed, known before the keys typed in front of it have been handled.
    var isInterrupted: Bool { get }
    /// Takes over the screen and the keyboard, as soon as the terminal is the program's, and reports from now on.
    func open(reporting: @escaping @Sendable (TerminalEvent) -> Void) throws
    /// Draws in one piece.
    func draw(_ text: String) throws
    /// Restores the original screen, and reports no more.
    func close()
    /// Stops the program until it is continued.
    func suspend()
}

/// The screen and keyboard of a real terminal.
@MainActor
final class TerminalScreen: FullScreenDevice {
    private let device: TerminalDevice
    private let watchesSignals: Bool
    private let suspension: (any Display.Suspension)?
    private let drawing = Drawing()
    private let interrupt = InterruptState()
    private var input: (any DispatchSourceRead)?
    private var signals: TerminalSignals?

    /// Prepares to take over a terminal's screen.
    ///
    /// - Parameters:
    ///   - device: The terminal.
    ///   - watchesSignals: Whether the screen is restored when a signal ends or stops the program.
    ///   - suspension: Notified when a signal stops the program, and when it continues.
    init(_ device: TerminalDevice, watchesSignals: Bool = true, suspension: (any Display.Suspension)? = nil) {
        self.device = device
        self.watchesSignals = watchesSignals
        self.suspension = suspension
    }

    var size: TerminalDevice.Size { device.size }
    var isInterrupted: Bool { interrupt.isPending }

    func open(reporting report: @escaping @Sendable (TerminalEvent) -> Void) throws {
        if watchesSignals {
            signals = TerminalSignals(
                of: device.input, restoring: leaveAtOnce,
                suspending: { [suspension] in
                    let isDone = DispatchSemaphore(value: 0)
                    Task { @MainActor in
                        await suspension?.suspended()
                        isDone.signal()
                    }
                    // The main actor may hang.
                    _ = isDone.wait(timeout: .now() + Self.suspensionLimit)
                },
                resuming: { [device, drawing, suspension] in
                    try? drawing.begin(on: device)
                    report(.damaged)
                    Task { @MainActor in await suspension?.resumed() }
                },
                resized: { report(.damaged) })
        }
        JobControl.awaitForeground(of: device.input)
        do {
            try drawing.begin(on: device)
        } catch {
            close()
            throw error
        }
        input = reader(reporting: report)
    }

    func draw(_ text: String) throws {
        try drawing.draw(text, on: device)
    }

    func close() {
        input?.cancel()
        input = nil
        drawing.end(on: device)
        interrupt.clear()
        signals?.cancel()
        signals = nil
    }

    func suspend() {
        if watchesSignals { kill(getpid(), SIGTSTP) }
    }

    private var leaveAtOnce: @Sendable () -> Void {
        { [device, drawing] in device.leaveAtOnce { drawing.end(on: device) } }
    }

    /// The time to wait for the rest of a sequence after an Escape; typing is never that fast.
    private static let escapeDelay = DispatchTimeInterval.milliseconds(50)
    /// The time that ``Display/Suspension`` has before the program stops.
    private nonisolated static let suspensionLimit = DispatchTimeInterval.milliseconds(300)
    /// The time that the main actor has for a Ctrl-C before the program ends without it.
    private static let interruptDelay = DispatchTimeInterval.milliseconds(60)

    /// Reads typed bytes and turns them into keys, on a queue of its own.
    private func reader(
        reporting report: @escaping @Sendable (TerminalEvent) -> Void
    ) -> any DispatchSourceRead {
        // A source must be done with its file before other code closes that, so it has a file of its own.
        let copy = dup(device.input)
        let queue = DispatchQueue(label: "Display.keys", qos: .userInteractive)
        let source = DispatchSource.makeReadSource(fileDescriptor: copy, queue: queue)
        let typing = TypingState()
        let ending = watchesSignals ? leaveAtOnce : nil
        source.setEventHandler { [interrupt] in
            let bytes = readAvailable(from: copy)
            guard !bytes.isEmpty else {
                report(.keys([.interrupt]))  // the terminal is closed
                return source.cancel()  // would stay readable for ever
            }
            let (keys, waiting) = typing.keys(of: bytes)
            if keys.contains(.interrupt) {
                interrupt.set()
                queue.asyncAfter(deadline: .now() + Self.interruptDelay) {
                    guard let ending, interrupt.isPending else { return }
                    ending()
                    _exit(EXIT_SUCCESS)  // as when the main actor responds: the user quits
                }
            }
            if !keys.isEmpty { report(.keys(keys)) }
            guard let waiting else { return }
            queue.asyncAfter(deadline: .now() + Self.escapeDelay) {
                let keys = typing.keys(after: waiting)
                if !keys.isEmpty { report(.keys(keys)) }
            }
        }
        source.setCancelHandler { closeDescriptor(copy) }
        source.activate()
        return source
    }
}

/// Keeps a late frame from being drawn on a terminal that has been restored, and which is restored once.
private final class Drawing: Sendable {
    private let isAllowed = Mutex(false)

    func begin(on device: TerminalDevice) throws {
        try isAllowed.withLock { isAllowed in
            isAllowed = true
            try device.enter()
        }
    }

    func draw(_ text: String, on device: TerminalDevice) throws {
        // Continued in the background, the program stops again in a moment; the next frame is drawn as a whole.
        guard !JobControl.isInBackground(of: device.input) else { return }
        try isAllowed.withLock { if $0 { try device.output.write(text) } }
    }

    func end(on device: TerminalDevice) {
        isAllowed.withLock { isAllowed in
            if isAllowed { device.leave() }
            isAllowed = false
        }
    }
}

/// Whether Ctrl-C was pressed and not yet handled.
private final class InterruptState: Sendable {
    private let pending = Atomic(false)

    var isPending: Bool { pending.load(ordering: .acquiring) }

    func set() { pending.store(true, ordering: .releasing) }
    func clear() { pending.store(false, ordering: .releasing) }
}

/// The state of parsing typed bytes.
private final class TypingState: Sendable {
    private let state = Mutex((parser: KeyParser(), readings: 0))

    /// The complete keys, and the argument for ``keys(after:)`` if more bytes may follow.
    func keys(of bytes: [UInt8]) -> (keys: [Key], waiting: Int?) {
        state.withLock { state in
            state.readings += 1
            let keys = state.parser.parse(bytes)
            return (keys, state.parser.isWaitingForMore ? state.readings : nil)
        }
    }

    /// The keys of the waiting bytes, if no more have followed.
    func keys(after waiting: Int) -> [Key] {
        state.withLock { state in state.readings == waiting ? state.parser.flush() : [] }
    }
}
