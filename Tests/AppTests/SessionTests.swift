import Foundation
import Testing

/// Whole sessions in line mode, compared exactly.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct SessionTests {
    @Test func wholeSession_onTheEmbeddedBackend() async throws {
        let result = try await BuiltProgram.app.run(input: WholeSession.input)
        #expect(result.output == WholeSession.output)
        #expect(result.errors.isEmpty)
        #expect(result.status == 0)
    }

    @Test func wholeSession_isTheSameOnAServer() async throws {
        try await ServerProcess.run { address in
            let result = try await BuiltProgram.app.run(
                ["--backend", address.absoluteString], input: WholeSession.input)
            #expect(result.output == WholeSession.output.replacing("│ \(ShownScreens.hint)", with: ""))
            #expect(result.errors.isEmpty)
            #expect(result.status == 0)
        }
    }

    @Test func wrongPassword_saysWhyAndKeepsTheForm() async throws {
        let result = try await BuiltProgram.app.run(input: [
            FirstScreen.profile, "ann", "sesame", "2", "secret",
        ])
        #expect(
            result.output.hasSuffix(
                """
                │ (An empty line keeps the text; :q goes back to the choices.)
                │ User name: ann
                │ Password: ••••••

                │ == Home › Sign in ==
                │ ! The user name or the password is wrong.
                │ \(ShownScreens.hint)│   1  User name: ann
                │   2  Password:
                │   3  Sign in
                │   0  Back
                │ > 2
                │ (An empty line keeps the text; :q goes back to the choices.)
                │ Password: ••••••

                \(ShownScreens.profileOfAnn)
                """))
        #expect(result.status == 0)
    }

    @Test(arguments: [String(repeating: "n", count: 41), String(repeating: "👩‍👩‍👧‍👦", count: 6)])
    func nameThatIsTooLong_isRefusedInPlace(name: String) async throws {
        let result = try await BuiltProgram.app.run(input: [FirstScreen.profile, "ann", "secret", "1", name])
        #expect(
            result.output.hasSuffix(
                """
                Display name [Ann Example]: \(name)
                ! Not inserted: at most 40 characters fit here.

                == Home › Profile › Edit profile ==
                  1  Display name: Ann Example
                  2  Save
                  0  Back
                >\u{20}

                """))
    }

    @Test func unsavedName_isAskedAboutBeforeItIsLost() async throws {
        let form = """
            == Home › Profile › Edit profile ==
            ! A display name has 1 to 40 characters; an emoji may count as several.
              1  Display name:  \u{20}
              2  Save
              0  Back
            > 0
            Discard the unsaved display name? (y/n)\u{20}
            """
        let result = try await BuiltProgram.app.run(
            input: [FirstScreen.profile, "ann", "secret", "1", "  ", "0", "n", "0", "y"])
        #expect(result.output.hasSuffix("\n\(form)n\n\n\(form)y\n\n\(ShownScreens.profileOfAnn)"))
    }

    @Test func backendThatIsDown_getsABannerAndTryAgain() async throws {
        var address = ""
        try await ServerProcess.run { address = $0.absoluteString }
        let input = [FirstScreen.profile, "ann", "secret", "3", "0"]
        let result = try await BuiltProgram.app.run(["--backend", address], input: input)
        let screens = result.output.components(separatedBy: "\n\n")
        #expect(screens.count == 5, "home, form, form after the attempt, form after the second, home")
        for screen in screens.dropFirst(2).prefix(2) {
            #expect(screen.hasPrefix("│ == Home › Sign in ==\n│ ! The server cannot be reached"))
            #expect(screen.contains("1  User name: ann\n│   2  Password: ••••••\n│   3  Sign in"))
        }
        #expect(result.status == 0)
    }

    @Test func endOfInput_endsTheProgramAtAnyPrompt() async throws {
        for input in [
            [], [FirstScreen.notes], [FirstScreen.notes, "ann"], [FirstScreen.notes, "ann", "secret"],
        ] {
            #expect(try await BuiltProgram.app.run(input: input).status == 0)
        }
    }
}

/// Signing in, changing one's name and looking at another profile.
@MainActor
private enum WholeSession {
    static let input = [FirstScreen.profile, "ann", "secret", "1", "Anna", "2"]
    static let output = """
        \(FirstScreen.signedOut.dropLast())\(FirstScreen.profile)

        \(ShownScreens.signInOfAnn)\(ShownScreens.profileOfAnn(name: "Ann Example"))1

        \(ShownScreens.nameChangedToAnna(above: "Home › Profile"))\(ShownScreens.profileOfAnn(name: "Anna"))2

        \(ShownScreens.profileOfBob(above: "Home › Profile"))

        """
}
