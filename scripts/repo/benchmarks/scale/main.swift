import DisplayInterface
import Foundation
import HomeImplementation
import HomeInterface
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
    if step == "home" { return try await openEachEntryOfHome() }
    let presenter = TopmostPresenter()
    let router = RouterService(modules: modules + [Screens(presenter: presenter)])
    switch step {
    case "create": return
    case "validate":
        // Without Home, nothing uses the entries of the modules, which is a warning.
        let problems = router.validate().filter { !$0.isWarning }
        if !problems.isEmpty { throw Unexpected("\(problems)") }
    case "start": try await router.start(with: first)
    case "open":
        try await router.start(with: first)
        for _ in 0..<repetitions {
            try await router.open(last)
            await presenter.goBack()
        }
    case "replace":
        try await router.start(with: first)
        try await router.open(last)
        for _ in 0..<repetitions { try await router.replace(Array(modules.suffix(1))) }
    case "restore":
        try await router.start(with: first)
        let entries = [AnyRoute(first), AnyRoute(last)].map { RouterSnapshot.Entry(route: $0, style: .push) }
        for _ in 0..<repetitions { try await router.restore(RouterSnapshot(entries: entries)) }
    default: throw Unexpected(step)
    }
}

/// Checks that the first screen has an entry of each module, in an order that is not that of the modules, and opens all.
@MainActor
func openEachEntryOfHome() async throws {
    let presenter = LastScreenPresenter()
    let router = RouterService(modules: modules.reversed() + [HomeModule(), Screens(presenter: presenter)])
    try await router.start(with: Home.Overview())
    guard let home = presenter.screen as? Display.ContentScreen else { throw Unexpected("The first screen") }
    let rows = home.content().elements.compactMap { if case .row(let row) = $0 { row } else { nil } }
    guard rows.map(\.title) == modules.indices.map({ "Module \($0)" }).sorted() else {
        throw Unexpected("\(rows.map(\.title))")
    }
    for row in rows {
        try await row.action()
        guard presenter.screen is EmptyScreen else { throw Unexpected(row.title) }
    }
}

/// A presenter that keeps the last screen.
@MainActor
final class LastScreenPresenter: Presenter {
    private(set) var screen: (any Screen)?

    func show(_ screen: any Screen, as presentation: Presentation) throws { self.screen = screen }

    func remove(_ presentations: [Presentation.ID]) {}

    func replace(_ screens: [Presentation.ID: (screen: any Screen, presentation: Presentation)]) throws {}
}

struct EmptyScreen: Screen {}

struct Unexpected: Error {
    let what: String
    init(_ what: String) { self.what = what }
}

struct Screens: Module {
    let presenter: any Presenter

    func register(in registrar: Registrar) {
        registrar.register((any Presenter).self, lifetime: .singleton) { presenter }
    }
}
