import Foundation

/// `scripts/backend`, run as a program.
enum BackendProcess {
    /// Starts the script on a free port, lets `body` use it, and stops it, also when `body` throws.
    ///
    /// - Returns: The status with which the script ended after SIGTERM.
    @discardableResult
    static func run(_ arguments: [String] = [], body: (URL) async throws -> Void) async throws -> Int32 {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
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
            let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            let address = line.wholeMatch(of: /Listening on (http:\/\/127\.0\.0\.1:\d+)\n/).map {
                String($0.1)
            }
            guard let url = address.flatMap({ URL(string: $0) }) else { throw UnexpectedOutput(text: line) }
            result = .success(try await body(url))
        } catch {
            result = .failure(error)
        }
        process.terminate()
        let status = await ends.first { _ in true } ?? -1
        try result.get()
        return status
    }

    private struct UnexpectedOutput: Error {
        let text: String
    }
}
