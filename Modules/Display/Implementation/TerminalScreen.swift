import Foundation
import Synchronization

/// What a full-screen presenter hears of.
enum TerminalEvent: Equatable, Sendable {
    case keys([Key])
    /// The input ended: the terminal is gone.
    case inputEnded
    /// The terminal has another size, or something else was drawn over it.
    case damaged
    /// The screens, what one of them shows, or something beside them changed.
    case changed
    /// Time has passed.
    case tick
}

/// The screen and keyboard that a full-screen presenter works with.
@MainActor
protocol FullScreenDevice {
    /// The size now.
    var size: TerminalDevice.Size { get }
    /// Whether Ctrl-C was pressed, known before what was typed in front of it has been dealt with.
    var isInterrupted: Bool { get }
    /// Takes the screen and the keys, and reports from now on.
    func open(reporting: @escaping @Sendable (TerminalEvent) -> Void) throws
    /// Draws in one piece.
    func draw(_ text: String) throws
    /// Gives the screen back as it was found, and reports no more.
    func close()
    /// Stops the program until it is told to continue.
    func suspend()
}

/// The screen and keyboard of a real terminal.
@MainActor
final class TerminalScreen: FullScreenDevice {
    private let device: TerminalDevice
    private let watchesSignals: Bool
    private let drawing = Drawing()
    private let interrupt = InterruptState()
    private var input: (any DispatchSourceRead)?
    private var signals: TerminalSignals?

    /// Prepares to take a terminal's screen.
    ///
    /// - Parameters:
    ///   - device: The terminal.
    ///   - watchesSignals: Whether the screen is restored when a signal ends or stops the program.
    init(_ device: TerminalDevice, watchesSignals: Bool = true) {
        self.device = device
        self.watchesSignals = watchesSignals
    }

    var size: TerminalDevice.Size { device.size }
    var isInterrupted: Bool { interrupt.isPending }

    func open(reporting report: @escaping @Sendable (TerminalEvent) -> Void) throws {
        if watchesSignals {
            signals = TerminalSignals(
                restoring: leaveAtOnce,
                resuming: { [device, drawing] in
                    try? drawing.begin(on: device)
                    report(.damaged)
                },
                resized: { report(.damaged) })
        }
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

    /// How long after an Escape the rest of a sequence is waited for; nobody types that fast.
    private static let escapeDelay = DispatchTimeInterval.milliseconds(50)
    /// How long the main actor has for a Ctrl-C before the program ends without it.
    private static let interruptDelay = DispatchTimeInterval.milliseconds(60)

    /// Reads what is typed and turns it into keys, on a queue of its own.
    private func reader(
        reporting report: @escaping @Sendable (TerminalEvent) -> Void
    ) -> any DispatchSourceRead {
        // A source must have closed its file, or be done with it, before anybody else closes that; so it has its own.
        let copy = dup(device.input)
        let queue = DispatchQueue(label: "Display.keys", qos: .userInteractive)
        let source = DispatchSource.makeReadSource(fileDescriptor: copy, queue: queue)
        let typing = TypingState()
        let ending = watchesSignals ? leaveAtOnce : nil
        source.setEventHandler { [interrupt] in
            let bytes = readAvailable(from: copy)
            guard !bytes.isEmpty else {
                report(.inputEnded)
                return source.cancel()  // which would be readable for ever
            }
            let (keys, waiting) = typing.keys(of: bytes)
            if keys.contains(.interrupt) {
                interrupt.set()
                queue.asyncAfter(deadline: .now() + Self.interruptDelay) {
                    guard let ending, interrupt.isPending else { return }
                    ending()
                    _exit(EXIT_SUCCESS)  // as where the main actor answers: the user quits
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

/// Keeps a frame that is drawn late from a terminal that has been given back.
private final class Drawing: Sendable {
    private let isAllowed = Mutex(false)

    func begin(on device: TerminalDevice) throws {
        try isAllowed.withLock { isAllowed in
            try device.enter()
            isAllowed = true
        }
    }

    func draw(_ text: String, on device: TerminalDevice) throws {
        try isAllowed.withLock { if $0 { try device.output.write(text) } }
    }

    func end(on device: TerminalDevice) {
        isAllowed.withLock { isAllowed in
            isAllowed = false
            device.leave()
        }
    }
}

/// Whether Ctrl-C was pressed and not yet obeyed.
private final class InterruptState: Sendable {
    private let pending = Atomic(false)

    var isPending: Bool { pending.load(ordering: .acquiring) }

    func set() { pending.store(true, ordering: .releasing) }
    func clear() { pending.store(false, ordering: .releasing) }
}

/// What has been typed so far.
private final class TypingState: Sendable {
    private let state = Mutex((parser: KeyParser(), readings: 0))

    /// The keys that are complete, and what ``keys(after:)`` wants to know when it is open whether more will follow.
    func keys(of bytes: [UInt8]) -> (keys: [Key], waiting: Int?) {
        state.withLock { state in
            state.readings += 1
            let keys = state.parser.parse(bytes)
            return (keys, state.parser.isWaitingForMore ? state.readings : nil)
        }
    }

    /// The keys of what has waited, where nothing has followed.
    func keys(after waiting: Int) -> [Key] {
        state.withLock { state in state.readings == waiting ? state.parser.flush() : [] }
    }
}
