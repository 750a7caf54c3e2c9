import DisplayInterface
import DisplayTesting
import Foundation
import LoginInterface
import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import Testing

@testable import App

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct TraceTests {
    private struct Tick: Event {}
    private struct Trouble: Error {}

    @Test func session_isTracedToItsEnd() async throws {
        let (result, trace) = try await BuiltProgram.app.runTraced(input: [
            FirstScreen.profile, "ann", "secret", "2", "0", "0", FirstScreen.session,
        ])
        #expect(
            trace.replacing(/[0-9]+\.[0-9] ms/, with: "… ms") == """
                created RouterTrace in … ms
                created any Storage.Stores in … ms
                created any RouteCatalog in … ms
                created any Router in … ms
                created ServerConfiguration in … ms
                created any Notes.RequiredAuthor in … ms
                created Display.Ending in … ms
                created AuthorSessions in … ms
                created any Display.Status in … ms
                created any Display.Trace in … ms
                created any PresentingTerminal in … ms
                created any Presenter in … ms
                intercepted home.overview|{} by ServerRules: proceed in … ms
                created any HTTP.Client in … ms
                created any Login.Sessions in … ms
                created Array<Home.Entry> in … ms
                presented home.overview|{} as root in … ms
                created any Display.Terminal in … ms
                broadcast FeatureFlags.Outdated to 1 listeners
                intercepted profile.overview|{} by ServerRules: proceed in … ms
                intercepted login.sign-in|{} by ServerRules: proceed in … ms
                created Array<Login.Hint> in … ms
                presented login.sign-in|{} as modal in … ms
                finished login.sign-in|{}
                removed login.sign-in|{}
                intercepted profile.overview|{} by SignInGuard: proceed in … ms
                created any Profile.Service in … ms
                created any FeatureFlags.Values in … ms
                presented profile.overview|{} as push in … ms
                intercepted profile.overview|{"user":"bob"} by ServerRules: proceed in … ms
                intercepted profile.overview|{"user":"bob"} by SignInGuard: proceed in … ms
                presented profile.overview|{"user":"bob"} as push in … ms
                removed profile.overview|{"user":"bob"}
                removed profile.overview|{}
                intercepted login.sign-out|{} by ServerRules: proceed in … ms
                intercepted notes.confirm-sign-out|{"author":"ann"} by ServerRules: proceed in … ms
                created any Display.Dialog in … ms
                performed notes.confirm-sign-out|{"author":"ann"} in … ms
                intercepted login.sign-out|{} by ActionGuard: proceed in … ms
                broadcast Login.SignedOut to 1 listeners
                broadcast Notes.AuthorLeft to 1 listeners
                performed login.sign-out|{} in … ms

                """)
        #expect(result.output.hasSuffix("> \(FirstScreen.session)\n\n\(FirstScreen.signedOut)"))
        #expect(result.status == 0)
    }

    private struct Letter: Route {
        static let identifier = "letter"
        let text: String
    }

    private struct Post: Module, Action {
        func register(in registrar: Registrar) { registrar.action(Letter.self) { Post() } }
        func perform(_ route: Letter) {}
    }

    @Test func traceOnTheScreen_forgetsWhatTheFormerUserPassed() async throws {
        let trace = RouterTrace()
        let others: [any Module] = [FakeTerminalModule(terminal: FakeTerminal()), Post()]
        let router = RouterService(modules: modules(backend: nil, dataPath: nil) + others)
        try await router.start(tracedBy: trace) { Issue.record("\($0)") }
        try await router.open(Letter(text: "secret"))
        while !trace.events.contains(where: { $0.values.contains("secret") }) { await Task.yield() }
        await router.broadcast(Login.SignedOut(user: "ann"))
        while !trace.events.contains(where: { $0.name == "Login.SignedOut" }) { await Task.yield() }
        #expect(trace.events.first?.name == "Login.SignedOut")
        #expect(!trace.events.contains { $0.values.contains("secret") })
    }

    @Test func password_isInNoFile() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(component: "\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let result = try await BuiltProgram.app.run(
            [
                "--data", folder.path, "--restore", "\(folder.path)/stack.json", "--trace",
                "\(folder.path)/trace",
            ], input: [FirstScreen.profile, "ann", "secret"])
        #expect(result.output.contains("Ann Example"))
        #expect(!result.output.replacing(ShownScreens.hint, with: "").contains("secret"))
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .compactMap { FileManager.default.contents(atPath: "\(folder.path)/\($0)") }
        #expect(files.count > 2)
        #expect(files.allSatisfy { $0.range(of: Data("secret".utf8)) == nil })
    }

    @Test(.enabled(if: access("/dev/full", W_OK) == 0))
    func file_thatIsFull_isAnErrorAtTheEnd() async throws {
        let result = try await BuiltProgram.app.run(["--trace", "/dev/full"], input: ["q"])
        #expect(result.output.contains("== Home =="))
        #expect(result.errors.hasPrefix("App: The trace cannot be written to /dev/full: "))
        #expect(result.status == 1)
    }

    @Test func file_thatCannotBeWritten_isAnErrorBeforeAnythingIsShown() async throws {
        let result = try await BuiltProgram.app.run(["--trace", "/nowhere/trace"])
        #expect(
            result.errors
                == "App: The trace cannot be written to /nowhere/trace: No such file or directory.\n")
        #expect(result.output.isEmpty)
        #expect(result.status == 1)
    }

    /// The file must not get the number of the closed descriptor.
    @Test(arguments: [">&-", "2>&-", "<&-"])
    func descriptorThatIsClosed_isNotThatOfTheTrace(closed: String) async throws {
        let app = try BuiltProgram.app
        let (result, trace) = try await BuiltProgram(path: URL(filePath: "/bin/sh")).runTraced([
            "-c", #"exec "$0" "$@" \#(closed)"#, app.path.path, "--ephemeral",
        ])
        #expect(trace.hasPrefix("created RouterTrace in "))
        #expect(!trace.contains("=="))
        let isUnwritable = closed == ">&-"
        #expect(
            result.errors
                == (isUnwritable
                    ? "App: The output cannot be written: Bad file descriptor. Check where it is redirected to.\n"
                    : ""))
        #expect(result.status == (isUnwritable ? 1 : 0))
    }

    @Test(arguments: ["stack.json", "./folder/../stack.json", "link.json", "hard.json"])
    func file_thatIsThatOfTheStack_isRefused(spelling: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(component: "\(UUID())")
        try FileManager.default.createDirectory(
            at: folder.appending(component: "folder"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let stack = folder.appending(component: "stack.json")
        _ = try await BuiltProgram.app.run(["--restore", stack.path])
        let stored = try Data(contentsOf: stack)
        try FileManager.default.createSymbolicLink(
            at: folder.appending(component: "link.json"), withDestinationURL: stack)
        try FileManager.default.linkItem(at: stack, to: folder.appending(component: "hard.json"))
        let path = "\(folder.path)/\(spelling)"
        let result = try await BuiltProgram.app.run(["--restore", stack.path, "--trace", path])
        #expect(
            result.errors
                == "App: The trace cannot be written to \(path): the stack of --restore is kept in this file.\n"
        )
        #expect(result.status == 1)
        #expect(try Data(contentsOf: stack) == stored)
    }

    @Test(arguments: [false, true]) func events_areAllPrintedBeforeTheEnd(fails: Bool) async {
        let router = RouterService(modules: [])
        var lines: [String] = []
        let result = await Task {
            try await Trace.of(router, print: { lines.append($0) }) {
                for _ in 1...50 { await router.broadcast(Tick()) }
                if fails { throw Trouble() }
            }
        }.result
        #expect((try? result.get()) == nil ? fails : !fails)
        #expect(lines == Array(repeating: "broadcast TraceTests.Tick to 0 listeners", count: 50))
    }
}

extension BuiltProgram {
    /// Runs the program with a trace.
    ///
    /// - Returns: Its result, and the final content of the file of the trace.
    func runTraced(_ arguments: [String] = [], input: [String] = []) async throws -> (ProgramResult, String) {
        let file = FileManager.default.temporaryDirectory.appending(path: "trace-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let result = try await run(arguments + ["--trace", file.path], input: input)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        return (result, try String(contentsOf: file, encoding: .utf8))
    }
}
