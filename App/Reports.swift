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
    /// The interceptors of the route, in order.
    let interceptors: [String]
    let urls: [String]
}

extension ListedRoute {
    @MainActor
    init(_ route: RouteRegistration, decidedBy interceptors: [InterceptorRegistration]) {
        self.init(
            identifier: route.identifier, kind: route.kind.rawValue, route: "\(route.name)",
            module: "\(route.source.module)", interceptors: interceptors.map { "\($0.source.type)" },
            urls: route.urls)
    }
}

/// A table of routes, without empty columns.
func table(of routes: [ListedRoute]) -> String {
    func list(_ texts: [String]) -> String { texts.joined(separator: ", ") }
    let columns: [(heading: String, text: (ListedRoute) -> String)] = [
        ("identifier", \.identifier), ("kind", \.kind), ("route", \.route), ("module", \.module),
        ("interceptors", { list($0.interceptors) }), ("URLs", { list($0.urls) }),
    ]
    let padded = columns.compactMap { heading, text -> [String]? in
        let cells = routes.map(text)
        let width = ([heading] + cells).map(\.count).max() ?? 0
        return cells.allSatisfy(\.isEmpty)
            ? nil : ([heading] + cells).map { $0 + String(repeating: " ", count: width - $0.count) }
    }
    return (0...routes.count)
        .map { line in padded.map { $0[line] }.joined(separator: "  ").trimmingCharacters(in: .whitespaces) }
        .joined(separator: "\n")
}

func jsonText(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
}
