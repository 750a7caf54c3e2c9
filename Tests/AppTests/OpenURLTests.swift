import Foundation
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
                Enter a number from 1 to \(FirstScreen.count) or q to quit.
                >\u{20}

                """))
    }

    @Test func guardedProfile_whenTheUserGoesBack_isNotShown() async throws {
        let result = try await BuiltProgram.app.run(["--open", "app://profile/bob"], input: ["", "", "0"])
        #expect(result.output.hasSuffix("> 0\n\n\(FirstScreen.signedOut)"))
        #expect(result.status == 0)
    }

    @Test func linkToTheFirstScreen_showsItOnce() async throws {
        let result = try await BuiltProgram.app.run(["--open", "app://home"])
        #expect(result.output == FirstScreen.signedOut)
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

    @Test func signOut_ofNobody_saysSoOnTheFirstScreen() async throws {
        let result = try await BuiltProgram.app.run(["--open", "app://sign-out"])
        let title = "== Home ==\n"
        #expect(
            result.output
                == FirstScreen.signedOut.replacing(title, with: "\(title)! You are not signed in.\n"))
        #expect(result.status == 0)
    }

    @Test(arguments: [
        (
            "app://profil/bob",
            "App: No route has the URL 'app://profil/bob'. The nearest is 'app://profile/:user'. "
                + "'App --routes' lists the URLs."
        ),
        ("http://x", "App: No route has the URL 'http://x'. 'App --routes' lists the URLs."),
        ("app://nowhere", "App: No route has the URL 'app://nowhere'. 'App --routes' lists the URLs."),
        (
            "app://sign-in?userName=ann&userName=bob",
            "App: app://sign-in?userName=ann&userName=bob cannot be opened: userName: The query has 2 items of "
                + "this name, not one."
        ),
    ])
    func urlThatLeadsNowhere_isRefusedBeforeAnythingIsShown(url: String, message: String) async throws {
        let result = try await BuiltProgram.app.run(["--open", url])
        #expect(result.errors == message + "\n")
        #expect(result.output.isEmpty)
        #expect(result.status == 64)
    }
}
