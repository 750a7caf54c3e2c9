import DisplayTesting
import FeatureFlagsInterface
import Foundation
import ProfileInterface
import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import Testing

@testable import App

/// Sessions of the built program with a server that decides about flags and routes.
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct ServerDecisionsTests {
    private static let signIn = ["1", "ann", "secret"]
    private let folder = FileManager.default.temporaryDirectory.appending(component: "flags-\(UUID())")

    @Test func transcriptOfTheReadme() async throws {
        let readme = BuiltProgram.checkout("Modules/FeatureFlags/README.md").path
        let text = try String(contentsOf: readme, encoding: .utf8)
        let parts = try #require(
            text.firstMatch(of: /```console\n\$ cat [^\n]*\n([^\n]*)\n(?:\$[^\n]*\n|…\n)+([^`]*)```/))
        let result = try await run(String(parts.1), input: Self.signIn + ["4"])
        #expect(result.output.contains(parts.2))
    }

    @Test func redirect_leadsElsewhere_andTheTraceShowsTheRule() async throws {
        let rule = #"{"route": "profile.overview", "redirect": "notes.list|{}"}"#
        let result = try await run(
            #"{"flags": {"profile.notice": "Moved."}, "rules": [\#(rule)]}"#, input: Self.signIn + ["2"])
        #expect(result.output.contains("== Profile › Notes =="))
        #expect(
            result.trace.contains(
                #"intercepted profile.overview|{"user":"bob"} by ServerRules: redirect to notes.list|{}"#))
    }

    @Test func flags_chooseTheFallback_andTheVersionOfAScreen() async throws {
        let flags = #""profile.editing": false, "notes.count-words": true, "profile.notice": "New.""#
        let input = Self.signIn + ["2", "3", "1", "Tea", "Green or black", ".", "3"]
        let result = try await run(#"{"flags": {\#(flags)}}"#, input: input)
        #expect(
            result.trace.contains(
                #"rerouted profile.editor|{"user":"ann"} to profile.overview|{"user":"ann"}"#))
        #expect(result.output.contains("Tea\nGreen or black\n3 words\n"))
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
            #expect(output.hasPrefix(ShownScreens.signedOut.dropLast(3)))
            #expect(output.hasSuffix(ShownScreens.profileOfAnn))
        }
    }

    @Test func editedFile_isFollowedAtOnce_whenTheAppContinues() async throws {
        try await serve("{}") { address in
            let session = try TerminalSession(["--backend", address.absoluteString])
            try await session.run { window in
                try await window.wait(for: "You are not signed in.")
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
            let modules = App.modules(backend: address, dataPath: folder.appending(component: "data").path)
            let router = RouterService(modules: modules + [FakeTerminalModule(terminal: FakeTerminal())])
            try await router.start(with: Profile.Overview())
            #expect(await router.broadcast(FeatureFlags.Outdated()).isEmpty)
            let notice = FeatureFlags.Flag("profile.notice", default: "")
            let flags = try router.resolve((any FeatureFlags.Values).self)
            #expect(flags[notice] == "Sale")
            try await router.replace(modules.filter { "\(type(of: $0))" == "FeatureFlagsModule" })
            let others = try router.resolve((any FeatureFlags.Values).self)
            #expect(others !== flags && others[notice] == "Sale")
        }
    }

    /// Runs the App until it starts with what the server decides, and then with the input.
    ///
    /// The configuration has the flag `profile.notice`, by whose text it is recognised: no frame waits for the server.
    private func run(_ configuration: String, input: [String]) async throws -> (output: String, trace: String)
    {
        let notice = try #require(configuration.firstMatch(of: /"profile\.notice": "([^"]*)"/)).1
        var (output, trace) = ("", "")
        try await serve(configuration) { address in
            let arguments = ["--data", folder.path, "--backend", address.absoluteString]
            while !output.hasPrefix("== Profile ==\n\(notice)\n") {
                output = try await BuiltProgram.app.run(arguments, input: Self.signIn).output
            }
            let (result, lines) = try await BuiltProgram.app.runTraced(arguments, input: input)
            #expect(result.status == 0 && result.errors.isEmpty)
            (output, trace) = (result.output, lines)
        }
        return (output, trace)
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
