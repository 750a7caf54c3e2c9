import Foundation
import Testing

/// Sessions whose stack survives the end of the program.
@MainActor
@Suite(.timeLimit(.minutes(5)))
final class RestorationTests {
    private let file = FileManager.default.temporaryDirectory.appending(component: "\(UUID()).json")
    private let data = DataFolder()

    deinit { try? FileManager.default.removeItem(at: file) }

    @Test func stack_isKeptAndShownAgainAfterTheSignIn() async throws {
        let first = try await run(input: [FirstScreen.profile, "ann", "secret", "2"])
        #expect(first.status == 0)
        let stored = try stored()
        #expect(
            stored == """
                {
                  "entries" : [
                    {
                      "route" : "home.overview|{}",
                      "style" : "root"
                    },
                    {
                      "route" : "profile.overview|{}",
                      "style" : "push"
                    },
                    {
                      "route" : "profile.overview|{\\"user\\":\\"bob\\"}",
                      "style" : "push"
                    }
                  ]
                }

                """)

        let second = try await run(input: ["ann", "secret"])
        #expect(
            second.output
                == "\(ShownScreens.signInOfAnn)\(ShownScreens.profileOfBob(above: "Home › Profile"))\n")
        #expect(try self.stored() == stored)

        let third = try await run(input: ["ann", "secret", "0"])
        #expect(third.output.hasSuffix("\n> 0\n\n\(ShownScreens.profileOfAnn)"))
        #expect(try !self.stored().contains("bob"))
    }

    @Test(arguments: [[], ["", "", "0"], ["", "", "0", "1"]])
    func stackThatNobodySignsInFor_staysInItsFile(input: [String]) async throws {
        let stack = #"{"entries":[{"route":"profile.overview|{\"user\":\"bob\"}","style":"root"}]}"#
        try store(stack)
        let result = try await run(input: input)
        #expect(result.output.hasPrefix("│ == Home › Sign in ==\n"))
        #expect(result.status == 0)
        #expect(try stored() == stack)
    }

    @Test func stackThatCannotBeShown_isABannerAndStaysInItsFile() async throws {
        let stack =
            #"{"entries":[{"route":"home.overview","style":"root"},"#
            + #"{"route":"login.sign-in","style":"embedded"}]}"#
        try store(stack)
        let result = try await run(input: [])
        #expect(
            result.output.hasPrefix(
                "== Home ==\n! Login.SignIn cannot be opened in the style 'embedded'."))
        #expect(try stored() == stack)
    }

    @Test func stackThatCannotBeShownAfterTheSignIn_leavesTheFirstScreen() async throws {
        try store(
            #"{"entries":[{"route":"profile.overview|{\"user\":\"bob\"}","style":"root"},"#
                + #"{"route":"login.sign-in","style":"embedded"}]}"#)
        let result = try await run(input: ["ann", "secret"])
        let home = FirstScreen.signedIn(as: "ann").replacing(
            "== Home ==\n",
            with:
                "== Home ==\n! Login.SignIn cannot be opened in the style 'embedded'. Call 'embed' of a screen's "
                + "context.\n")
        #expect(result.output == ShownScreens.signInOfAnn + home)
    }

    @Test(arguments: [
        (#"{"entries":[{"style":"root"}]}"#, "entries[0].route: the key is missing."),
        (
            #"{"entries":[{"route":"profile.overvieuw","style":"root"}]}"#,
            "entries[0].route: No route has the identifier 'profile.overvieuw'. The nearest is 'profile.overview'."
        ),
    ])
    func unreadableFile_isRefusedAndStaysAsItWas(content: String, reason: String) async throws {
        try store(content)
        let result = try await run(input: ["q"])
        #expect(
            result.errors == "App: The stack in \(file.path) cannot be restored: \(reason) "
                + "Remove the file, or name another file.\n")
        #expect(result.output.isEmpty)
        #expect(result.status == 1)
        #expect(try stored() == content)
    }

    @Test(arguments: ["{\"entr", "[]", #"{"entries":[]}"#])
    func fileWithoutAStack_isRefusedWithARemedyAndStaysAsItWas(content: String) async throws {
        try store(content)
        let result = try await run(input: ["q"])
        #expect(
            result.errors == "App: The file \(file.path) holds no stack. Remove it, or name another file.\n")
        #expect(result.status == 1)
        #expect(try stored() == content)
    }

    @Test func fileThatCannotBeWritten_isReportedBeforeAnythingIsShown() async throws {
        for path in [
            file.appending(component: "inside").path, FileManager.default.temporaryDirectory.path,
            "/dev/null",
        ] {
            let result = try await BuiltProgram.app.run(["--restore", path])
            #expect(result.output.isEmpty)
            #expect(result.errors.hasPrefix("App: The stack cannot be kept in \(path): "))
            #expect(result.status == 1)
        }
    }

    @Test func unsavedText_isThereAgain_andSecretsNeverAre() async throws {
        _ = try await run(input: [FirstScreen.profile, "ann", "secret", "1", "   "])
        let stored = try stored()
        #expect(stored.contains(#""json" : "{\"draft\":\"   \"}""#))
        #expect(!stored.contains("secret"), "a token")
        #expect(!stored.contains(/[0-9a-f]{48}/), "a token")
        let second = try await run(input: ["ann", "secret"])
        #expect(second.output.contains("\n  1  Display name:    \n"))
    }

    /// The list waits for the result of the editor, and waits no longer when the user quits.
    @Test(arguments: [["q"], []])
    func editorThatAScreenWaitsFor_isThereAgain(ending: [String]) async throws {
        let arguments = ["--data", data.path, "--restore", file.path]
        _ = try await BuiltProgram.app.run(
            arguments, input: [FirstScreen.notes, "ann", "secret", "1", "Milk", "."] + ending)
        let again = try await BuiltProgram.app.run(arguments)
        #expect(again.output.contains("== Home › Notes › New note ==\n  1  Title: Milk\n"))
    }

    private func run(input: [String]) async throws -> ProgramResult {
        try await BuiltProgram.app.run(["--restore", file.path], input: input)
    }

    private func stored() throws -> String {
        try String(contentsOf: file, encoding: .utf8)
    }

    private func store(_ content: String) throws {
        try Data(content.utf8).write(to: file)
    }
}
