import Foundation
import Testing

@testable import App

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct CommandLineTests {
    /// The modules that these tests know; others may be added to the App.
    private let known = ["DisplayModule", "LoginModule", "ProfileModule"]

    @Test(arguments: [[], ["--backend", "http://127.0.0.1:1"]])
    func check_ofEitherBackend_findsNoProblem(backend: [String]) async throws {
        let result = try await BuiltProgram.app.run(["--check"] + backend)
        let lines = result.output.split(separator: "\n")
        let summary = /[0-9]+ routes, [0-9]+ services, 0 problems(?:, [0-9]+ warnings?)?/
        #expect(lines.last?.wholeMatch(of: summary) != nil)
        // A module that was just added may provide services that nothing needs yet.
        #expect(lines.dropLast().allSatisfy { $0.hasPrefix("warning: any ") })
        #expect(!lines.dropLast().contains { $0.contains(/^warning: any (?:Display|HTTP|Login|Profile)\./) })
        #expect(result.errors.isEmpty)
        #expect(result.status == 0)
    }

    @Test func routes_areATableToRead() async throws {
        let result = try await BuiltProgram.app.run(["--routes"])
        let rows = result.output.split(separator: "\n").map { $0.split(separator: /\s{2,}/).map(String.init) }
        #expect(
            rows.first == [
                "identifier", "kind", "route", "module", "interceptors", "URLs",
            ])
        #expect(
            rows.filter { $0.count > 3 && known.contains($0[3]) } == [
                [
                    "login.sign-in", "screen", "Login.SignIn", "LoginModule", "ServerRules",
                    "app://sign-in?userName",
                ],
                [
                    "login.sign-out", "action", "Login.SignOut", "LoginModule", "ServerRules, ActionGuard",
                    "app://sign-out",
                ],
                [
                    "profile.editor", "screen", "Profile.Editor", "ProfileModule", "ServerRules, SignInGuard",
                    "app://profile/:user/edit",
                ],
                [
                    "profile.overview", "screen", "Profile.Overview", "ProfileModule",
                    "ServerRules, SignInGuard",
                    "app://profile/:user, app://profile",
                ],
            ])
        #expect(result.status == 0)
    }

    private struct Listed: Decodable, Equatable {
        let identifier, kind, route, module: String
        let interceptors, urls: [String]
    }

    @Test func routes_asJSON_haveEverything() async throws {
        let result = try await BuiltProgram.app.run(["--routes", "--json"])
        let routes = try JSONDecoder().decode([Listed].self, from: Data(result.output.utf8))
        #expect(
            routes.filter { known.contains($0.module) }.map(\.identifier) == [
                "login.sign-in", "login.sign-out", "profile.editor", "profile.overview",
            ])
        #expect(
            routes.first { $0.identifier == "profile.overview" }
                == Listed(
                    identifier: "profile.overview", kind: "screen", route: "Profile.Overview",
                    module: "ProfileModule", interceptors: ["ServerRules", "SignInGuard"],
                    urls: ["app://profile/:user", "app://profile"]))
        // Each route of an interface has a handler.
        let modules = BuiltProgram.checkout("Modules").path
        let files = try FileManager.default.subpathsOfDirectory(atPath: modules.path)
            .filter { $0.contains("/Interface/") && $0.hasSuffix(".swift") }
        var declared: Set<String> = []
        for file in files {
            let source = try String(contentsOf: modules.appending(path: file), encoding: .utf8)
            declared.formUnion(source.matches(of: /static let identifier = "(.+)"/).map { String($0.1) })
        }
        #expect(declared.contains("login.sign-in"))
        #expect(declared.subtracting(routes.map(\.identifier)) == [])
    }

    @Test(arguments: ["--help", "-h"])
    func help_printsTheUsage(option: String) async throws {
        let result = try await BuiltProgram.app.run([option])
        #expect(result.output == Arguments.usage + "\n")
        #expect(result.status == 0)
    }

    @Test func help_fitsIntoATerminal_andShowsHowToGetIn() {
        for line in Arguments.usage.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        #expect(
            Arguments.usage.contains(
                "\nThe server inside the App knows ann and bob; their password is secret.\n"))
        #expect(Arguments.usage.contains("~/.local/state/ModularSwift"))
    }

    @Test(arguments: [
        (["--bogus"], "App: unknown argument '--bogus'"),
        (["--json"], "App: --json requires --routes"),
        (["--trace", "--check"], "App: --check and --trace cannot be used together"),
        (["--routes", "--trace"], "App: --routes and --trace cannot be used together"),
        (["--data", "d", "--serve", "--trace"], "App: --serve and --trace cannot be used together"),
        (["-h", "--trace"], "App: --help and --trace cannot be used together"),
        (["--json", "--check"], "App: --check and --json cannot be used together"),
        (["--configuration", "f"], "App: --configuration requires --serve"),
        (["--serve", "--open", "app://profile"], "App: --open and --serve cannot be used together"),
        (["--serve", "--send", "app://profile"], "App: --send and --serve cannot be used together"),
        (
            ["--data", "d", "--serve", "--backend", "http://x"],
            "App: --serve and --backend cannot be used together"
        ),
        (["--serve", "--serve", "1"], "App: --serve was given twice"),
        (["--data", "d", "--serve", "65536"], "App: --serve needs a port from 0 to 65535, not '65536'"),
        (["--data", "d", "--serve", "http"], "App: --serve needs a port from 0 to 65535, not 'http'"),
        (["--data", "d", "--serve", ""], "App: --serve needs a port from 0 to 65535, not ''"),
        (["--configuration", "--serve"], "App: --configuration needs a file"),
        (["--send", "app://profile"], "App: --send and --ephemeral cannot be used together"),
        (["--check", "--routes"], "App: --check and --routes cannot be used together"),
        (["--check", "--open", "app://profile"], "App: --open and --check cannot be used together"),
        (["--open", "app://profile", "--restore", "f"], "App: --open and --restore cannot be used together"),
        (["--data", "d", "--ephemeral"], "App: --data and --ephemeral cannot be used together"),
        (["--data"], "App: --data needs a folder"),
        (["--open", "app://profile", "--open", "app://profile"], "App: --open was given twice"),
        (["--open"], "App: --open needs a URL"),
        (["--open", "bob"], "App: --open needs a URL such as app://profile/bob, without a user name"),
        (["--open", "://"], "App: --open needs a URL such as"),
        (["--open", "app://ann:hush@profile/bob"], "App: --open needs a URL such as"),
        (["--open", "//ann:hush@profile"], "App: --open needs a URL such as"),
        (["--backend"], "App: --backend needs an address"),
        (
            ["--backend", "http://ann:hush@host?x"],
            "App: --backend needs an address such as http://127.0.0.1:8080, without a user name"
        ),
        (["--backend", "http://ann:hu/s@h@host"], "App: --backend needs an address such as"),
        (["--backend", "ann:hush@host"], "App: --backend needs an address such as"),
        (
            ["--\u{1B}[31mred\u{7}\u{202E}\u{9B}2J"],
            "App: unknown argument '--\u{FFFD}[31mred\u{FFFD}\u{FFFD}\u{FFFD}2J'"
        ),
        (["--two\nlines"], "App: unknown argument '--two lines'"),
        (["--backend", "ftp://x"], "App: --backend needs an address such as"),
        (["--backend", "http://127.0.0.1:99999"], "App: --backend needs an address such as"),
        (["--backend", "http://127.0.0.1/?a=b"], "App: --backend needs an address such as"),
        (["--backend", "http://127.0.0.1:99999999999999999999"], "App: --backend needs an address such as"),
        (["--backend", "http://127.0.0.1:0"], "App: --backend needs an address such as"),
    ])
    func badArguments_getOneLineAndExit64(arguments: [String], message: String) async throws {
        let result = try await BuiltProgram.app.run(arguments)
        #expect(result.errors.hasPrefix(message))
        #expect(result.errors.hasSuffix(". 'App --help' lists the options.\n"))
        #expect(result.errors.count { $0.isNewline } == 1)
        #expect(result.output.isEmpty)
        #expect(!result.errors.contains("hush"))
        #expect(result.status == 64)
    }

    @Test(arguments: [["--check"], ["--serve"], ["--send", "app://profile"]])
    func fileAsTheFolderOfData_isReportedAtOnce(task: [String]) async throws {
        let result = try await BuiltProgram.app.run(task + ["--data", "/etc/passwd"])
        #expect(
            result.errors == "App: The data in /etc/passwd cannot be used: this is a file. Name a folder.\n")
        #expect(result.status == 1)
    }

    @Test(arguments: [
        ("--open", "app://sign-in?userName=a&userName="),
        ("--restore", ""), ("--ephemeral", ""),
    ])
    func longValue_isShortenedInTheMessage(option: String, start: String) async throws {
        let result = try await BuiltProgram.app.run([option, start + String(repeating: "x", count: 100_000)])
        #expect(result.errors.utf8.count < 4000)
        #expect(result.errors.contains("xxxxxxxx…xxxxxxxx"))
        #expect(result.status != 0)
    }

    @Test func shortValue_isWhole_andALongOneOfOneCharacterIsNot() {
        let kanji = String(repeating: "漢", count: 200)
        #expect(shortened(kanji) == kanji)
        #expect(shortened("e" + String(repeating: "\u{301}", count: 1000)).unicodeScalars.count == 200)
    }

    @Test func schemeOfTheBackend_mayBeWrittenInCapitals() async throws {
        try await ServerProcess.run { address in
            let result = try await BuiltProgram.app.run(
                ["--backend", address.absoluteString.replacing("http:", with: "HTTP:")],
                input: [FirstScreen.profile, "ann", "secret"])
            #expect(result.output.contains("Ann Example"))
            #expect(result.errors.isEmpty)
        }
    }

    /// A report that is not delivered must not look like a success.
    @Test(
        arguments: [["--check"], ["--routes"], ["--routes", "--json"], ["--help"]],
        ["full", "closed", "unread"])
    func output_thatDoesNotArrive_isAFailure(arguments: [String], output: String) async throws {
        let app = try BuiltProgram.app.path.path
        let shell =
            switch output {
            case "full": #""$0" "$@" >/dev/full"#
            case "closed": #""$0" "$@" >&-"#
            default: #"{ sleep 0.3; "$0" "$@"; echo $? >&2; } | true"#
            }
        // A device that is always full exists on Linux only.
        guard output != "full" || FileManager.default.fileExists(atPath: "/dev/full") else { return }
        let result = try await BuiltProgram(path: URL(filePath: "/bin/sh")).run(
            ["-c", shell, app] + arguments)
        let reason =
            ["full": "No space left on device", "closed": "Bad file descriptor"][output] ?? "Broken pipe"
        let end = output == "unread" ? "1\n" : ""
        let remedy = "Check where it is redirected to."
        #expect(result.errors == "App: The output cannot be written: \(reason). \(remedy)\n\(end)")
        #expect(result.status == (output == "unread" ? 0 : 1), "of a pipe, the reader's")
    }

    /// A device that never ends a line, and a descriptor that cannot be read.
    @Test(arguments: ["</dev/full", "</dev/zero", "</", "<&-"])
    func inputWithoutLines_endsTheProgram(input: String) async throws {
        guard input != "</dev/full" || FileManager.default.fileExists(atPath: "/dev/full") else { return }
        let result = try await BuiltProgram(path: URL(filePath: "/bin/sh")).run([
            "-c", #"exec "$0" --ephemeral \#(input)"#, BuiltProgram.app.path.path,
        ])
        #expect(result.output == FirstScreen.signedOut)
        #expect(result.errors.isEmpty)
        #expect(result.status == 0)
    }

    /// The libraries of the system end a program that may open a few files only.
    @Test func tooFewDescriptors_areReported() async throws {
        let script = #"ulimit -n 9; exec "$0" --ephemeral"#
        let result = try await BuiltProgram(path: URL(filePath: "/bin/sh")).run(
            ["-c", script, BuiltProgram.app.path.path])
        #expect(
            result.errors
                == "App: The App needs up to 128 open files, and the system lets it open 9. Raise the limit with "
                + "'ulimit -n 128'.\n")
        #expect(result.output.isEmpty)
        #expect(result.status == 1)
    }

    @Test func wordsOfAPath_areNotObeyed() async throws {
        let result = try await BuiltProgram.app.run(["--restore", "/no\u{1B}[2J\nwhere/x"])
        #expect(
            result.errors
                == "App: The stack cannot be kept in /no\u{FFFD}[2J\nwhere/x: No such file or directory.\n")
    }
}
