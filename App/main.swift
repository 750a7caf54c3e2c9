import Foundation
import RouterServiceInterface

do {
    exit(try await run(Arguments(Array(CommandLine.arguments.dropFirst()))))
} catch let error as ArgumentError {
    printError("App: \(error)\n\(Arguments.usage)")
    exit(64)
} catch {
    printError("App: \(error.localizedDescription)")
    exit(1)
}

/// Composes the App and does what the arguments ask for.
///
/// - Returns: The exit status.
@MainActor
func run(_ arguments: Arguments) async throws -> Int32 {
    let router = makeRouter(backend: arguments.backend)
    guard arguments.isTraced else { return try await perform(arguments.command, with: router) }
    return try await Trace.of(router, print: printError) {
        try await perform(arguments.command, with: router)
    }
}

@MainActor
func perform(_ command: Arguments.Command, with router: any RunningRouter) async throws -> Int32 {
    switch command {
    case .help:
        print(Arguments.usage)
    case .check:
        let report = CheckReport(router)
        print(report.text)
        return report.status
    case .listRoutes(let asJSON):
        let routes = router.routes.map(ListedRoute.init)
        print(asJSON ? try jsonText(routes) : Table(routes).text)
    case .listServices(let asJSON):
        let services = router.services.map(ListedService.init)
        print(asJSON ? try jsonText(services) : Table(services).text)
    case .run(let launch):
        try await launch.run(on: router)
    }
    return 0
}

/// Prints lines on standard error; where it is closed, they are lost.
@MainActor
func printError(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8))
}
