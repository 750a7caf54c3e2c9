import DisplayInterface
import Foundation
import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import StorageInterface
import Testing

@testable import App

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@MainActor
struct CheckReportTests {
    private let data = DataFolder()
    private let headless = HeadlessModule()

    @Test func serviceThatIsMissing_isAProblem() {
        let report = CheckReport(RouterService(modules: []))
        let lines = report.text.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("any Presenter is not registered") })
        #expect(!report.text.contains("0 problems"))
        #expect(report.status == 1)
    }

    private struct Leave: Route { static let identifier = "leave" }

    /// A route of which a service is missing.
    private struct Unfinished: Module, Action {
        func register(in registrar: Registrar) { registrar.action(Leave.self) { (_: Int) in Unfinished() } }
        func perform(_ route: Leave) {}
    }

    @Test func start_reportsProblemsOnStandardErrorAndInTheTrace_butNoWarnings() async throws {
        let others: [any Module] = [headless, Unfinished()]
        let router = RouterService(modules: modules(backend: nil, dataPath: data.path) + others)
        let trace = try router.resolve(RouterTrace.self)
        var lines: [String] = []
        try await router.start(reportingTo: trace) { lines.append($0) }
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("App: Int is not registered") == true)
        #expect(trace.events.first?.name == lines.first?.replacing("App: ", with: ""))
    }

    @Test func problemThatKeepsTheAppFromStarting_isReportedOnce() async throws {
        let names = ["AppModule", "DisplayModule", "HomeModule", "LoginModule"]
        let few = modules(backend: nil, dataPath: data.path).filter { names.contains("\(type(of: $0))") }
        let router = RouterService(modules: few + [headless])
        let trace = try router.resolve(RouterTrace.self)
        let error = await #expect(throws: (any Error).self) {
            try await router.start(reportingTo: trace) { Issue.record("\($0)") }
        }
        #expect(error?.localizedDescription.contains("is not registered") == true)
        #expect(
            trace.events.contains {
                $0.kind == "problem" && $0.name.hasPrefix("any HTTP.Client is not registered")
            })
    }

    @Test func start_ofTheAppItself_takesFewMilliseconds() {
        let router = makeRouter(backend: nil, dataPath: data.path)
        let times = (0..<20).map { _ in
            let start = processorTime()
            for problem in router.validate() where !problem.isWarning { Issue.record("\(problem)") }
            return processorTime() - start
        }
        #expect(times.min().map { $0 < .milliseconds(5) } == true)
    }

    /// Registers the folder that Storage requires.
    private struct FolderModule: Module {
        func register(in registrar: Registrar) {
            registrar.register(Storage.Folder.self, lifetime: .transient) { Storage.Folder(path: "") }
        }
    }

    @Test func serviceThatNothingNeeds_isAWarningAndNoProblem() {
        let names = ["DisplayModule", "EmbeddedHTTPClientModule", "StorageModule"]
        let unused = modules(backend: nil, dataPath: data.path).filter { names.contains("\(type(of: $0))") }
        let report = CheckReport(RouterService(modules: unused + [FolderModule()]))
        let lines = report.text.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("warning: any HTTP.Client, registered at ") })
        #expect(lines.contains { $0.hasPrefix("warning: any Display.Dialog, registered at ") })
        #expect(lines.last == "0 routes, 10 services, 0 problems, 2 warnings")
        #expect(lines.count == 3)
        #expect(report.status == 0)
    }
}

/// The processor time of this thread, which does not grow while other threads run.
private func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
