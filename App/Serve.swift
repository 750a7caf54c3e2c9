import Foundation
import RouterServiceProgram
import StorageInterface

/// The server inside the App, for other Apps of this computer.
struct Serve {
    /// The port, or 0 for a free one.
    let port: UInt16
    /// The path of a file with flags and rules, if there is one.
    let configuration: String?

    /// Serves until a signal ends the program, which loses nothing: a write is stored before its response is sent.
    @MainActor
    func run(on router: any ProgramRouter) async throws {
        let stores = try router.resolve((any Storage.Stores).self)
        let reporting = Task { for await report in stores.damage { printError("App: \(report)") } }
        defer { reporting.cancel() }
        do {
            let port = try await serve(on: port, with: stores, configuration: configuration)
            try printOutput("Listening on http://127.0.0.1:\(port)")
        } catch let error as POSIXError {
            let reason = String(cString: strerror(error.code.rawValue))
            throw UnusableInput(
                "Port \(port) cannot be used: \(reason). Choose another with --serve PORT, or 0 for a free one."
            )
        }
        while true { try await Task.sleep(for: .seconds(3600)) }
    }
}
