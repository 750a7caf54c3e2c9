import Foundation
import RouterServiceInterface
import RouterServiceProgram

/// The report of `--check` about a router.
@MainActor
struct CheckReport {
    /// A line for each problem and each warning; a summary if there is no problem.
    let text: String
    /// The exit status: 1 if something cannot work, otherwise 0.
    let status: Int32

    /// Validates a router.
    init(_ router: any ProgramRouter) {
        let findings = router.validate()
        let warnings = findings.filter(\.isWarning)
        let hasProblems = warnings.count < findings.count
        var lines = findings.map { $0.isWarning ? "warning: \($0)" : "\($0)" }
        if !hasProblems {
            let end = warnings.isEmpty ? "" : ", \(warnings.count) warning\(warnings.count == 1 ? "" : "s")"
            lines.append("\(router.routes.count) routes, \(router.services.count) services, 0 problems\(end)")
        }
        text = lines.joined(separator: "\n")
        status = hasProblems ? 1 : 0
    }
}

/// A route as `--routes` lists it.
struct ListedRoute: Encodable {
    let identifier, kind, route, module: String
    /// Who decides about the route, in order.
    let interceptors: [String]
    let urls, aliases: [String]
    /// The deprecated names, each with advice.
    let deprecated: [String: String]
}

extension ListedRoute {
    @MainActor
    init(_ route: RouteRegistration, decidedBy interceptors: [InterceptorRegistration]) {
        self.init(
            identifier: route.identifier, kind: route.kind.rawValue, route: "\(route.name)",
            module: "\(route.source.module)", interceptors: interceptors.map { "\($0.source.type)" },
            urls: route.urls.map(\.description), aliases: route.aliases,
            deprecated: Dictionary(uniqueKeysWithValues: route.deprecations.map { ($0.text, $1) }))
    }
}

/// A service as `--services` lists it.
struct ListedService: Encodable {
    let service, lifetime, module, place: String

    @MainActor
    init(_ service: ServiceRegistration) {
        (self.service, lifetime) = ("\(service.type)", service.lifetime.map { "\($0)" } ?? "")
        module = service.sources.map(\.module.description).joined(separator: ", ")
        place = service.places.joined(separator: ", ")
    }
}

/// A table of routes or services for reading: a heading and a line for each, without empty columns.
struct Table {
    let text: String

    init(_ routes: [ListedRoute]) {
        self.init(
            [
                ("identifier", routes.map(\.identifier)), ("kind", routes.map(\.kind)),
                ("route", routes.map(\.route)), ("module", routes.map(\.module)),
                ("interceptors", routes.map { $0.interceptors.joined(separator: ", ") }),
                ("URLs", routes.map { $0.urls.joined(separator: ", ") }),
                ("aliases", routes.map { $0.aliases.joined(separator: ", ") }),
                (
                    "deprecated",
                    routes.map {
                        $0.deprecated.sorted { $0.key < $1.key }.map { "\($0): \($1)" }
                            .joined(separator: ", ")
                    }
                ),
            ], rows: routes.count)
    }

    init(_ services: [ListedService]) {
        self.init(
            [
                ("service", services.map(\.service)), ("lifetime", services.map(\.lifetime)),
                ("module", services.map(\.module)), ("registered at", services.map(\.place)),
            ], rows: services.count)
    }

    private init(_ columns: [(heading: String, cells: [String])], rows: Int) {
        let padded = columns.filter { !$0.cells.allSatisfy(\.isEmpty) }.map { heading, cells in
            let width = ([heading] + cells).map(\.count).max() ?? 0
            return ([heading] + cells).map { $0 + String(repeating: " ", count: width - $0.count) }
        }
        text = (0...rows)
            .map { line in
                padded.map { $0[line] }.joined(separator: "  ").trimmingCharacters(in: .whitespaces)
            }
            .joined(separator: "\n")
    }
}

/// The text of a list as JSON.
func jsonText(_ list: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(list), as: UTF8.self)
}
