import Dispatch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What a full-screen terminal hears of.
enum TerminalEvent: Equatable, Sendable {
    /// Bytes of keys.
    case input([UInt8])
    /// The input ended: the terminal is gone.
    case inputEnded
    /// The terminal has another size, or something else was drawn over it.
    case damaged
    /// The screens, what one of them shows, or the status changed.
    case changed
    /// Nothing followed an Escape for a while; the number is that of the waiting.
    case escapeExpired(Int)
}

/// The screen and keyboard that a full-screen terminal works with.
@MainActor
protocol FullScreenDevice {
    /// The size now.
    var size: TerminalDevice.Size { get }
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

    func open(reporting report: @escaping @Sendable (TerminalEvent) -> Void) throws {
        if watchesSignals {
            signals = TerminalSignals(
                restoring: device.leave,
                continuing: { [device] in
                    try? device.enter()
                    report(.damaged)
                },
                resized: { report(.damaged) })
        }
        do {
            try device.enter()
        } catch {
            close()
            throw error
        }
        input = reader(of: device.input, reporting: report)
    }

    func draw(_ text: String) throws {
        try device.output.write(text)
    }

    func close() {
        input?.cancel()
        input = nil
        device.leave()
        signals?.cancel()
        signals = nil
    }

    func suspend() {
        if watchesSignals { kill(getpid(), SIGTSTP) }
    }
}

/// Reports what is typed, from a queue of its own.
private func reader(
    of descriptor: Int32, reporting report: @escaping @Sendable (TerminalEvent) -> Void
) -> any DispatchSourceRead {
    // A source must have closed its file, or be done with it, before anybody else closes that; so it has its own.
    let copy = dup(descriptor)
    let queue = DispatchQueue(label: "Display.keys")
    let source = DispatchSource.makeReadSource(fileDescriptor: copy, queue: queue)
    source.setEventHandler {
        let bytes = readAvailable(from: copy)
        report(bytes.isEmpty ? .inputEnded : .input(bytes))
        if bytes.isEmpty { source.cancel() }  // which would be readable for ever
    }
    source.setCancelHandler { close(copy) }
    source.activate()
    return source
}
