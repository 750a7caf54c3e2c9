import DisplayInterface
import Foundation
import RouterServiceInterface
import RouterServiceProgram

openStandardDescriptors()
do {
    exit(try await run(Arguments(Array(CommandLine.arguments.dropFirst()))))
} catch {
    printError("App: \(errorMessage(of: error))")
    exit(exitStatus(of: error))
}

/// - Returns: The exit status.
@MainActor
func run(_ arguments: Arguments) async throws -> Int32 {
    let router = makeRouter(backend: arguments.backend, dataPath: arguments.dataPath)
    guard let path = arguments.tracePath else { return try await perform(arguments.command, with: router) }
    let file = try TraceFile(path: path, besides: arguments.stackPath)
    let status = try await Trace.of(router, print: file.write) {
        try await perform(arguments.command, with: router)
    }
    try file.finish()
    return status
}

@MainActor
func perform(_ command: Arguments.Command, with router: any ProgramRouter) async throws -> Int32 {
    switch command {
    case .help:
        try printOutput(Arguments.usage)
    case .check:
        let report = CheckReport(router)
        try printOutput(report.text)
        return report.status
    case .listRoutes(let asJSON):
        let routes = router.routes.map {
            ListedRoute($0, decidedBy: router.interceptors(of: $0.type))
        }
        try printOutput(asJSON ? try jsonText(routes) : table(of: routes))
    case .send(let call, let folder): return try call.send(toTheAppWith: folder)
    case .serve(let serve): try await serve.run(on: router)
    case .run(let launch): try await launch.run(on: router)
    }
    return 0
}

/// Opens the standard descriptors that the program was started without, so that no other file gets their numbers.
///
/// The descriptors are opened the wrong way round, so that using them remains an error.
func openStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
        _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
}

/// Prints lines on standard output.
///
/// - Throws: `Display.OutputFailure` when the lines cannot be written.
func printOutput(_ text: String) throws {
    try printLines(text, on: STDOUT_FILENO)
}

/// Prints lines on standard error, if it is open.
func printError(_ text: String) {
    try? printLines(text, on: STDERR_FILENO)
}

/// Prints lines without characters that a terminal would obey.
private func printLines(_ text: String, on descriptor: Int32) throws {
    let lines = Display.PlainText.lines(text).map { "\($0)\n" }
    try Display.Output(descriptor: descriptor).write(lines.joined())
}
