import Foundation

/// The built App as a server for other Apps.
enum ServerProcess {
    /// Starts the server on a free port, lets `body` use it, and stops it, also when `body` throws.
    ///
    /// - Parameters:
    ///   - arguments: The arguments besides the port; without a folder, data are in a temporary one.
    ///   - errors: The file for what it prints on standard error.
    ///   - isolation: The actor of the caller, on which the body runs.
    ///   - body: Uses the server at the address that it is given.
    /// - Throws: The error of `body`, or one that shows the output of the server instead of its address.
    static func run(
        _ arguments: [String] = [], errors: FileHandle = .standardError,
        isolation: isolated (any Actor)? = #isolation, body: (URL) async throws -> Void
    ) async throws {
        let (process, output, program) = (Process(), Pipe(), try BuiltProgram.app)
        process.executableURL = program.path
        let data = DataFolder()
        defer { withExtendedLifetime(data) {} }
        let folder = arguments.contains("--data") ? [] : ["--data", data.path]
        process.arguments = ["--serve", "0"] + folder + arguments
        process.standardOutput = output
        process.standardError = errors
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in ended.finish() }
        try process.run()
        let watchdog = try watchdog(of: process.processIdentifier)
        let result: Result<Void, any Error>
        do {
            let line = await firstLine(of: output.fileHandleForReading)
            let address = line.wholeMatch(of: /Listening on (http:\/\/127\.0\.0\.1:\d+)\n/).map {
                String($0.1)
            }
            guard let url = address.flatMap({ URL(string: $0) }) else { throw UnexpectedOutput(text: line) }
            result = .success(try await body(url))
        } catch {
            result = .failure(error)
        }
        kill(watchdog.processIdentifier, SIGKILL)
        // The server may have inherited that it ignores other signals.
        kill(process.processIdentifier, SIGKILL)
        for await _ in ends {}
        try result.get()
    }

    /// A process that ends the server when the tests end before it, because they crashed or were stopped: it reads a pipe
    /// whose other end only the tests have.
    private static func watchdog(of server: Int32) throws -> Process {
        let (watchdog, tests) = (Process(), Pipe())
        _ = fcntl(tests.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        watchdog.executableURL = URL(filePath: "/bin/sh")
        watchdog.arguments = ["-c", "read _; kill -9 \(server)"]
        watchdog.standardInput = tests
        try watchdog.run()
        return watchdog
    }

    /// The output up to the end of its first line, which may come in pieces; not read on the threads that all tasks share.
    private static func firstLine(of output: FileHandle) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var data = Data()
                while data.last != UInt8(ascii: "\n") {
                    let piece = output.availableData
                    guard !piece.isEmpty else { break }
                    data += piece
                }
                continuation.resume(returning: String(decoding: data, as: UTF8.self))
            }
        }
    }

    private struct UnexpectedOutput: Error {
        let text: String
    }
}
