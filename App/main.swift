import Foundation
import RouterServiceImplementation

do {
    let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
    let router = RouterService(modules: modules(backend: arguments.backend))
    exit(try await arguments.command.perform(with: router))
} catch let error as ArgumentError {
    printError("App: \(error)\n\(Arguments.usage)")
    exit(64)
} catch {
    printError("App: \(error.localizedDescription)")
    exit(1)
}

func printError(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
}
