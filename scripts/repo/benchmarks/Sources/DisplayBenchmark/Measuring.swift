import Foundation

/// The times of one operation, as RouterBenchmark writes them: one key for each batch.
struct Samples: Codable {
    let operation: String
    var repetitions = 1
    /// From a key to the end of the frame that it leads to, in the order in which they were pressed.
    let nanosecondsPerOperation: [Double]
}

extension Operation {
    /// Shows the screen in a process of its own, on a pseudo-terminal, and times keys there.
    ///
    /// The time is the user's wait: the key's way through the terminal, the parser and the content to the bytes of the
    /// frame, all of which have arrived then.
    func measure(keys count: Int) throws -> Samples {
        guard let ending else { return try measureFrames(keys: count) }
        let samples = try (0..<max(1, count / 10)).map { _ in try timeToEnd(by: ending) }
        return Samples(operation: name, nanosecondsPerOperation: samples)
    }

    /// The time until the terminal is restored.
    private func timeToEnd(by ending: Ending) throws -> Double {
        let terminal = try Terminal(columns: 80, rows: windowRows)
        let program = try start(on: terminal)
        defer { kill(program.processIdentifier, SIGKILL) }
        try terminal.waitForFrame()
        terminal.type(preparation)
        Thread.sleep(forTimeInterval: 0.2)
        let start = ContinuousClock.now
        switch ending {
        case .controlC: terminal.type("\u{3}")
        case .terminate: kill(program.processIdentifier, SIGTERM)
        }
        try terminal.wait(for: Terminal.end)
        return (ContinuousClock.now - start) / .nanoseconds(1)
    }

    private func start(on terminal: Terminal) throws -> Process {
        let program = Process()
        program.executableURL = Bundle.main.executableURL
        program.arguments = ["show", name]
        program.environment = ["TERM": "xterm-256color"]
        program.standardInput = FileHandle(fileDescriptor: terminal.programSide)
        program.standardOutput = FileHandle(fileDescriptor: terminal.programSide)
        try program.run()
        return program
    }

    private func measureFrames(keys count: Int) throws -> Samples {
        let terminal = try Terminal(columns: 80, rows: windowRows)
        let program = try start(on: terminal)
        defer { kill(program.processIdentifier, SIGKILL) }
        try terminal.waitForFrame()
        if !preparation.isEmpty {
            terminal.type(preparation)
            try terminal.waitForFrame()
        }
        var samples: [Double] = []
        // The first round of keys warms up.
        for number in 0..<(count + keys.count) {
            let step = keys[number % keys.count]
            if !step.before.isEmpty {
                terminal.type(step.before)
                Thread.sleep(forTimeInterval: 0.1)
            }
            // A user's keys come one by one, and not as soon as a frame is there.
            Thread.sleep(forTimeInterval: 0.002)
            let start = ContinuousClock.now
            terminal.type(step.timed)
            try terminal.waitForFrame()
            let time = ContinuousClock.now - start
            if number >= keys.count { samples.append(time / .nanoseconds(1)) }
            if !step.after.isEmpty {
                terminal.type(step.after)
                try terminal.waitForFrame()
            }
        }
        return Samples(operation: name, nanosecondsPerOperation: samples)
    }
}

/// A pseudo-terminal, of which a program has the other side.
private final class Terminal {
    let programSide: Int32
    private let userSide: Int32
    private var unread: [UInt8] = []

    /// The end of a frame: of synchronised output.
    private static let frameEnd = "\u{1B}[?2026l"
    /// The sequence that leaves the alternate screen.
    static let end = "\u{1B}[?1049l"

    init(columns: UInt16, rows: UInt16) throws {
        var (user, program): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&user, &program, nil, nil, &size) == 0 else {
            throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO)
        }
        (userSide, programSide) = (user, program)
        _ = fcntl(user, F_SETFD, FD_CLOEXEC)
    }

    func type(_ keys: String) {
        var rest = Array(keys.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(userSide, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads the program's output, up to the end of a frame.
    func waitForFrame() throws {
        try wait(for: Self.frameEnd)
    }

    /// Reads the program's output, up to a given end.
    func wait(for end: String) throws {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            var request = pollfd(fd: userSide, events: Int16(POLLIN), revents: 0)
            guard poll(&request, 1, 20_000) > 0 else { throw NoFrame() }
            let count = read(userSide, &buffer, buffer.count)
            guard count > 0 else { throw NoFrame() }
            unread += buffer.prefix(count)
            if unread.suffix(end.utf8.count).elementsEqual(end.utf8) {
                unread = []
                return
            }
        }
    }
}

private struct NoFrame: LocalizedError {
    var errorDescription: String? { "The program drew no frame within 20 seconds." }
}
