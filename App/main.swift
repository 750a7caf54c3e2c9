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
    let temporary = arguments.isEphemeral ? arguments.dataPath : nil
    let removeData: @Sendable () -> Void = {
        if let temporary { try? FileManager.default.removeItem(atPath: temporary) }
    }
    defer { removeData() }
    try checkDescriptorLimit()
    let router = makeRouter(backend: arguments.backend, dataPath: arguments.dataPath)
    try router.resolve(Display.Ending.self).doLast(removeData)
    switch arguments.command {
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
    case .send(let url, let folder): return try Call.send(url, toTheAppWith: folder)
    case .serve(let serve): try await serve.run(on: router)
    case .run(let launch, let isTraced):
        if isTraced {
            try router.resolve(RouterTrace.self).print = { printError(Display.PlainText.line($0)) }
        }
        try await launch.run(on: router)
    }
    return 0
}

/// Requires as many descriptors as the App and the libraries of the system open, which end a program that has fewer.
private func checkDescriptorLimit() throws {
    let (limit, needed) = (sysconf(Int32(_SC_OPEN_MAX)), 128)
    guard (0..<needed).contains(limit) else { return }
    throw UnusableInput(
        "The App needs up to \(needed) open files, and the system lets it open \(limit). "
            + "Raise the limit with 'ulimit -n \(needed)'.")
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
