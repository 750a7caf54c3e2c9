import Foundation
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

    @Test func start_reportsProblemsOnStandardErrorAndInTheTrace_butNoWarnings() {
        let (trace, names) = (RouterTrace(), ["DisplayModule", "ProfileModule"])
        let few = modules(backend: nil, dataPath: nil).filter { names.contains("\(type(of: $0))") }
        var lines: [String] = []
        reportProblems(of: RouterService(modules: few), in: trace) { lines.append($0) }
        #expect(lines.contains { $0.hasPrefix("App: any HTTP.Client is not registered") })
        #expect(!lines.contains { $0.contains("Display.Dialog") })
        #expect(trace.events == lines.map { $0.replacing("App: ", with: "problem: ") })
    }

    @Test func start_ofTheAppItself_takesFewMilliseconds() {
        let (router, trace) = (makeRouter(backend: nil, dataPath: nil), RouterTrace())
        let times = (0..<20).map { _ in
            let start = processorTime()
            reportProblems(of: router, in: trace) { Issue.record("\($0)") }
            return processorTime() - start
        }
        #expect(times.min().map { $0 < .milliseconds(5) } == true)
    }

    @Test func serviceThatNothingNeeds_isAWarningAndNoProblem() {
        let names = ["DisplayModule", "EmbeddedHTTPClientModule", "StorageModule"]
        let unused = modules(backend: nil, dataPath: nil).filter { names.contains("\(type(of: $0))") }
        let report = CheckReport(RouterService(modules: unused))
        let lines = report.text.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("warning: any HTTP.Client, registered at ") })
        #expect(lines.contains { $0.hasPrefix("warning: any Display.Dialog, registered at ") })
        #expect(lines.contains { $0.hasPrefix("warning: HTTP.SignInHint, registered at ") })
        #expect(lines.last == "0 routes, 9 services, 0 problems, 3 warnings")
        #expect(lines.count == 4)
        #expect(report.status == 0)
    }
}

/// The processor time of this thread, which does not grow while other threads run.
private func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
