import DisplayInterface
import Foundation
import RouterServiceInterface
import Synchronization

/// A terminal: its size, and what the program uses it for, which is undone before the program ends or stops.
final class TerminalDevice: Sendable {
    /// Columns and rows of text.
    struct Size: Equatable, Sendable {
        var columns: Int
        var rows: Int
    }

    enum Use: Equatable, Sendable {
        /// The whole screen, the keyboard and the mouse.
        case screen
        /// A prompt at which the user types a line, visible or not.
        case prompt(String, isSecure: Bool)
    }

    let input: Int32
    private let output: Display.Output
    private let original: termios
    /// The use, and whether it is undone until the program continues.
    private let state = Mutex((use: Use?.none, isPaused: false))

    /// Saves the terminal's current settings.
    ///
    /// - Throws: ``TerminalFailure/settings(_:)`` when the input is not a terminal.
    init(input: Int32, output: Int32) throws(TerminalFailure) {
        var settings = termios()
        guard tcgetattr(input, &settings) == 0 else { throw .settings(errno) }
        original = settings
        self.input = input
        self.output = Display.Output(descriptor: output)
    }

    /// The current size; 80 columns and 24 rows if the terminal does not report one.
    var size: Size {
        var window = winsize()
        guard ioctl(output.descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
        else {
            return Size(columns: 80, rows: 24)
        }
        return Size(columns: Int(window.ws_col), rows: Int(window.ws_row))
    }

    /// Begins a use, as soon as the terminal is the program's.
    func begin(_ use: Use) throws {
        JobControl.awaitForeground(of: input)
        try state.withLock { state in
            state.use = use
            if !state.isPaused { try start(use) }
        }
    }

    /// Draws in one piece, while the whole screen is used.
    func draw(_ text: String) throws {
        // Continued in the background, the program stops again in a moment; the next frame is drawn as a whole.
        guard !JobControl.isInBackground(of: input) else { return }
        try state.withLock { if $0.use == .screen, !$0.isPaused { try output.write(text) } }
    }

    /// Ends the use.
    func end() {
        state.withLock { state in
            if let use = state.use, !state.isPaused { stop(use) }
            state.use = nil
        }
    }

    /// Undoes the use for a program that must end or stop now, unless the terminal accepts no more output.
    func pause() {
        // Written by a thread that may be left behind, because the terminal may not accept all of it.
        let written = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [self] in
            state.withLock { state in
                if let use = state.use, !state.isPaused { stop(use) }
                state.isPaused = true
            }
            written.signal()
        }
        var request = pollfd(fd: output.descriptor, events: Int16(POLLOUT), revents: 0)
        let isReady = poll(&request, 1, 20) > 0
        _ = written.wait(timeout: .now() + .milliseconds(isReady ? 1000 : 0))
        restoreSettings()
    }

    /// Continues the use: the shell may have changed the terminal's settings, and what was typed at a prompt is lost.
    func resume() {
        state.withLock { state in
            state.isPaused = false
            guard let use = state.use else { return }
            try? start(use)
            if case .prompt(let text, _) = use { try? output.write(text) }
        }
    }

    /// The sequences are those of xterm's `ctlseqs`: alternate screen (1049), bracketed paste (2004), clicks (1000) as
    /// SGR reports (1006); lines that are too long are not continued on the next one (7).
    private func start(_ use: Use) throws {
        var settings = original
        switch use {
        case .prompt(_, isSecure: false): return
        case .prompt: settings.c_lflag &= ~tcflag_t(ECHO)
        case .screen: cfmakeraw(&settings)
        }
        let isSet = tcsetattr(input, TCSANOW, &settings) == 0
        guard use == .screen else { return }
        guard isSet else { throw TerminalFailure.settings(errno) }
        try output.write("\u{1B}[?1049h\u{1B}[?2004h\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?7l\u{1B}[?25l\u{1B}[2J")
    }

    private func stop(_ use: Use) {
        // A terminal that is gone needs no restoring, so a failure is ignored.
        if use == .screen {
            try? output.write(
                "\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?25h\u{1B}[?2004l\u{1B}[?1049l"
            )
        }
        restoreSettings()
    }

    /// Restores the settings, unless they are those of the program that has the terminal.
    private func restoreSettings() {
        guard !JobControl.isInBackground(of: input) else { return }
        var settings = original
        tcsetattr(input, TCSANOW, &settings)
    }
}

/// The terminal's foreground: a shell gives it to one of its jobs at a time, or keeps it.
///
/// The system stops a background job that reads from its terminal or changes its settings, but not on these threads, on
/// which Dispatch blocks the signals: there, reading fails, and the settings change under the program that has the terminal.
enum JobControl {
    /// Whether the terminal is another job's, or the shell's; false where the terminal does not control this program.
    static func isInBackground(of terminal: Int32) -> Bool {
        let foreground = tcgetpgrp(terminal)
        return foreground > 0 && foreground != getpgrp()
    }

