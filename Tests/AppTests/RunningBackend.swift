import Foundation

/// `scripts/backend` on a free port of this machine, for as long as a test needs it.
struct RunningBackend: ~Copyable {
    let address: String
    private let process: Process

    init() throws {
        let (process, output) = (Process(), Pipe())
        process.executableURL = BuiltProgram.checkout("scripts/backend").path
        process.arguments = ["--port", "0"]
        process.standardOutput = output
        try process.run()
        self.process = process
        // The first line is `Listening on http://127.0.0.1:PORT`; the process stays the writer, so this is no end.
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        address = String(
            line.trimmingCharacters(in: .whitespacesAndNewlines).split(separator: " ").last ?? "")
    }

    /// Stops the backend, as a test does that shows what happens when it is down.
    func stop() {
        _ = kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    deinit {
        stop()
    }
}
