import Foundation

let usage = """
    usage: DisplayBenchmark list
           DisplayBenchmark measure OPERATION KEYS
           DisplayBenchmark report RELEASE-RECORDS DEBUG-RECORDS
    `scripts/bench display` runs it and makes a table.
    """

do {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch (arguments.first, arguments.count) {
    case ("list", 1):
        Operation.all.forEach { print($0.name) }
    case ("measure", 3):
        guard let keys = Int(arguments[2]), keys > 0 else { throw UsageError(usage) }
        let samples = try Operation.named(arguments[1]).measure(keys: keys)
        print(String(decoding: try JSONEncoder().encode(samples), as: UTF8.self))
    case ("report", 3):
        let report = try Report(release: arguments[1], debug: arguments[2])
        print(report.text)
        exit(report.holds ? 0 : 1)
    case ("show", 2):
        // The process that `measure` starts, on a terminal of its own.
        try await Operation.named(arguments[1]).show()
    default:
        throw UsageError(usage)
    }
} catch {
    FileHandle.standardError.write(Data("error: \(error.localizedDescription)\n".utf8))
    exit(error is UsageError ? 64 : 1)
}

/// A command line that the program does not understand.
struct UsageError: LocalizedError {
    let errorDescription: String?

    init(_ description: String) { errorDescription = description }
}
