import Foundation
import RouterServiceProgram
import StorageInterface

/// The server inside the App, for other Apps of this computer.
struct Serve {
    /// The port, or 0 for a free one.
    let port: UInt16
    /// The path of a file with flags and rules, if there is one.
    let configuration: String?

    /// Serves until SIGTERM, or SIGINT of Ctrl-C.
    @MainActor
    func run(on router: any ProgramRouter) async throws {
        let (signals, signalled) = AsyncStream.makeStream(of: Void.self)
        let (registrations, registered) = AsyncStream.makeStream(of: Void.self)
        let sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { @Sendable in signalled.yield() }
            source.setRegistrationHandler { @Sendable in registered.yield() }
            source.activate()
            return source
        }
        defer { sources.forEach { $0.cancel() } }
        // A signal is lost until its source is registered.
        for await _ in registrations.prefix(sources.count) {}
        let stores = try router.resolve((any Storage.Stores).self)
        let reporting = Task {
            await stores.reportDamage {
                printError("App: \($0)")
                return true
            }
        }
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
        for await _ in signals { break }
    }
}
