import DisplayImplementation
import DisplayInterface
import Foundation
import RouterServiceImplementation
public import RouterServiceInterface
import RouterServiceProgram

/// A program of one feature: the module itself, the terminal, and fakes of everything else.
@MainActor
public struct FeatureProgram {
    private let name: String
    private let router: any ProgramRouter

    /// Puts the program together.
    ///
    /// - Parameters:
    ///   - name: The module's name.
    ///   - feature: The module's entry.
    ///   - ownFakes: The fakes of the module's own services, which take the place of those that need a server.
    ///   - otherFakes: The fakes of the modules that this one uses.
    public init(_ name: String, feature: any Module, ownFakes: any Module, otherFakes: [any Module]) {
        self.name = name
        // The stage comes last, so that the services that it overrides are registered by then.
        let stage = StageModule(name: name, ownFakes: ownFakes)
        router = RouterService(modules: [DisplayModule()] + otherFakes + [feature, stage])
    }

    /// Runs the feature until the user quits.
    ///
    /// - Parameter arguments: The link or the URL to begin with, where the user chose one.
    /// - Returns: The exit status.
    public func run(_ arguments: [String]) async -> Int32 {
        let problems = router.validate().filter { !$0.isWarning }
        guard problems.isEmpty else {
            problems.forEach { printError("\($0)") }
            return 1
        }
        let routes = StageRoutes(router)
        do {
            let beginning = try arguments.first.map(routes.route) ?? routes.first(of: name)
            #if Live
                try await router.runLive { restore in try await show(beginning, restoring: restore) }
            #else
                try await show(beginning)
            #endif
            return 0
        } catch let error as UnusableBeginning {
            printError(errorMessage(of: error))
            return 64
        } catch {
            printError(errorMessage(of: error))
            return 1
        }
    }

    /// Runs the terminal, and opens a route in it, or restores what a former run of a live session showed.
    private func show(_ beginning: (any Route)?, restoring restore: Display.Action? = nil) async throws {
        try await router.start(with: StageRoute())
        let model = try router.resolve(StageModel.self)
        model.choices = StageRoutes(router).openable(of: name)
        let terminal = try router.resolve((any Display.Terminal).self)
        guard restore == nil, let beginning else { return try await terminal.run(performing: restore) }
        try await terminal.run(performing: { try await model.open(beginning) })
    }

    private func printError(_ message: String) {
        try? FileHandle.standardError.write(contentsOf: Data("error: \(message)\n".utf8))
    }
}
