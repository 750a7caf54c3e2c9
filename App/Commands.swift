import Foundation
import RouterServiceImplementation

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
        case .check:
            let report = CheckReport(router, declared: declaredRoutes)
            print(report.text)
            return report.status
        case .listRoutes(asJSON: true):
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            print(String(decoding: try encoder.encode(router.routes), as: UTF8.self))
        case .listRoutes(asJSON: false):
            print(RouteTable(router.routes).text)
        case .run(let beginning):
            try await beginning.run(on: router)
        }
        return 0
    }
}
