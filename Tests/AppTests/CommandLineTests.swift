import Foundation
import RouterServiceImplementation
import Testing

@testable import App

@Suite(.timeLimit(.minutes(1)))
struct CommandLineTests {
    @Test func check_printsOneSummaryLine() throws {
        let result = try BuiltProgram.app.run(["--check"])
        #expect(result.output == "3 routes, 6 services, 0 problems\n")
        #expect(result.status == 0)
    }

    @Test @MainActor func check_ofABrokenGraph_exitsWith1() async throws {
        let router = RouterService(modules: [])
        #expect(try await Arguments.Command.check.perform(with: router) == 1)
    }

    @Test func check_holdsForTheRealBackendToo() throws {
        let result = try BuiltProgram.app.run(["--check", "--backend", "http://127.0.0.1:1"])
        #expect(result.output == "3 routes, 6 services, 0 problems\n")
        #expect(result.status == 0)
    }

    @Test func routes_listsIdentifierTypeAndModule() throws {
        let result = try BuiltProgram.app.run(["--routes"])
        #expect(
            result.output == """
                login.sign-in     Login.SignIn      LoginModule
                profile.editor    Profile.Editor    ProfileModule
                profile.overview  Profile.Overview  ProfileModule

                """)
        #expect(result.status == 0)
    }

    @Test func routes_listsTheSameAsJSON() throws {
        let result = try BuiltProgram.app.run(["--routes", "--json"])
        let routes = try JSONDecoder().decode([[String: String]].self, from: Data(result.output.utf8))
        #expect(routes.map { $0["identifier"] } == ["login.sign-in", "profile.editor", "profile.overview"])
        #expect(routes.map { $0["route"] } == ["Login.SignIn", "Profile.Editor", "Profile.Overview"])
        #expect(routes.map { $0["module"] } == ["LoginModule", "ProfileModule", "ProfileModule"])
    }

    @Test func help_printsTheUsage() throws {
        let result = try BuiltProgram.app.run(["--help"])
        #expect(result.output.hasPrefix("usage: App ["))
        #expect(result.status == 0)
    }

    @Test(arguments: [
        (["--bogus"], "App: unknown argument '--bogus'"),
        (["--json"], "App: --json goes with --routes"),
        (["--check", "--routes"], "App: --check and --routes cannot be used together"),
        (["--backend"], "App: --backend needs an address"),
        (["--backend", "ftp://x"], "App: --backend needs an address such as"),
        (["--backend", "http://"], "App: --backend needs an address such as"),
        (["--backend", "http://127.0.0.1:99999"], "App: --backend needs an address such as"),
        (["--backend", "http://127.0.0.1/?a=b"], "App: --backend needs an address such as"),
    ])
    func badArguments_getOneLineAndTheUsageAndExit64(arguments: [String], message: String) throws {
        let result = try BuiltProgram.app.run(arguments)
        let lines = result.errors.split(separator: "\n")
        #expect(lines.first?.hasPrefix(message) == true)
        #expect(lines.dropFirst().first?.hasPrefix("usage: App") == true)
        #expect(result.output.isEmpty)
        #expect(result.status == 64)
    }
}
