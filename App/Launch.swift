import DisplayInterface
import Foundation
import HomeInterface
import RouterServiceInterface
import RouterServiceProgram

/// The screens that the App opens when it starts.
enum Launch {
    /// The first screen and nothing else.
    case firstScreen
    /// The destination of a URL, above the first screen.
    case url(URL)
    /// The stack of a file, to which later stacks are saved.
    case stack(path: String)

    /// Runs the terminal until the user quits.
    ///
    /// Links and stacks are read before anything is shown, and opened while the terminal runs, because the user may have to
    /// sign in first.
    @MainActor
    func run(on router: any ProgramRouter) async throws {
        #if Live
            try await router.runLive { restore in try await run(on: router, restoring: restore) }
        #else
            try await run(on: router, restoring: nil)
        #endif
    }

    /// Runs the terminal; `restore` shows the stack from before a restart by scripts/live, in place of the screens of the
    /// arguments.
    @MainActor
    private func run(on router: any ProgramRouter, restoring restore: Display.Action?) async throws {
        switch self {
        case .firstScreen:
            try await AppRun(router: router, file: nil).run(performing: restore)
        case .url(let url):
            let link = try router.catalog.link(of: url)
            try await AppRun(router: router, file: nil).run(
                performing: restore ?? { try await router.openFromOutside(link) })
        case .stack(let path):
            let file = try StackFile(path: path)
            let stack = restore == nil ? try file.read(with: router.catalog) : nil
            try await AppRun(router: router, file: file).run {
                // If the user does not sign in for the stack, it stays in its file.
                try await restore?()
                if let stack { try await router.restore(stack) }
                file.keep(router)
            }
        }
    }
}

extension ProgramRouter {
    /// Opens a link above the shown screens; a link to the first screen takes their place.
    func openFromOutside(_ link: AnyRoute) async throws {
        try await open(link, as: link.route is Home.Overview ? .root : .push)
    }
}
