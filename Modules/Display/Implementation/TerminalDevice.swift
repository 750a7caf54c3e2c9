#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A terminal's settings and size, and the way back to how it was found.
struct TerminalDevice: Sendable {
    /// Columns and rows of text.
    struct Size: Equatable, Sendable {
        var columns: Int
        var rows: Int
    }

    let input: Int32
    let output: DescriptorOutput
    private let original: termios

    /// Remembers how the terminal is set up now.
    ///
    /// - Throws: ``TerminalFailure/settings(_:)`` when the input is not a terminal.
    init(input: Int32, output: Int32) throws(TerminalFailure) {
        var settings = termios()
        guard tcgetattr(input, &settings) == 0 else { throw .settings(errno) }
        original = settings
        self.input = input
        self.output = DescriptorOutput(descriptor: output)
    }

    /// The size now; 80 columns and 24 rows when the terminal does not know.
    var size: Size {
        var window = winsize()
        guard ioctl(output.descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
        else {
            return Size(columns: 80, rows: 24)
        }
        return Size(columns: Int(window.ws_col), rows: Int(window.ws_row))
    }

    /// Takes the whole screen and every key.
    ///
    /// The sequences are those of xterm's `ctlseqs`: alternate screen (1049), bracketed paste (2004).
    func enter() throws(TerminalFailure) {
        var raw = original
        cfmakeraw(&raw)
        guard tcsetattr(input, TCSANOW, &raw) == 0 else { throw .settings(errno) }
        try output.write("\u{1B}[?1049h\u{1B}[?2004h\u{1B}[?25l")
    }

    /// Gives the screen back as it was found; to be called once or often.
    func leave() {
        // A terminal that is gone needs no restoring, so there is nobody to tell of a failure.
        try? output.write("\u{1B}[?2026l\u{1B}[0m\u{1B}[?25h\u{1B}[?2004l\u{1B}[?1049l")
        restoreSettings()
    }

    /// Stops showing what is typed.
    func hideInput() {
        var hidden = original
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(input, TCSANOW, &hidden)
    }

    /// Shows what is typed again.
    func restoreSettings() {
        var settings = original
        tcsetattr(input, TCSANOW, &settings)
    }
}
