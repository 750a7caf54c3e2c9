import RouterServiceImplementation
import Testing

@testable import App

@MainActor
struct CheckReportTests {
    @Test func serviceThatIsMissing_isAProblem() {
        let report = CheckReport(RouterService(modules: []))
        let lines = report.text.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("any Presenter is not registered") })
        #expect(!report.text.contains("0 problems"))
        #expect(report.status == 1)
    }

    @Test func serviceThatNothingNeeds_isAWarningAndNoProblem() {
        let names = ["DisplayModule", "EmbeddedHTTPClientModule", "InMemoryStorageModule"]
        let unused = modules(backend: nil, dataPath: nil).filter { names.contains("\(type(of: $0))") }
        let report = CheckReport(RouterService(modules: unused))
        let lines = report.text.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("warning: any HTTP.Client, registered at ") })
        #expect(lines.contains { $0.hasPrefix("warning: any Display.Dialog, registered at ") })
        #expect(lines.last == "0 routes, 7 services, 0 problems, 2 warnings")
        #expect(lines.count == 3)
        #expect(report.status == 0)
    }
}
