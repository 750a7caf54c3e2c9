import Foundation

// The main thread serves its queue in a run loop. An asynchronous `main` would leave that to Dispatch, which ends the
// main thread as soon as a task waits, and Valgrind's tools crash there.
Task {
    do {
        try await perform(Command(Array(CommandLine.arguments.dropFirst())))
        exit(0)
    } catch {
        FileHandle.standardError.write(Data("error: \(error.localizedDescription)\n".utf8))
        exit(error is UsageError ? 64 : 1)
    }
}
RunLoop.main.run()

@MainActor
func perform(_ command: Command?) async throws {
    switch command {
    case .list:
        Operation.all.forEach { print($0.name) }
    case .measure(let name, let batches, let milliseconds):
        let operation = try operation(named: name)
        try write(await Batches(of: operation, count: batches, length: .milliseconds(milliseconds)))
    case .run(let name, let repetitions):
        let run = try await operation(named: name).prepare()
        keep(try await run(repetitions))
    case nil:
        throw UsageError.arguments
    }
}

/// A command line that the program does not understand.
enum UsageError: LocalizedError {
    case arguments
    case operation(String)

    var errorDescription: String? {
        switch self {
        case .arguments: Command.usage
        case .operation(let name): "No operation is called '\(name)'. 'RouterBenchmark list' names them."
        }
    }
}

@MainActor
func operation(named name: String) throws -> Operation {
    guard let operation = Operation.named(name) else { throw UsageError.operation(name) }
    return operation
}

func write(_ batches: Batches) throws {
    print(String(decoding: try JSONEncoder().encode(batches), as: UTF8.self))
}
