import Foundation
import RouterServiceImplementation

do {
    exit(try await run(Arguments(Array(CommandLine.arguments.dropFirst()))))
} catch let error as ArgumentError {
    printError("App: \(error)\n\(Arguments.usage)")
    exit(64)
} catch {
    printError("App: \(error.localizedDescription)")
    exit(1)
}

/// Puts the App together and does what the arguments ask for.
@MainActor
func run(_ arguments: Arguments) async throws -> Int32 {
    let router = RouterService(modules: modules(backend: arguments.backend))
    guard arguments.isTraced else { return try await arguments.command.perform(with: router) }
    return try await Trace.of(router, print: printError) {
        try await arguments.command.perform(with: router)
    }
}

/// Prints lines on standard error; where nobody reads it, there is nobody to tell.
@MainActor
func printError(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8))
}
