import RouterServiceImplementation
import RouterServiceInterface

/// What `--check` says of a router.
@MainActor
struct CheckReport {
    /// A line for each problem and each warning; a summary where there is no problem.
    let text: String
    /// 1 where something cannot work, otherwise 0.
    let status: Int32

    /// Validates a router.
    ///
    /// - Parameters:
    ///   - router: The router.
    ///   - declared: The routes that somebody has to handle.
    init(_ router: RouterService, declared: [any Route.Type]) {
        let findings = router.validate(declared: declared)
        let warnings = findings.filter(\.isWarning)
        let hasProblems = warnings.count < findings.count
        var lines = findings.map { $0.isWarning ? "warning: \($0)" : "\($0)" }
        if !hasProblems {
            let end = warnings.isEmpty ? "" : ", \(warnings.count) warning\(warnings.count == 1 ? "" : "s")"
            lines.append("\(router.routes.count) routes, \(router.serviceCount) services, 0 problems\(end)")
        }
        text = lines.joined(separator: "\n")
        status = hasProblems ? 1 : 0
    }
}
