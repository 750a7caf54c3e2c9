import DisplayInterface
import FeatureFlagsInterface
import Foundation
import HomeInterface
import RouterServiceInterface
import RouterServiceProgram
import StorageInterface

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The screens that the App opens when it starts.
enum Launch {
    /// The first screen and nothing else.
    case firstScreen
    /// The destination of a URL, above the first screen.
    case url(URL)
    /// The destination of a URL, above the first screen; its output is printed when the App ends.
    case output(URL)
    /// The stack of a file, to which later stacks are saved.
    case stack(path: String)

    /// Runs the terminal until the user quits.
    ///
    /// Links and stacks are opened while the terminal runs, because the user may have to sign in first. Whether they
    /// can be read at all is checked before anything is shown.
    ///
    /// - Throws: The error that kept the App from running, or from saving its stack.
    @MainActor
    func run(on router: any ProgramRouter) async throws {
        switch self {
        case .firstScreen:
            try await show(on: router)
        case .url(let url):
            let link = try router.catalog.link(of: url)
            try await show(on: router) { try await router.open(link) }
        case .output(let url):
            let link = try router.catalog.link(of: url)
            guard link.route.hasEncodableOutput else {
                throw ArgumentError(
                    "--output needs a URL with an output that can be JSON, and \(TypeKey(type(of: link.route))) has none"
                )
            }
            var output: Data?
            try await show(on: router) { output = try await router.output(of: link) }
            guard let output else { throw UnusableInput(withoutOutput: url) }
            try printOutput(String(decoding: output, as: UTF8.self))
        case .stack(let path):
            let file = try StackFile(path: path)
            let stack = try file.read(with: router.catalog)
            try await show(on: router, keepingStackIn: file) {
                // A stack that is not shown, because the user does not sign in for it, stays in its file.
                if let stack { try await router.restore(stack) }
                file.keep(router)
            }
        }
    }

    /// Shows the first screen, and runs the terminal.
    @MainActor
    func show(
        on router: any ProgramRouter, keepingStackIn file: StackFile? = nil,
        performing action: Display.Action? = nil
    ) async throws {
        let trace = try router.resolve(RouterTrace.self)
        let folder = try router.resolve(Storage.Folder?.self)?.path
        var calls: CallSocket?
        do {
            calls = try folder.map(CallSocket.init)
        } catch let error where !(error is UnusableInput) {
            trace.show(["no calls from other programs are received: \(errorMessage(of: error))"])
        }
        defer { calls?.remove() }
        if let warning = folder.flatMap(CallSocket.warning) {
            trace.show([warning])
            printError("App: \(warning)")
        }
        let stores = try router.resolve((any Storage.Stores).self)
        // Above whichever screen is shown.
        let asking = Task { [weak router] in
            await stores.reportDamage {
                let dialog = try? router?.resolve((any Display.Dialog).self)
                return await dialog?.confirm("\($0) Stop reporting this?") ?? false
            }
        }
        try await router.start(tracedBy: trace, print: printError)
        calls?.serve { Call.receive(from: $0) { await router.answer($0, unless: $1) } }
        let fetching = Task { await router.broadcast(FeatureFlags.Outdated()) }
        try await router.resolve((any Display.Terminal).self).run(performing: action)
        // The cancelled actions remove the screens for whose results they wait, so the stack is saved without suspending.
        let saving = Result { try file?.finish(router) }
        try await router.resolve(Display.Ending.self).storeForUser()
        fetching.cancel()
        // The last answer is saved before the App ends.
        asking.cancel()
        await asking.value
        try saving.get()
    }
}

extension Storage.Stores {
    /// Reports data that cannot be read, each report once, until these stores end; what is not confirmed is reported again in
    /// the next run.
    @MainActor
    func reportDamage(confirmedBy confirm: (String) async -> Bool) async {
        for await damage in damage where await confirm(damage.report) { damage.confirm() }
    }
}

extension Display.Ending {
    /// Stores everything before the program ends; asks the user for patience where that takes long, and what to do where it
    /// fails.
    ///
    /// The terminal is restored, so that another Ctrl-C ends the program.
    fileprivate func storeForUser() async {
        let patience = Task {
            try await Task.sleep(for: .milliseconds(300))
            printError("App: Storing… Press Ctrl-C to quit at once.")
        }
        let errors = await withCheckedContinuation { stored in
            Thread.detachNewThread { [self] in stored.resume(returning: store()) }
        }
        patience.cancel()
        for error in errors { printError("App: \(errorMessage(of: error))") }
        guard !errors.isEmpty, isatty(STDIN_FILENO) == 1 else { return }
        printError("App: Press Enter to try again, or Ctrl-C to quit and lose what you typed.")
        let triesAgain = await withCheckedContinuation { answered in
            Thread.detachNewThread { answered.resume(returning: readLine() != nil) }
        }
        if triesAgain { await storeForUser() }
    }
}

extension Route {
    /// Whether the output of the destination can be written as JSON.
    fileprivate var hasEncodableOutput: Bool { Output.self is any Encodable.Type }
}

extension ProgramRouter {
    /// Shows the first screen, and prints the other problems of the graph: what a release build meets when a user opens the
    /// route.
    ///
    /// - Throws: The problem that keeps the first screen from being shown.
    func start(tracedBy trace: RouterTrace, print: (String) -> Void) async throws {
        #if DEBUG
            let problems = validate().filter { !$0.isWarning }.map { "\($0)" }
        #else
            let problems: [String] = []
        #endif
        trace.show(problems)
        trace.observe(self)
        try await start(with: Home.Overview())
        for problem in problems { print("App: \(problem)") }
    }
}

#if LIVE
    extension Launch {
        /// Runs the terminal as ``run(on:)`` does, and again after a restart by scripts/live.
        @MainActor
        func runLive(on router: any ProgramRouter) async throws {
            try await router.runLive { restore in
                guard let restore else { return try await run(on: router) }
                // The restored stack takes the place of the file's, and is saved there.
                var file: StackFile?
                if case .stack(let path) = self { file = try StackFile(path: path) }
                try await show(on: router, keepingStackIn: file) {
                    try await restore()
                    file?.keep(router)
                }
            }
        }
    }
#endif
