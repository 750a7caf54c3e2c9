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

    @Test func configurationOfTheReadme_isObeyed() async throws {
        let readme = BuiltProgram.checkout("Modules/FeatureFlags/README.md").path
        let text = try String(contentsOf: readme, encoding: .utf8)
        let json = try #require(text.firstMatch(of: /```json\n([^`]*)```/)).1
        let result = try await run(String(json), input: Self.signIn + ["3"])
        #expect(result.output.contains("! Come back at 14:00.\nMaintenance at 18:00.\nAnn Example\n"))
    }

    @Test func redirect_leadsElsewhere_andTheTraceShowsTheRule() async throws {
        let rule = #"{"route": "profile.overview", "redirect": "notes.list|{}"}"#
        let result = try await run(
            #"{"flags": {"profile.notice": "Moved."}, "rules": [\#(rule)]}"#, input: Self.signIn)
        #expect(result.output.contains("== Home › Notes =="))
        #expect(
            result.trace.contains(
                "redirected profile.overview to notes.list|{} by ServerRules"))
    }

    @Test func flag_choosesTheFallback() async throws {
        let result = try await run(
            #"{"flags": {"profile.editing": false, "profile.notice": "New."}}"#,
            ["--open", "app://profile/ann/edit"], input: ["ann", "secret"])
        #expect(
            result.trace.contains(
                #"rerouted profile.editor to profile.overview|{"user":"ann"}"#))
    }

    @Test(arguments: [
        "", "[", "null", #"{"flags": [], "rules": {}}"#, String(repeating: " ", count: 1 << 20) + "{}",
        String(repeating: " ", count: (1 << 20) + 1),
        #"{"flags": {"profile.editing": 1}, "rules": [7]}"#,
    ])
    func badConfiguration_isReportedInTheTrace_andChangesNothing(text: String) async throws {
        try await serve(text) { address in
            // Nothing is kept: a run that ends before it has reported the text would be the last to read it.
            let arguments = ["--backend", address.absoluteString]
            var (output, trace) = ("", "")
            while !trace.contains("failed FeatureFlagsModule "), !Task.isCancelled {
                let (result, lines) = try await BuiltProgram.app.runTraced(arguments, input: Self.signIn)
                (output, trace) = (result.output, lines)
            }
            #expect(output.hasPrefix(FirstScreen.signedOut.dropLast(3)))
            #expect(output.hasSuffix(ShownScreens.profileOfAnn))
        }
    }

    /// An action and a fallback lead back.
    @Test(arguments: [
        (
            #"{"route": "notes.list", "redirect": "notes.edit|{\"id\":\"C56A4180-65AA-42EC-A945-5FD21DEC0538\"}"}"#,
            "notes.list|{} → ", "Notes", "Ann Example"
        ),
        (
            #"{"route": "profile.overview", "redirect": "profile.editor|{\"user\":\"bob\"}"}"#,
            "profile.overview|{} → ", "Profile", "1  New note"
        ),
    ])
    func rulesThatLeadInACycle_areAnErrorOfEachOpening_andTheAppGoesOn(
        rule: String, cycle: String, title: String, otherScreen: String
    ) async throws {
        let (notes, profile) = (FirstScreen.notes, FirstScreen.profile)
        let choices = title == "Notes" ? [notes, notes, profile] : [profile, profile, notes]
        let input = [FirstScreen.session, "ann", "secret"] + choices
        let output = try await run(#"{"rules": [\#(rule)]}"#, input: input).output
        let error = "! Routes lead to one another in a cycle: \(cycle)"
        #expect(output.components(separatedBy: error).count == 3, "\(output)")
        #expect(output.contains(otherScreen))
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
                window.type("q")
            }
        }
    }

    @Test func moduleThatIsReplaced_keepsTheValues() async throws {
        try await serve(#"{"flags": {"profile.notice": "Sale"}}"#) { address in
            let modules = App.modules(
                backend: HTTP.Server(address.absoluteString),
                dataPath: folder.appending(component: "data").path)
            let router = RouterService(modules: modules + [HeadlessModule()])
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

    /// Runs the App until it has kept the configuration, and then a test with its arguments.
    private func starting(
        with configuration: String, body: @MainActor ([String]) async throws -> Void
    ) async throws {
        try await serve(configuration) { address in
            let arguments = ["--data", folder.path, "--backend", address.absoluteString]
            func isKept() -> Bool {
                let files = FileManager.default.subpaths(atPath: folder.path) ?? []
                return files.contains { $0.contains("feature-flags/configuration") }
            }
            while !isKept() { _ = try await BuiltProgram.app.run(arguments, input: Self.signIn) }
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
