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

/// A run of the terminal, from the first screen until everything is stored.
@MainActor
struct AppRun {
    let router: any ProgramRouter
    /// The file in which the stack of screens is kept, if one is.
    let file: StackFile?

    /// Runs the terminal until the user quits; the action opens screens above the first screen.
    func run(performing action: Display.Action?) async throws {
        let trace = try router.resolve(RouterTrace.self)
        let tracing = trace.observe(router)
        let result = await Task { try await run(performing: action, reportingTo: trace) }.result
        tracing.cancel()
        await tracing.value
        try result.get()
    }

    private func run(performing action: Display.Action?, reportingTo trace: RouterTrace) async throws {
        let calls = try receiveCalls(reportingTo: trace)
        defer { calls?.remove() }
        let reporting = try reportDamage(to: trace)
        try await router.start(reportingTo: trace, print: printError)
        calls?.serve { Call.receive(from: $0) { await router.respond(to: $0, beginning: $1) } }
        let fetching = Task { await router.broadcast(FeatureFlags.Outdated()) }
        try await router.resolve((any Display.Terminal).self).run(performing: action)
        // Cancelled actions remove the screens for whose results they wait, so the stack is saved without suspending.
        let saving = Result { try file?.finish(router) }
        try await router.resolve(Display.Ending.self).storeForUser()
        fetching.cancel()
        reporting.cancel()
        await reporting.value
        try saving.get()
    }

    /// Locks the folder with the user's data, and begins to listen for calls.
    ///
    /// - Returns: The socket; nil where there can be none.
    /// - Throws: `UnusableInput` where the folder cannot be used.
    private func receiveCalls(reportingTo trace: RouterTrace) throws -> CallSocket? {
        let folder = try router.resolve(Storage.Folder.self).path
        if let warning = CallSocket.warning(about: folder) {
            try warn(warning, in: trace)
            printError("App: \(warning)")
        }
        do {
            return try CallSocket(in: folder)
        } catch let error where !(error is UnusableInput) {
            trace.show(["no calls from other programs are received: \(errorMessage(of: error))"])
            return nil
        }
    }

    private func warn(_ text: String, in trace: RouterTrace) throws {
        trace.show([text])
        try router.resolve((any Display.Dialog).self).notify(text, as: .warning)
    }

    /// Warns of damaged data, and prints the warnings when the task is cancelled, after the last screen.
    private func reportDamage(to trace: RouterTrace) throws -> Task<Void, Never> {
        let damage = try router.resolve((any Storage.Stores).self).damage
        return Task {
            var reports: [String] = []
            for await report in damage {
                try? warn(report, in: trace)
                reports.append(report)
            }
            for report in reports { printError("App: \(report)") }
        }
    }
}

extension ProgramRouter {
    /// Shows the first screen, and prints the problems that a release build meets when a user opens the route.
    func start(reportingTo trace: RouterTrace, print: (String) -> Void) async throws {
        #if DEBUG
            let problems = validate().filter { !$0.isWarning }.map { "\($0)" }
        #else
            let problems: [String] = []
        #endif
        trace.show(problems)
        try await start(with: Home.Overview())
        for problem in problems { print("App: \(problem)") }
    }
}

extension Display.Ending {
    /// Stores everything; asks the user for patience where that takes long, and what to do where it fails.
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
        let triesAgain = await withCheckedContinuation { pressed in
            Thread.detachNewThread { pressed.resume(returning: readLine() != nil) }
        }
        if triesAgain { await storeForUser() }
    }
}
