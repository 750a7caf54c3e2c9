import DisplayTesting
import FeatureFlagsInterface
import Foundation
import HTTPClientInterface
import HTTPClientTesting
import HomeInterface
import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import Testing

@testable import App

/// Sessions of the built program with a server that decides about flags and routes.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ServerDecisionsTests {
    private static let signIn = [FirstScreen.profile, "ann", "secret"]
    private let folder = FileManager.default.temporaryDirectory.appending(component: "flags-\(UUID())")

    @Test func transcriptOfTheReadme() async throws {
        let readme = BuiltProgram.checkout("Modules/FeatureFlags/README.md").path
        let text = try String(contentsOf: readme, encoding: .utf8)
        let parts = try #require(
            text.firstMatch(of: /```console\n\$ cat [^\n]*\n([^\n]*)\n(?:\$[^\n]*\n|…\n)+([^`]*)```/))
        let result = try await run(String(parts.1), input: Self.signIn + ["3"])
        #expect(result.output.contains(parts.2))
    }

    @Test func everyModule_contributesItsFlags_andItsRoutesThatStayReachable() throws {
        let router = makeRouter(backend: nil, dataPath: nil)
        #expect(
            try router.resolve([any FeatureFlags.AnyFlag].self).map(\.name) == [
                "profile.editing", "profile.notice",
            ])
        #expect(
            try router.resolve([FeatureFlags.ExemptRoute].self).map { $0.type.identifier } == [
                "notes.sign-in", "notes.confirm-sign-out", "login.sign-in", "login.sign-out",
            ])
    }

    @Test func redirect_leadsElsewhere_andTheTraceShowsTheRule() async throws {
        let rule = #"{"route": "profile.overview", "redirect": "notes.list|{}"}"#
        let result = try await run(
            #"{"flags": {"profile.notice": "Moved."}, "rules": [\#(rule)]}"#, input: Self.signIn)
        #expect(result.output.contains("== Home › Notes =="))
        #expect(
            result.trace.contains(
                #"intercepted profile.overview|{} by ServerRules: redirect to notes.list|{}"#))
    }

    @Test func flag_choosesTheFallback() async throws {
        let result = try await run(
            #"{"flags": {"profile.editing": false, "profile.notice": "New."}}"#,
            ["--open", "app://profile/ann/edit"], input: ["ann", "secret"])
        #expect(
            result.trace.contains(
                #"rerouted profile.editor|{"user":"ann"} to profile.overview|{"user":"ann"}"#))
    }

    @Test(arguments: [
        "", "[", "null", #"{"flags": [], "rules": {}}"#, String(repeating: " ", count: 1 << 20) + "{}",
        String(repeating: " ", count: (1 << 20) + 1),
        #"{"flags": {"profile.editing": "no", "x": true}, "rules": [{"route": "login.sign-in", "reject": "No."}, 7]}"#,
    ])
    func badConfiguration_isReportedInTheTrace_andChangesNothing(text: String) async throws {
        try await serve(text) { address in
            // Nothing is kept: a run that ends before it has reported the text would be the last to read it.
            let arguments = ["--backend", address.absoluteString]
            var (output, trace) = ("", "")
            while !trace.contains("failed FeatureFlagsModule: "), !Task.isCancelled {
                let (result, lines) = try await BuiltProgram.app.runTraced(arguments, input: Self.signIn)
                (output, trace) = (result.output, lines)
            }
            #expect(output.hasPrefix(FirstScreen.signedOut.dropLast(3)))
            #expect(output.hasSuffix(ShownScreens.profileOfAnn))
        }
    }

    /// A rule that looks harmless, the choice that opens its route, and the screen that this opens without the rule.
    ///
    /// An action, a fallback and an embedded screen lead back.
    nonisolated private static let circles = [
        (
            #"{"route": "notes.list", "redirect": "notes.edit|{\"id\":\"C56A4180-65AA-42EC-A945-5FD21DEC0538\"}"}"#,
            "Notes", "== Home › Notes =="
        ),
        (
            #"{"route": "profile.overview", "redirect": "profile.editor|{\"user\":\"bob\"}"}"#, "Profile",
            "== Home › Profile =="
        ),
        (#"{"route": "notes.preview", "redirect": "notes.list|{}"}"#, "Notes", "== Home › Notes =="),
    ]

    @Test(arguments: circles)
    func rulesThatLeadInACircle_areRefusedForGood_andTheUserIsNotified(
        rule: String, title: String, screen: String
    ) async throws {
        let choice = title == "Notes" ? FirstScreen.notes : FirstScreen.profile
        let input = [FirstScreen.session, "ann", "secret", choice, "0", choice, "0", FirstScreen.notes]
        try await starting(with: #"{"flags": {"profile.notice": "New."}, "rules": [\#(rule)]}"#) {
            arguments in
            let (first, trace) = try await BuiltProgram.app.runTraced(arguments, input: input)
            #expect(first.output.contains("The server's rules are ignored until it sends others: that for '"))
            #expect(first.output.contains(screen))
            #expect(first.status == 0)
            #expect(trace.contains("Routes lead to one another in a cycle: "))
            let next = try await BuiltProgram.app.run(arguments, input: input)
            #expect(next.output.contains(screen))
            #expect(!next.output.contains("circle"))
            let alone = ["--backend", "http://127.0.0.1:1", "--open", "app://notes"]
            let last = try await BuiltProgram.app.run(["--data", folder.path] + alone)
            #expect(last.output.contains("Notes =="))
            #expect(!last.output.contains("circle"))
        }
    }

    @Test func rulesThatLeadInACircle_leaveTheKeysAlone() async throws {
        try await starting(
            with: #"{"flags": {"profile.notice": "New."}, "rules": [\#(Self.circles[0].0)]}"#
        ) { arguments in
            let session = try TerminalSession(arguments, columns: 120)
            try await session.run { window in
                try await window.signIn(opening: nil)
                window.type(FirstScreen.keys(choosing: FirstScreen.notes))
                try await window.wait(for: "Routes lead to one another in a cycle: notes.list|{} →")
                window.type(FirstScreen.keys(choosing: FirstScreen.notes))
                try await window.wait(for: "[ New note ]")
                window.type("\u{3}")
            }
        }
    }

    /// A rule, how often it is sent, and what the user reads then.
    @Test(arguments: [
        (#"{"route": "x", "reject": "No."}"#, 1_600_000, "is ignored: it has more than 1048576 bytes."),
        (#"{"route": "x", "reject": "No."}"#, 10_000, "is ignored: it has more than 65536 bytes."),
        (#"{"route": "x", "reject": "No."}"#, 1_000, "rules are ignored: it sent 1000, more than 100."),
        (
            #"{"route": "notes.list", "redirect": "notes.list|{}"}"#, 1,
            "rules are ignored. The rule for 'notes.list'"
        ),
    ])
    func rulesThatAreTooMany_areRefused_withANotice(rule: String, count: Int, notice: String) async throws {
        let rules = Array(repeating: rule, count: count).joined(separator: ",")
        try await serve(#"{"rules": [\#(rules)]}"#) { address in
            let session = try TerminalSession(
                ["--data", folder.path, "--backend", address.absoluteString], columns: 120)
            try await session.run { window in
                try await window.wait(for: notice)
                try await window.signIn(opening: FirstScreen.notes)
                try await window.wait(for: "[ New note ]")
                window.type("\u{3}")
            }
        }
    }

    @Test func editedFile_isFollowedAtOnce_whenTheAppContinues() async throws {
        try await serve("{}") { address in
            let session = try TerminalSession(["--backend", address.absoluteString])
            try await session.run { window in
                try await window.signIn()
                try await window.wait(for: "Ann Example")
                try write(#"{"flags": {"profile.notice": "Maintenance at 18:00."}}"#)
                _ = kill(session.app.processIdentifier, SIGTSTP)
                try await window.wait(for: "the App to stop") { _ in session.isStopped }
                _ = kill(session.app.processIdentifier, SIGCONT)
                try await window.wait(for: "Maintenance at 18:00.")
                try await window.wait(for: "Changed by the server: profile.notice")
                window.type("q")
            }
        }
    }

    @Test func moduleThatIsReplaced_keepsTheValues() async throws {
        try await serve(#"{"flags": {"profile.notice": "Sale"}}"#) { address in
            let modules = App.modules(
                backend: HTTP.Server(address.absoluteString),
                dataPath: folder.appending(component: "data").path)
            let router = RouterService(modules: modules + [FakeTerminalModule(terminal: FakeTerminal())])
            try await router.start(with: Home.Overview())
            #expect(await router.broadcast(FeatureFlags.Outdated()).isEmpty)
            let notice = FeatureFlags.Flag("profile.notice", default: "")
            let flags = try router.resolve((any FeatureFlags.Values).self)
            #expect(flags[notice] == "Sale")
            try await router.replace(modules.filter { "\(type(of: $0))" == "FeatureFlagsModule" })
            let others = try router.resolve((any FeatureFlags.Values).self)
            #expect(others !== flags)
            #expect(others[notice] == "Sale")
        }
    }

    /// Runs the App with the input, as soon as it starts with what the server decides.
    private func run(
        _ configuration: String, _ options: [String] = [], input: [String]
    ) async throws -> (output: String, trace: String) {
        var (output, trace) = ("", "")
        try await starting(with: configuration) { arguments in
            let (result, lines) = try await BuiltProgram.app.runTraced(arguments + options, input: input)
            #expect(result.status == 0)
            #expect(result.errors.isEmpty)
            (output, trace) = (result.output, lines)
        }
        return (output, trace)
    }

    /// Runs the App until it starts with what the server decides, and then a test with its arguments.
    ///
    /// The configuration changes a flag; when a run announces the change, it has kept the configuration for the next one.
    private func starting(
        with configuration: String, body: @MainActor ([String]) async throws -> Void
    ) async throws {
        try await serve(configuration) { address in
            let arguments = ["--data", folder.path, "--backend", address.absoluteString]
            var trace = ""
            while !trace.contains("broadcast FeatureFlags.Changed ") {
                trace = try await BuiltProgram.app.runTraced(arguments, input: Self.signIn).1
            }
            try await body(arguments)
        }
    }

    private var file: URL { folder.appending(component: "configuration.json") }

    private func write(_ configuration: String) throws {
        try Data(configuration.utf8).write(to: file)
    }

    private func serve(
        _ configuration: String, body: @MainActor (URL) async throws -> Void
    ) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try write(configuration)
        try await ServerProcess.run(["--configuration", file.path], body: body)
    }
}
