public import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The `scripts/backend` of this checkout, run as a program.
public enum BackendProcess {
    /// Starts the script on a free port, lets `body` use it, and stops it, also when `body` throws.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of the script besides the port.
    ///   - isolation: The actor of the caller, on which the body runs.
    ///   - body: Uses the server at the address that it is given.
    /// - Returns: The status with which the script ended after SIGTERM, or was killed after 10 s.
    /// - Throws: The error of `body`, or one that shows the output of the script instead of its address.
    @discardableResult
    public static func run(
        _ arguments: [String] = [], isolation: isolated (any Actor)? = #isolation,
        body: (URL) async throws -> Void
    ) async throws -> Int32 {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let process = Process()
        process.executableURL = root.appending(path: "scripts/backend")
        process.arguments = ["--port", "0"] + arguments
        let output = Pipe()
        process.standardOutput = output
        let (ends, ended) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = {
            ended.yield($0.terminationStatus)
            ended.finish()
        }
        try process.run()
        let result: Result<Void, any Error>
        do {
            let line = Self.line(from: output.fileHandleForReading)
            let address = line.wholeMatch(of: /Listening on (http:\/\/127\.0\.0\.1:\d+)\n/).map {
                String($0.1)
            }
            guard let url = address.flatMap({ URL(string: $0) }) else { throw UnexpectedOutput(text: line) }
            result = .success(try await body(url))
        } catch {
            result = .failure(error)
        }
        process.terminate()
        let identifier = process.processIdentifier
        let patience = Task {
            try await Task.sleep(for: .seconds(10))
            kill(identifier, SIGKILL)
        }
        let status = await ends.first { _ in true } ?? -1
        patience.cancel()
        try result.get()
        return status
    }

    /// The output up to the end of its first line, which may come in pieces.
    private static func line(from output: FileHandle) -> String {
        var data = Data()
        while data.last != UInt8(ascii: "\n") {
            let piece = output.availableData
            guard !piece.isEmpty else { break }
            data += piece
        }
        return String(decoding: data, as: UTF8.self)
    }

    private struct UnexpectedOutput: Error {
        let text: String
    }
}
