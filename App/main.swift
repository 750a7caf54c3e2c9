import DisplayInterface
import FeatureFlagsInterface
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

/// Composes the App and performs the task of the arguments.
///
/// - Returns: The exit status.
@MainActor
func run(_ arguments: Arguments) async throws -> Int32 {
    let router = makeRouter(
        backend: arguments.backend, dataPath: arguments.dataPath, flags: arguments.flags)
    try check(arguments.flags, declaredIn: router)
    guard let path = arguments.tracePath else { return try await perform(arguments.command, with: router) }
    let file = try TraceFile(path: path, besides: arguments.stackPath)
    return try await Trace.of(router, print: file.write) {
        try await perform(arguments.command, with: router)
    }
}

/// Rejects a flag that no module declares, and a value that it cannot have.
@MainActor
private func check(_ flags: [FeatureFlags.Override], declaredIn router: any ProgramRouter) throws {
    let declared = flags.isEmpty ? [] : try router.resolve([any FeatureFlags.AnyFlag].self)
    for override in flags {
        guard let flag = declared.first(where: { $0.name == override.name }) else {
            let names = declared.map(\.name).sorted().joined(separator: ", ")
            throw ArgumentError("--flag knows no '\(shortened(override.name))', but \(names)")
        }
        guard override.values.contains(where: flag.accepts) else {
            throw ArgumentError(
                "the flag \(flag.name) is 'true' or 'false', not '\(shortened(override.text))'")
        }
    }
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
        try printOutput(asJSON ? try jsonText(routes) : Table(routes).text)
    case .listServices(let asJSON):
        let services = router.services.map(ListedService.init).sorted { $0.service < $1.service }
        try printOutput(asJSON ? try jsonText(services) : Table(services).text)
    case .send(let call, let folder): return try call.send(toTheAppWith: folder)
    case .serve(let server): try await server.run(on: router)
    case .run(let launch):
        #if LIVE
            try await launch.runLive(on: router)
        #else
            try await launch.run(on: router)
        #endif
    }
    return 0
}

/// Opens the standard descriptors that the program was started without, before a file gets the number of one of them.
///
/// They are opened the wrong way round, so that their use remains the error that it was.
func openStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
        _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
}

/// Prints lines on standard output.
///
/// - Throws: `Display.OutputFailure` when they do not arrive there.
func printOutput(_ text: String) throws {
    try printLines(text, on: STDOUT_FILENO)
}

/// Prints lines on standard error; they are lost if it is closed.
func printError(_ text: String) {
    try? printLines(text, on: STDERR_FILENO)
}

/// Prints lines without characters that a terminal would obey: everything that the App prints is printed here.
private func printLines(_ text: String, on descriptor: Int32) throws {
    let lines = Display.PlainText.lines(text).map { "\($0)\n" }
    try Display.Output(descriptor: descriptor).write(lines.joined())
}
