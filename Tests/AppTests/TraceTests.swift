import DisplayInterface
import DisplayTesting
import Foundation
import HomeInterface
import LoginInterface
import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import Testing

@testable import App

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct TraceTests {
    private let data = DataFolder()
    private struct Tick: Event {}
    private struct Trouble: Error {}

    @Test func session_isTracedToItsEnd() async throws {
        let (result, trace) = try await BuiltProgram.app.runTraced(input: [
            FirstScreen.profile, "ann", "secret", "2", "0", "0", FirstScreen.session,
        ])
        #expect(
            trace.replacing(/[0-9]+ ms/, with: "… ms") == """
                created Storage.Folder … ms
                created any Storage.Stores … ms
                created any RouteCatalog … ms
                created any Router … ms
                created ServerConfiguration … ms
                created any Notes.RequiredAuthor … ms
                created AuthorSessions … ms
                created ScreenStack … ms
                created any Presenter … ms
                let pass home.overview by ServerRules
                created any HTTP.Client … ms
                created any Login.Sessions … ms
                created Array<Home.Entry> … ms
                presented home.overview {} as root, … ms
                created any Display.Status … ms
                created any Display.Trace … ms
                created any Display.Terminal … ms
                broadcast FeatureFlags.Outdated to 1 listener
                let pass profile.overview by ServerRules
                let pass login.sign-in by ServerRules
                created Array<Login.Hint> … ms
                presented login.sign-in {} as modal, … ms
                finished login.sign-in {}
                removed login.sign-in {}
                let pass profile.overview by SignInGuard
                created any Profile.Service … ms
                created any FeatureFlags.Values … ms
                presented profile.overview {} as push, … ms
                let pass profile.overview by ServerRules
                let pass profile.overview by SignInGuard
                presented profile.overview {"user":"bob"} as push, … ms
                removed profile.overview {"user":"bob"}
                removed profile.overview {}
                let pass login.sign-out by ServerRules
                let pass notes.confirm-sign-out by ServerRules
                created any Display.Dialog … ms
                performed notes.confirm-sign-out {"author":"ann"}, … ms
                let pass login.sign-out by ActionGuard
                broadcast Login.SignedOut to 1 listener
                broadcast Notes.AuthorLeft to 1 listener
                performed login.sign-out {}, … ms

                """)
        #expect(result.output.hasSuffix("> \(FirstScreen.session)\n\n\(FirstScreen.signedOut)"))
        #expect(result.errors.isEmpty)
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

    enum Ending: CaseIterable {
        case signOut, expiry, otherUser
    }

    /// Before the sign-in, in the session, and however the session ends.
    @Test(arguments: Ending.allCases)
    func traceOnTheScreen_forgetsWhatTheFormerUserPassed(ending: Ending) async throws {
        let others: [any Module] = [HeadlessModule(), Post()]
        let router = RouterService(modules: modules(backend: nil, dataPath: data.path) + others)
        let trace = try router.resolve(RouterTrace.self)
        let tracing = trace.observe(router)
        defer { tracing.cancel() }
        func events(with text: String) -> Bool { trace.events.contains { $0.values.contains(text) } }
        try await router.start(with: Home.Overview())
        try await router.open(Letter(text: "first secret"))
        let sessions = try router.resolve((any Login.Sessions).self)
        let session = try await sessions.signIn(userName: "ann", password: "secret")
        try await router.open(Letter(text: "second secret"))
        while !events(with: "second secret") { await Task.yield() }
        #expect(events(with: "first secret"))
        switch ending {
        case .signOut: try await router.open(Login.SignOut())
        case .expiry: sessions.expire(session)
        case .otherUser: _ = try await sessions.signIn(userName: "bob", password: "secret")
        }
        #expect(!events(with: "secret"))
        try await router.open(Letter(text: "third"))
        while !events(with: "third") { await Task.yield() }
        #expect(!events(with: "secret"))
        #expect(ending != .signOut || trace.events.first?.name == "Login.SignedOut")
    }

    @Test func password_isInNoFile_andNotInTheTrace() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(component: "\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (result, trace) = try await BuiltProgram.app.runTraced(
            ["--data", folder.path, "--restore", "\(folder.path)/stack.json"],
            input: [FirstScreen.profile, "ann", "secret"])
        #expect(result.output.contains("Ann Example"))
        #expect(!(trace + result.output.replacing(ShownScreens.hint, with: "")).contains("secret"))
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .compactMap { FileManager.default.contents(atPath: "\(folder.path)/\($0)") }
        #expect(files.count > 1)
        #expect(files.allSatisfy { $0.range(of: Data("secret".utf8)) == nil })
    }

    @Test func trace_onTheTerminalOfTheScreens_isRefused() async throws {
        let session = try TerminalSession(["--trace"], columns: 120)
        session.app.standardError = session.app.standardOutput
        try session.app.run()
        try await session.window.wait(
            for:
                "App: --trace prints on standard error, which has to be redirected, as in App --trace 2>events."
        )
        while session.app.isRunning { try await Task.sleep(for: .milliseconds(20)) }
        #expect(session.app.terminationStatus == 64)
    }

    @Test(arguments: [false, true]) func events_areAllPrintedBeforeTheEnd(fails: Bool) async throws {
        let others: [any Module] = [HeadlessModule()]
        let router = RouterService(modules: modules(backend: nil, dataPath: data.path) + others)
        var lines: [String] = []
        try router.resolve(RouterTrace.self).print = { lines.append($0) }
        let result = await Task {
            try await AppRun(router: router, file: nil).run {
                for _ in 1...50 { await router.broadcast(Tick()) }
                if fails { throw Trouble() }
            }
        }.result
        #expect((try? result.get()) == nil ? fails : !fails)
        let ticks = lines.filter { $0 == "broadcast TraceTests.Tick to 0 listeners" }
        #expect(ticks.count == 50)
    }
}

extension BuiltProgram {
    /// Runs the program with a trace.
    ///
    /// - Returns: Its result without the trace, and the trace.
    func runTraced(_ arguments: [String] = [], input: [String] = []) async throws -> (ProgramResult, String) {
        let result = try await run(arguments + ["--trace"], input: input)
        let lines = result.errors.split(separator: "\n").map { "\($0)\n" }
        func text(_ areErrors: Bool) -> String {
            lines.filter { $0.hasPrefix("App: ") == areErrors }.joined()
        }
        return (ProgramResult(output: result.output, errors: text(true), status: result.status), text(false))
    }
}
