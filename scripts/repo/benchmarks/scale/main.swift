import Foundation
import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram

// As in RouterBenchmark, the main thread serves a run loop, because Valgrind's tools crash in an asynchronous `main`.
Task {
    do {
        try await perform(CommandLine.arguments)
        exit(0)
    } catch {
        FileHandle.standardError.write(Data("error: \(error)\n".utf8))
        exit(1)
    }
}
RunLoop.main.run()

/// Performs one step, for a tool that counts instructions: `run open 100`.
@MainActor
func perform(_ arguments: [String]) async throws {
    guard arguments.count == 4, let repetitions = Int(arguments[3]) else { throw Unexpected("The arguments") }
    let step = arguments[2]
    if step == "nothing" { return }
    let presenter = TopmostPresenter()
    let router = RouterService(modules: modules + [Screens(presenter: presenter)])
    switch step {
    case "create": return
    case "validate":
        let problems = router.validate()
        if !problems.isEmpty { throw Unexpected("\(problems)") }
    case "start": try await router.start(with: first)
    case "open":
        try await router.start(with: first)
        for _ in 0..<repetitions {
            try await router.open(last)
            await presenter.goBack()
        }
    default: throw Unexpected(step)
    }
}

struct EmptyScreen: Screen {}

struct Unexpected: Error {
    let what: String
    init(_ what: String) { self.what = what }
}

struct Screens: Module {
    let presenter: TopmostPresenter

    func register(in registrar: Registrar) {
        registrar.register((any Presenter).self, lifetime: .singleton) { presenter }
    }
}
