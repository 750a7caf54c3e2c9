import DisplayInterface
import Foundation
import ProfileInterface
import RouterServiceImplementation
import RouterServiceInterface

extension Arguments.Command {
    /// Does what was asked for.
    ///
    /// - Returns: The exit status.
    /// - Throws: What kept the App from running.
    @MainActor
    func perform(with router: RouterService) async throws -> Int32 {
        switch self {
        case .help:
            print(Arguments.usage)
            return 0
        case .check:
            return check(router)
        case .listRoutes(let asJSON):
            print(asJSON ? try json(of: router.routes) : table(of: router.routes))
            return 0
        case .run:
            try await router.start(with: Profile.Overview())
            try await router.resolve((any Display.Terminal).self).run()
            return 0
        }
    }

    @MainActor
    private func check(_ router: RouterService) -> Int32 {
        let problems = router.validate()
        guard problems.isEmpty else {
            for problem in problems { print(problem) }
            return 1
        }
        print("\(router.routes.count) routes, \(router.serviceCount) services, 0 problems")
        return 0
    }

    private func json(of routes: [RouteEntry]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return String(decoding: try encoder.encode(routes), as: UTF8.self)
    }

    private func table(of routes: [RouteEntry]) -> String {
        let rows = routes.map { [$0.identifier, $0.route, $0.module] }
        let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
                .joined(separator: "  ").trimmingCharacters(in: .whitespaces)
        }.joined(separator: "\n")
    }
}
