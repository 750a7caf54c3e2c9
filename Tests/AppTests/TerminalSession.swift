import DisplayTesting
import Foundation
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The built App on a pseudo-terminal, typed at and looked at as by a user.
@MainActor
final class TerminalSession {
    let window: PseudoTerminal
    let app = Process()
    private let settings: [UInt8]

    /// The number of sessions that may still begin: as many at once as there are processors, so that none delays others.
    private static var free = ProcessInfo.processInfo.activeProcessorCount

    /// Prepares to start the App with arguments; in lines, as on a terminal that can do no more, or on the whole screen.
    init(_ arguments: [String] = [], columns: Int = 60, rows: Int = 20, inLines: Bool = false) throws {
        window = try PseudoTerminal(columns: columns, rows: rows)
        settings = window.settings
        let program = try BuiltProgram.app
        app.executableURL = program.path
        app.arguments = program.all(arguments)
        app.environment = BuiltProgram.variables(terminal: inLines ? "dumb" : "xterm-256color")
        app.standardInput = FileHandle(fileDescriptor: window.programSide)
        app.standardOutput = FileHandle(fileDescriptor: window.programSide)
    }

    /// Runs the App while a user does something that ends it, or is followed by a signal that must end it; checks that the
    /// terminal is as it was.
    ///
    /// - Returns: When the App ended.
    @discardableResult
    func run(
        endingBy ending: Int32? = nil, _ user: (PseudoTerminal) async throws -> Void
    ) async throws -> ContinuousClock.Instant {
        while Self.free == 0 { try await Task.sleep(for: .milliseconds(20)) }
        Self.free -= 1
        defer { Self.free += 1 }
        let (ends, ended) = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
        app.terminationHandler = { _ in
            ended.yield(.now)
            ended.finish()
        }
        // Another test may have made this process ignore signals just now, which the App would inherit.
        let handlers = [SIGINT, SIGTERM, SIGHUP].map { ($0, signal($0, SIG_DFL)) }
        try app.run()
        for (number, handler) in handlers { signal(number, handler) }
        do {
            try await user(window)
            if let ending { _ = kill(app.processIdentifier, ending) }
            if ending != SIGKILL {
                try await window.wait(for: "the old screen") { !$0.isAlternate && $0.showsCursor }
            }
        } catch {
            _ = kill(app.processIdentifier, SIGKILL)
            throw error
        }
        var end: ContinuousClock.Instant?
        for await instant in ends { end = instant }
        guard let end else {
            _ = kill(app.processIdentifier, SIGKILL)
            throw CancellationError()
        }
        #expect(app.terminationReason == (ending == nil ? .exit : .uncaughtSignal))
        #expect(app.terminationStatus == ending ?? 0)
        if ending == SIGKILL { return end }
        #expect(window.settings == settings)
        #expect(window.screen.unknown.isEmpty)
        return end
    }
}

extension PseudoTerminal {
    /// Waits for a row of a list, in columns or printed in a line.
    func wait(forRow title: String, _ detail: String) async throws {
        try await wait(for: "the row '\(title)' with '\(detail)'") { screen in
            screen.lines.contains { line in
                guard let start = line.range(of: title), let end = line.range(of: detail) else {
                    return false
                }
                return start.upperBound < end.lowerBound
                    && line[start.upperBound..<end.lowerBound].allSatisfy { " —".contains($0) }
            }
        }
    }

    /// Signs ann in from the first screen, as a user does, and chooses an entry there.
    func signIn(opening entry: String? = FirstScreen.profile) async throws {
        try await wait(for: " Home")
        type(FirstScreen.keys(choosing: FirstScreen.session))
        try await wait(for: "Home › Sign in")
        type("ann\tsecret\r")
        try await wait(forRow: "Sign out", "ann")
        if let entry { type(FirstScreen.keys(choosing: entry)) }
    }

    /// Signs ann in, and types the title of a new note without saving it.
    func typeTitleOfNewNote(_ title: String) async throws {
        try await signIn(opening: FirstScreen.notes)
        try await wait(for: "[ New note ]")
        type("\u{1B}[H\r")
        try await wait(for: "Notes › New note")
        type(title)
        try await wait(for: title)
    }
}

/// The built App on a terminal that nobody reads: drawing waits at some time, and the main actor with it.
final class UnreadTerminal {
    let app = Process()
    let programSide: Int32
    private let userSide: Int32

    /// Prepares to start the App with arguments.
    init(_ arguments: [String] = []) throws {
        var (user, program): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: 50, ws_col: 200, ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&user, &program, nil, nil, &size) == 0 else {
            throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO)
        }
        userSide = user
        programSide = program
        for side in [user, program] { _ = fcntl(side, F_SETFD, FD_CLOEXEC) }
        let built = try BuiltProgram.app
        app.executableURL = built.path
        app.arguments = built.all(arguments)
        app.environment = BuiltProgram.variables(terminal: "xterm-256color")
        app.standardInput = FileHandle(fileDescriptor: programSide)
        app.standardOutput = FileHandle(fileDescriptor: programSide)
    }

    deinit {
        if app.isRunning { _ = kill(app.processIdentifier, SIGKILL) }
        close(userSide)
        close(programSide)
    }

    func type(_ key: String) { _ = write(userSide, key, key.utf8.count) }

    /// Starts the App, and has it draw until the terminal takes no more.
    func start() async throws {
        try app.run()
        // Each Ctrl-L draws the whole screen.
        for _ in 0..<200 {
            type("\u{C}")
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