    /// Stops the program, as the system does with others, until the terminal is its own.
    static func awaitForeground(of terminal: Int32) {
        while isInBackground(of: terminal) {
            // A signal that is to end the program may have come with the one that continued it.
            usleep(100_000)
            if isInBackground(of: terminal) { kill(getpid(), SIGTTOU) }
        }
    }
}

/// Restores a terminal before a signal ends or stops the program.
///
/// The work is done on a queue of its own: a main actor that hangs must not keep users from their terminal.
final class TerminalSignals {
    private let numbers: [Int32]
    private let sources: [any DispatchSourceSignal]

    /// The time that the listeners for ``Display/Suspended`` have before the program stops.
    private static let suspensionLimit = DispatchTimeInterval.milliseconds(300)

    /// Watches the signals that end or stop the program.
    ///
    /// - Parameters:
    ///   - device: The terminal.
    ///   - router: Broadcasts that the program is about to end or stop, and that it continues.
    ///   - damaged: Called when the terminal has another size, or is the program's own again.
    init(
        of device: TerminalDevice, notifying router: (any Router)?,
        damaged: @escaping @Sendable () -> Void = {}
    ) {
        let pause: @Sendable () -> Void = {
            device.pause()
            guard let router else { return }
            let isDone = DispatchSemaphore(value: 0)
            Task { @MainActor in
                await router.broadcast(Display.Suspended())
                isDone.signal()
            }
            // The main actor may hang.
            _ = isDone.wait(timeout: .now() + Self.suspensionLimit)
        }
        var handlers: [Int32: @Sendable () -> Void] = [SIGWINCH: damaged]
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            handlers[number] = {
                pause()
                Self.endProgram(by: number)
            }
        }
        handlers[SIGTSTP] = {
            pause()
            kill(getpid(), SIGSTOP)
        }
        let queue = DispatchQueue(label: "Display.signals", qos: .userInteractive)
        let waiting = DispatchQueue(label: "Display.foreground", qos: .userInteractive)
        handlers[SIGCONT] = {
            // Elsewhere: a signal may end the program meanwhile.
            waiting.async {
                JobControl.awaitForeground(of: device.input)
                queue.async {
                    guard !JobControl.isInBackground(of: device.input) else { return }
                    device.resume()
                    damaged()
                    Task { @MainActor in await router?.broadcast(Display.Resumed()) }
                }
            }
        }

        let registrations = DispatchGroup()
        numbers = Array(handlers.keys)
        sources = handlers.map { number, handler in
            // The system's default action must not come first; those of SIGWINCH and SIGCONT are harmless.
            if number != SIGWINCH, number != SIGCONT { signal(number, SIG_IGN) }
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler(handler: handler)
            registrations.enter()
            source.setRegistrationHandler { @Sendable in registrations.leave() }
            source.activate()
            return source
        }
        // Until a source is registered, its signal is lost.
        _ = registrations.wait(timeout: .now() + .seconds(1))
    }

    /// Restores the system's handling of the signals.
    func cancel() {
        sources.forEach { $0.cancel() }
        numbers.forEach { signal($0, SIG_DFL) }
    }

    /// Ends the program as the signal would have done, so that the parent process sees the signal.
    private static func endProgram(by number: Int32) {
        signal(number, SIG_DFL)
        var mask = sigset_t()
        sigemptyset(&mask)
        sigaddset(&mask, number)
        pthread_sigmask(SIG_UNBLOCK, &mask, nil)
        raise(number)
        _exit(128 + number)
    }
}

/// Reads the available bytes, or waits until there are some.
///
/// In the background of a terminal, where nothing can be read, this stops the program.
///
/// - Returns: Some kilobytes at most; nothing at the end of the input and when it cannot be read.
func readAvailable(from descriptor: Int32) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count >= 0 { return Array(buffer.prefix(count)) }
        if errno == EIO, JobControl.isInBackground(of: descriptor) {
            JobControl.awaitForeground(of: descriptor)
            continue
        }
        guard errno == EINTR || errno == EAGAIN else { return [] }
        // A descriptor shared with a program that made it non-blocking: wait for the next byte.
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&request, 1, -1)
    }
}

/// An error of the terminal itself.
enum TerminalFailure: Error, Equatable {
    /// `run()` was called before the first screen was shown.
    case nothingToShow
    /// The terminal's settings could not be read or changed, with the system's `errno`.
    case settings(Int32)
}

extension TerminalFailure: LocalizedError {
    var errorDescription: String? {
        switch self {
        case .nothingToShow:
            "The terminal has nothing to show. Start the router with a route before the terminal runs."
        case .settings(let code):
            "The terminal cannot be set up: \(String(cString: strerror(code))). Redirect the input to use lines."
        }
    }
}
