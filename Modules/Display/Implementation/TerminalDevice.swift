import DisplayInterface
import Foundation
import RouterServiceInterface
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A terminal, which is restored before the program ends or stops.
final class TerminalDevice: Sendable {
    struct Size: Equatable, Sendable {
        var columns: Int
        var rows: Int
    }

    enum Use: Equatable, Sendable {
        case screen
        /// A prompt at which the user types a line, visible or not.
        case prompt(String, isSecure: Bool)
    }

    let input: Int32
    private let output: Display.Output
    private let original: termios
    /// The use of the terminal, and whether the terminal is restored until the program continues.
    private let state = Mutex((use: Use?.none, isPaused: false))

    /// Saves the terminal's settings.
    ///
    /// - Throws: ``TerminalFailure/settings(_:)`` when the input is no terminal.
    init(input: Int32, output: Int32) throws(TerminalFailure) {
        var settings = termios()
        guard tcgetattr(input, &settings) == 0 else { throw .settings(errno) }
        original = settings
        self.input = input
        self.output = Display.Output(descriptor: output)
    }

    /// The current size; 80 columns and 24 rows if the terminal does not report one.
    ///
    /// At most 1,000 columns and 500 rows are used, because each cell of a frame takes time.
    var size: Size {
        var window = winsize()
        guard ioctl(output.descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
        else {
            return Size(columns: 80, rows: 24)
        }
        return Size(columns: min(Int(window.ws_col), 1_000), rows: min(Int(window.ws_row), 500))
    }

    /// Begins a use as soon as the program has the terminal.
    func begin(_ use: Use) throws {
        JobControl.awaitForeground(of: input)
        try state.withLock { state in
            state.use = use
            if !state.isPaused { try start(use) }
        }
    }

    /// Draws while the program uses the whole screen.
    func draw(_ text: String) throws {
        // A program that was continued in the background stops again in a moment.
        guard !JobControl.isInBackground(of: input) else { return }
        try state.withLock { if $0.use == .screen, !$0.isPaused { try output.write(text) } }
    }

    func end() {
        state.withLock { state in
            if let use = state.use, !state.isPaused { stop(use, patience: -1) }
            state.use = nil
        }
    }

    /// Restores the terminal for a program that must end or stop now, unless the terminal accepts no output.
    ///
    /// Signal handlers call this method too. It allocates nothing, and makes only system calls that POSIX allows in handlers.
    func pause() {
        // While the main actor draws, it holds the lock.
        for _ in 0..<(acceptsOutput(within: Self.patience) ? 1000 : 1) {
            let isPaused = state.withLockIfAvailable { state in
                if let use = state.use, !state.isPaused { stop(use, patience: Self.patience) }
                state.isPaused = true
                return true
            }
            if isPaused == true { return }
            poll(nil, 0, 1)
        }
        restoreSettings()
    }

    /// Continues the use; text that was typed at a prompt is lost.
    func resume() {
        state.withLock { state in
            state.isPaused = false
            guard let use = state.use else { return }
            try? start(use)
            if case .prompt(let text, _) = use { try? output.write(text) }
        }
    }

    /// Begins a use by sequences of xterm's `ctlseqs`: alternate screen (1049), bracketed paste (2004), clicks (1000) as SGR reports
    /// (1006), and no wrapping of long lines (7).
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

    /// Ends a use; waits for the terminal at most some milliseconds, or without a limit for a negative number.
    private func stop(_ use: Use, patience: Int32) {
        if use == .screen { leaveScreen(patience: patience) }
        restoreSettings()
    }

    private func leaveScreen(patience: Int32) {
        // The terminal may accept only a part of the output.
        let flags = fcntl(output.descriptor, F_GETFL)
        _ = fcntl(output.descriptor, F_SETFL, flags | O_NONBLOCK)
        Self.leaving.withUTF8Buffer { bytes in
            var written = 0
            while let start = bytes.baseAddress, written < bytes.count, acceptsOutput(within: patience) {
                let count = write(output.descriptor, start + written, bytes.count - written)
                if count < 0, errno != EAGAIN, errno != EINTR { break }
                written += max(0, count)
            }
        }
        _ = fcntl(output.descriptor, F_SETFL, flags)
    }

    private func acceptsOutput(within milliseconds: Int32) -> Bool {
        var request = pollfd(fd: output.descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, milliseconds) > 0
    }

    /// The milliseconds that a terminal has to accept output before the program ends or stops.
    private static let patience: Int32 = 20
    private static let leaving: StaticString =
        "\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?25h\u{1B}[?2004l\u{1B}[?1049l"

    /// Restores the settings, unless another program has the terminal.
    private func restoreSettings() {
        guard !JobControl.isInBackground(of: input) else { return }
        var settings = original
        tcsetattr(input, TCSANOW, &settings)
    }
}

/// The foreground of the terminal, which a shell gives to one job at a time.
///
/// The system stops a background job that reads from its terminal or changes its settings. On threads of Dispatch, which block
/// these signals, reading fails instead, and the settings change under the program that has the terminal.
enum JobControl {
    /// Whether another job or the shell has the terminal; false where the terminal does not control this program.
    static func isInBackground(of terminal: Int32) -> Bool {
        let foreground = tcgetpgrp(terminal)
        return foreground > 0 && foreground != getpgrp()
    }

    static func awaitForeground(of terminal: Int32) {
        while isInBackground(of: terminal) {
            // A signal that ends the program may have come together with SIGCONT.
            usleep(100_000)
            stopInBackground(of: terminal)
        }
    }

    /// Stops the program if another job or the shell has the terminal.
    ///
    /// Threads stop the program one after the other, and the signal is for the calling thread, which it stops at once: a signal that
    /// came later would stop the program after the shell gave it the terminal.
    static func stopInBackground(of terminal: Int32) {
        stopping.withLock { _ in
            guard isInBackground(of: terminal) else { return }
            var mask = sigset_t()
            sigemptyset(&mask)
            sigaddset(&mask, SIGTTOU)
            pthread_sigmask(SIG_UNBLOCK, &mask, nil)
            raise(SIGTTOU)
        }
    }

    private static let stopping = Mutex(())
}

/// Waits for bytes and reads them; in the background of a terminal, the program is stopped.
///
/// - Returns: At most 16 KB; no bytes at the end of the input, or when the input cannot be read.
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
        // A program that shares the descriptor made it non-blocking.
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&request, 1, -1)
    }
}

enum TerminalFailure: LocalizedError, Equatable {
    /// `run()` was called before the first screen was shown.
    case nothingToShow
    /// The terminal's settings could not be read or changed, with the system's `errno`.
    case settings(Int32)

    var errorDescription: String? {
        switch self {
        case .nothingToShow:
            "The terminal has nothing to show. Start the router with a route before the terminal runs."
        case .settings(let code):
            "The terminal cannot be set up: \(String(cString: strerror(code))). Redirect the input to use lines."
        }
    }
}
