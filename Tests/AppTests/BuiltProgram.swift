import Foundation
import Testing

/// The output and the exit status of a program.
struct ProgramResult {
    let output: String
    let errors: String
    let status: Int32
}

/// A program that tests run from outside, as a user does.
struct BuiltProgram {
    let path: URL
    /// The arguments unless a test names a folder for data: tests run at once, and not on the user's own notes.
    var usualArguments: [String] = []

    /// The App that `swift build` put beside the tests.
    static var app: BuiltProgram {
        get throws {
            let arguments = CommandLine.arguments.map { URL(filePath: $0) }
            let tests = arguments.first { $0.path.contains(".xctest") }
            guard var folder = tests else { throw MissingProgram(arguments: CommandLine.arguments) }
            while folder.path.contains(".xctest") { folder.deleteLastPathComponent() }
            return BuiltProgram(path: folder.appending(component: "App"), usualArguments: ["--ephemeral"])
        }
    }

    /// The only variables of a program on a terminal: its kind, and what the thread sanitizer needs for its reports.
    static func variables(terminal: String) -> [String: String] {
        ProcessInfo.processInfo.environment.filter { ["PATH", "TSAN_OPTIONS"].contains($0.key) }
            .merging(["TERM": terminal]) { $1 }
    }

    /// A file of the checkout, named from its top.
    static func checkout(_ path: String) -> BuiltProgram {
        let top = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return BuiltProgram(path: top.appending(path: path))
    }

    /// Programs are awaited here, as many at once as there are processors: the threads that all tests share must not
    /// wait for anything, or tests that count seconds stand still meanwhile.
    private static let queue: OperationQueue = {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = ProcessInfo.processInfo.activeProcessorCount
        return queue
    }()

    /// Runs the program to its end with lines of input, and stops it after half a minute.
    func run(_ arguments: [String] = [], input: [String] = []) async throws -> ProgramResult {
        try await withCheckedThrowingContinuation { continuation in
            Self.queue.addOperation {
                continuation.resume(with: Result { try wait(arguments, input: input) })
            }
        }
    }

    /// Runs the program as `run` does, expects it to succeed without a word on standard error, and leaves days out of what it
    /// printed.
    func transcript(
        _ arguments: [String], input: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let result = try await run(arguments, input: input)
        #expect(result.errors.isEmpty, sourceLocation: sourceLocation)
        #expect(result.status == 0, sourceLocation: sourceLocation)
        return result.output.replacing(/\d{4}-\d\d-\d\d/, with: "DAY")
    }

    /// The arguments of a run, with the usual ones.
    func all(_ arguments: [String]) -> [String] {
        arguments.contains("--data") ? arguments : usualArguments + arguments
    }

    private func wait(_ arguments: [String], input: [String]) throws -> ProgramResult {
        let (process, standardInput, output, errors) = (Process(), Pipe(), Pipe(), Pipe())
        process.executableURL = path
        process.arguments = all(arguments)
        process.standardInput = standardInput
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let watchdog = DispatchWorkItem { _ = kill(process.processIdentifier, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 120, execute: watchdog)
        defer { watchdog.cancel() }
        // A few lines fit into the pipe's buffer, so that neither side waits for the other.
        // A program that ends before it reads them closes it.
        try? standardInput.fileHandleForWriting.write(contentsOf: Data(input.map { $0 + "\n" }.joined().utf8))
        try standardInput.fileHandleForWriting.close()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        let complaints = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return ProgramResult(
            output: String(decoding: printed, as: UTF8.self),
            errors: String(decoding: complaints, as: UTF8.self),
            status: process.terminationStatus)
    }
}

private struct MissingProgram: Error {
    let arguments: [String]
}

/// A folder for data, which is removed when it is released.
final class DataFolder: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(component: "\(UUID())").path

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
