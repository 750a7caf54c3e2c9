import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A terminal without a window: a program runs on one side, a test types and reads on the other side.
@MainActor
public final class PseudoTerminal {
    /// The descriptor of the tested program's input and output.
    public let programSide: Int32
    public private(set) var screen: EmulatedScreen

    private let userSide: Int32
    /// The screens since the last look of a wait: a notice may be gone at the next look.
    private var unseen: [EmulatedScreen]?

    public struct Timeout: Error, CustomStringConvertible {
        /// The expected content, the time limit, and the final screen.
        public let description: String
    }

    public init(columns: Int = 80, rows: Int = 24) throws {
        var userSide: Int32 = -1
        var programSide: Int32 = -1
        guard openpty(&userSide, &programSide, nil, nil, nil) == 0 else {
            throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO)
        }
        self.userSide = userSide
        self.programSide = programSide
        screen = EmulatedScreen(columns: columns, rows: rows)
        // A started program must not inherit the sides and keep them open.
        _ = fcntl(userSide, F_SETFD, FD_CLOEXEC)
        _ = fcntl(programSide, F_SETFD, FD_CLOEXEC)
        resize(columns: columns, rows: rows)
        readOutput()
    }

    deinit {
        // The reader of the other side closes that.
        close(programSide)
    }

    /// The terminal's settings, to compare before and after: modes and control characters.
    public var settings: [UInt8] {
        var settings = termios()
        guard tcgetattr(programSide, &settings) == 0 else { return [] }
        return withUnsafeBytes(of: settings) { Array($0) }
    }

    /// Types keys, given as the bytes that a keyboard sends: `"\r"` for Enter, `"\u{1B}[A"` for the up arrow.
    public func type(_ keys: String) {
        let bytes = Array(keys.utf8)
        _ = write(userSide, bytes, bytes.count)
    }

    /// Resizes the window; a program that is not attached to it must be sent SIGWINCH too.
    public func resize(columns: Int, rows: Int) {
        var size = winsize()
        size.ws_col = UInt16(clamping: columns)
        size.ws_row = UInt16(clamping: rows)
        _ = ioctl(userSide, UInt(TIOCSWINSZ), &size)
        screen.resize(columns: columns, rows: rows)
    }

    /// Waits until the screen shows the content that a test expects, if only for a moment.
    public func wait(
        for what: String, within limit: Duration = .seconds(60), until isShown: (EmulatedScreen) -> Bool
    ) async throws {
        // Attempts are counted, not seconds: other tests may keep the main actor.
        let pause = Duration.milliseconds(5)
        defer { unseen = nil }
        for attempt in 0...max(1, Int(limit / pause)) {
            let drawn = unseen ?? []
            // A look takes time. What a test expects besides the screen may change without a drawing.
            if !drawn.isEmpty || attempt % 20 == 0 {
                if (drawn.isEmpty ? [screen] : drawn).contains(where: isShown) { return }
                unseen = []
            }
            try await Task.sleep(for: pause)
        }
        throw Timeout(description: "Waited \(limit) for \(what). The screen shows:\n\(screen.text)")
    }

    public func wait(for text: String, within limit: Duration = .seconds(60)) async throws {
        try await wait(for: "'\(text)'", within: limit) { $0.text.contains(text) }
    }

    private func draw(_ bytes: [UInt8]) {
        screen.draw(bytes)
        unseen?.append(screen)
    }

    private func readOutput() {
        let output = chunks(of: userSide)
        Task { [weak self] in
            for await bytes in output { self?.draw(bytes) }
        }
    }
}

/// Reads on a thread of its own, because a program in this process must not wait for its test.
///
/// On Linux, many dispatch sources that come and go may end the program (swift-corelibs-libdispatch, issue 949).
private func chunks(of descriptor: Int32) -> AsyncStream<[UInt8]> {
    let (output, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    Thread.detachNewThread {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count > 0 {
                continuation.yield(Array(buffer.prefix(count)))
            } else if count == 0 || errno != EINTR {
                break
            }
        }
        continuation.finish()
        close(descriptor)
    }
    return output
}
