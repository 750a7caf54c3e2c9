import Foundation
import NotesInterface
import RouterServiceImplementation
import RouterServiceInterface
import Testing

@testable import App

/// Sessions that begin with a URL, compared exactly.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct OpenURLTests {
    @Test(arguments: ["app://profile/bob", "app://profile/bob/edit"])
    func profileOfSomebodyElse_isShownAfterTheSignIn_alsoWhereItWasToBeEdited(url: String) async throws {
        let result = try await BuiltProgram.app.run(["--open", url], input: ["ann", "secret", "0"])
        #expect(
            result.output == """
                \(ShownScreens.signInOfAnn)\(ShownScreens.profileOfBob(above: "Home"))0

                \(FirstScreen.signedIn(as: "ann"))
                """)
        #expect(result.errors.isEmpty)
        #expect(result.status == 0)
    }

    @Test func editorOfOnesOwnProfile_isShownAfterTheSignIn() async throws {
        let result = try await BuiltProgram.app.run(
            ["--open", "app://profile/ann/edit"], input: ["ann", "secret", "Anna", "0"])
        #expect(
            result.output.hasSuffix(
                """
                Password: ••••••

                \(ShownScreens.nameChangedToAnna(above: "Home"))\(FirstScreen.signedIn(as: "ann").dropLast())0
                Enter a number from 1 to \(FirstScreen.session) or q to quit.
                >\u{20}

                """))
    }

    @Test func guardedProfile_whenTheUserGoesBack_isNotShown() async throws {
        let result = try await BuiltProgram.app.run(["--open", "app://profile/bob"], input: ["", "", "0"])
        #expect(result.output.hasSuffix("> 0\n\n\(FirstScreen.signedOut)"))
        #expect(result.status == 0)
    }

    @Test func signInForm_ofAURLWithAName_asksForThePassword() async throws {
        let result = try await BuiltProgram.app.run(
            ["--open", "app://sign-in?userName=ann"], input: ["secret"])
        #expect(
            result.output.hasPrefix(
                """
                == Home › Sign in ==
                \(ShownScreens.hint)User name: ann
                  1  Password:
                  2  Sign in
                  3  Use another name
                  0  Back
                (An empty line keeps the text; :q goes back to the choices.)
                Password: ••••••

                == Home ==
                """))
    }

    /// The first screen comes on top again while the action runs that asked for the sign-in.
    @Test func action_afterASignIn_endsOnTheFirstScreen() async throws {
        let result = try await BuiltProgram.app.run(
            ["--open", "app://notes/synchronize"], input: ["ann", "secret", "y"])
        #expect(result.output.contains("\n\n\(FirstScreen.signedIn(as: "ann").dropLast())"))
        #expect(result.status == 0)
    }

    @Test func outputOfAURL_isPrintedAsJSONWhenTheAppEnds() async throws {
        let result = try await BuiltProgram.app.run(
            ["--output", "app://notes/new"], input: ["ann", "secret", "Tea", ".", "3"])
        let note = result.output.split(separator: "\n").last ?? ""
        #expect(note.hasPrefix(#"{"changed":"20"#), "\(result.output)")
        #expect(note.contains(#""title":"Tea""#), "\(result.output)")
        #expect(result.errors.isEmpty)
        #expect(result.status == 0)
    }

    @Test func outputOfAURL_thatTheUserLeft_isAnError() async throws {
        let result = try await BuiltProgram.app.run(
            ["--output", "app://notes/new"], input: ["ann", "secret"])
        #expect(result.errors == "App: app://notes/new was left without an output.\n")
        #expect(result.status == 1)
    }

    @Test func outputOfAURL_whoseDestinationHasNone_isRefusedBeforeAnythingIsShown() async throws {
        let result = try await BuiltProgram.app.run(["--output", "app://notes"])
        #expect(
            result.errors
                == "App: --output needs a URL with an output that can be JSON, and Notes.List has none. "
                + "'App --help' lists the options.\n")
        #expect(result.output.isEmpty)
        #expect(result.status == 64)
    }

    @Test func outputOfAnAdapter_isThatOfItsRoute() async throws {
        let router = RouterService(modules: modules(backend: nil, dataPath: nil) + [Adapting()])
        let launch = Launch.output(try #require(URL(string: "app://writing")))
        let error = await #expect(throws: ArgumentError.self) { try await launch.run(on: router) }
        #expect(error?.errorDescription?.contains("and OpenURLTests.Writing has none.") == true)
    }

    /// A route without an output that leads to one with an output.
    private struct Writing: Route {
        static let identifier = "writing"
    }

    private struct Adapting: Module {
        func register(in registrar: Registrar) {
            registrar.adapt(
                Writing.self, to: Notes.Editor.self, .url("app://writing"), route: { _ in Notes.Editor() },
                output: { _ in })
        }
    }

    @Test func signOut_showsNothingButTheFirstScreen() async throws {
        let (result, trace) = try await BuiltProgram.app.runTraced(["--open", "app://sign-out"])
        #expect(result.output == FirstScreen.signedOut)
        #expect(trace.contains("\nperformed login.sign-out|{} in "))
        #expect(result.status == 0)
    }

    @Test(arguments: [
        (
            "app://profil/bob",
            "App: No route has a URL pattern that matches 'app://profil/bob'. The nearest is 'app://profile/:user'."
        ),
        (
            "app://sign-in?userName=ann&userName=bob",
            "App: app://sign-in?userName=ann&userName=bob cannot be opened: The query has 2 items of this name, "
                + "not one. (at userName)"
        ),
    ])
    func urlThatLeadsNowhere_isRefusedBeforeAnythingIsShown(url: String, message: String) async throws {
        let result = try await BuiltProgram.app.run(["--open", url])
        #expect(result.errors == message + "\n")
        #expect(result.output.isEmpty)
        #expect(result.status == 64)
    }
}
