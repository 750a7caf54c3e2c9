import Foundation
import Testing

@testable import App

@Suite(.timeLimit(.minutes(1)))
struct CommandLineTests {
    @Test(arguments: [[], ["--backend", "http://127.0.0.1:1"]])
    func check_ofEitherBackend_printsOneSummaryLine(backend: [String]) throws {
        let result = try BuiltProgram.app.run(["--check"] + backend)
        #expect(result.output == "4 routes, 8 services, 0 problems\n")
        #expect(result.errors.isEmpty)
        #expect(result.status == 0)
    }

    @Test func routes_areATableToRead() throws {
        let result = try BuiltProgram.app.run(["--routes"])
        #expect(
            result.output == """
                identifier        kind    route             module         URLs                                aliases
                login.sign-in     screen  Login.SignIn      LoginModule    app://sign-in?userName
                login.sign-out    action  Login.SignOut     LoginModule    app://sign-out
                profile.editor    screen  Profile.Editor    ProfileModule  app://profile/:user/edit
                profile.overview  screen  Profile.Overview  ProfileModule  app://profile/:user, app://profile  profile.show

                """)
        #expect(result.status == 0)
    }

    @Test func routes_asJSON_haveEverything() throws {
        struct Listed: Decodable, Equatable {
            var identifier, kind, route, module: String
            var urls, aliases: [String]
            var deprecation: String?
        }
        let result = try BuiltProgram.app.run(["--routes", "--json"])
        let routes = try JSONDecoder().decode([Listed].self, from: Data(result.output.utf8))
        #expect(
            routes.map(\.identifier) == [
                "login.sign-in", "login.sign-out", "profile.editor", "profile.overview",
            ])
        #expect(
            routes.last
                == Listed(
                    identifier: "profile.overview", kind: "screen", route: "Profile.Overview",
                    module: "ProfileModule", urls: ["app://profile/:user", "app://profile"],
                    aliases: ["profile.show"]))
    }

    @Test(arguments: ["--help", "-h"])
    func help_printsTheUsage(option: String) throws {
        let result = try BuiltProgram.app.run([option])
        #expect(result.output == Arguments.usage + "\n")
        #expect(result.status == 0)
    }

    @Test func help_fitsIntoATerminal() {
        for line in Arguments.usage.split(separator: "\n") { #expect(line.count <= 100) }
    }

    @Test(arguments: [
        (["--bogus"], "App: unknown argument '--bogus'"),
        (["--json"], "App: --json goes with --routes"),
        (["--check", "--routes"], "App: --check and --routes cannot be used together"),
        (["--check", "--open", "app://profile"], "App: --open and --check cannot be used together"),
        (["--open", "app://profile", "--restore", "f"], "App: --open and --restore cannot be used together"),
        (["--open", "app://profile", "--open", "app://profile"], "App: --open was given twice"),
        (["--open"], "App: --open needs a URL"),
        (["--open", "bob"], "App: --open needs a URL such as app://profile/bob, not 'bob'"),
        (["--open", "://"], "App: --open needs a URL such as app://profile/bob, not '://'"),
        (["--restore", "--trace"], "App: --restore needs a file"),
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
