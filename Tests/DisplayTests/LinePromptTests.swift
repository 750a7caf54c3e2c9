import DisplayInterface
import RouterServiceInterface
import Testing

@testable import DisplayImplementation

/// The prompts of line mode, and the ways in which they end.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct LinePromptTests {
    private let help = "(An empty line keeps the text; :q goes back to the choices.)"
    private let form = SignInExample()

    private var choices: String { "== Sign in ==\n  1  User name:\n  2  Password:\n  3  Sign in\n" }

    @Test func requestOfAnotherProgram_waitsUntilTheFormIsLeft() async throws {
        let path = "== Root › Sign in ==\n"
        try await checkRequest(
            lines: ["ann", "wrong", "0"], at: "User name: ", above: [Display.ContentScreen("Root")],
            begins: """
                \(path)  1  User name:
                  2  Password:
                  3  Sign in
                  0  Back
                \(help)
                User name: ann
                Password: ••••••

                \(path)! The user name or the password is wrong.
                  1  User name: ann
                  2  Password: ••••••
                  3  Sign in
                  0  Back
                > 0

                == Root › Opened ==

                """)
        #expect(form.user == "ann")
        #expect(form.password == "wrong")
    }

    @Test func requestOfAnotherProgram_waitsUntilTheLineIsTyped_whateverIsInIt() async throws {
        for line in ["3", "x", ""] {
            let form = "\(choices)\(help)\nUser name: :q\n\n\(choices)> "
            let rest = line == "3" ? "" : "Enter a number from 1 to 3 or q to quit.\n"
            try await checkRequest(
                lines: [":q", line], at: "> ", begins: "\(form)\(line)\n\(rest)\n== Sign in › Opened ==\n")
        }
        #expect(form.attempts == 1)
    }

    /// Checks what is printed when another program asks for a screen, and then for something that fails, at a prompt.
    private func checkRequest(
        lines: [String], at place: String, above screens: [Display.ContentScreen] = [], begins: String
    ) async throws {
        var transcript = ""
        let input = ScriptedLines(lines + ["0", "q"]) { transcript += $0 }
        let presenter = LinePresenter(input)
        let router = SmallRouter(presenter.stack)
        for screen in screens { try router.show(screen) }
        try router.show(form.screen { _ in })
        input.whileTyping = { prompt in
            guard prompt == place else { return }
            input.whileTyping = { _ in }
            presenter.perform { try router.show(Display.ContentScreen("Opened")) }
            presenter.perform { throw SignInExample.WrongPassword() }
            // A whole session in which a request begins takes more steps.
            _ = try? await session(of: ["q"]) { router, presenter in
                try router.show(Display.ContentScreen("Root"))
                presenter.perform { try router.show(Display.ContentScreen("Opened")) }
            }
        }
        try await presenter.run()
        #expect(transcript.hasPrefix("\(begins)! The user name or the password is wrong.\n"), "\(transcript)")
    }

    @Test func fieldBelowAButton_isNotAskedFor_untilItIsChosen() async throws {
        var words = ""
        let transcript = try await session(of: ["2", "tea", "q"]) { router, _ in
            let field = Display.Field("Search", text: "") { words = $0 }
            try router.show(
                Display.ContentScreen("List", [.button(Display.Button("New") {}), .field(field)]))
        }
        let list = "== List ==\n  1  New\n  2  Search:\n> "
        #expect(transcript == "\(list)2\n\(help)\nSearch: tea\n\n\(list)q\n")
        #expect(words == "tea")
    }

    @Test func colonQ_cancelsAllPromptsOfTheForm() async throws {
        let transcript = try await session(of: [":q", "2", ":q", "q"]) { router, _ in
            try router.show(form.screen { _ in })
        }
        #expect(
            transcript
                == "\(choices)\(help)\nUser name: :q\n\n\(choices)> 2\n\(help)\nPassword: ••••••\n\n\(choices)> q\n"
        )
        #expect(form.user.isEmpty)
        #expect(form.password.isEmpty)
        #expect(form.attempts == 0)
    }

    /// Whatever ends the program, the lines that were entered are not lost.
    @Test func textArea_takesEachLineOver_untilTheUserGoesBack() async throws {
        final class Model { var text = "old" }
        let model = Model()
        var texts: [String] = []
        for last in [".", ":q", nil] {
            model.text = "old"
            _ = try await session(of: ["one", "", "two", last]) { router, _ in
                try router.show(
                    Display.ContentScreen {
                        let field = Display.Field.textArea("Text", text: model.text, limit: 100) {
                            model.text = $0
                            texts.append($0)
                        }
                        return Display.Content(title: "Form", elements: [.text("A form"), .field(field)])
                    })
            }
            #expect(model.text == (last == ":q" ? "old" : "one\n\ntwo"), "\(last ?? "the end of input")")
        }
        #expect(texts.prefix(3) == ["one", "one\n", "one\n\ntwo"])
    }

    @Test func controlD_atATerminal_cancelsThePrompts_andAtTheChoicesQuits() async throws {
        let transcript = try await session(of: ["ann", nil, nil], isTerminal: true) { router, _ in
            try router.show(form.screen { _ in })
        }
        #expect(
            transcript == "\(choices)\(help)\nUser name: Password: \n\n"
                + "== Sign in ==\n  1  User name: ann\n  2  Password:\n  3  Sign in\n> \n")
    }

    @Test(arguments: ["漢字漢字漢字", "xxxxxx"])
    func whatDoesNotFit_isRefused_andTheTextStays(line: String) async throws {
        var name = "ann"
        let transcript = try await session(of: [line, "q"]) { router, _ in
            try router.show(
                Display.ContentScreen(
                    "Form", [.field(Display.Field("Name", text: name, limit: 5) { name = $0 })]))
        }
        #expect(
            transcript.contains(
                "! Not inserted: at most 5 characters fit here.\n\n== Form ==\n  1  Name: ann\n> q\n")
        )
        #expect(name == "ann")
    }

    @Test(arguments: [
        ("y", true), (" YES ", true), ("n", false), ("", false), (nil, false), ("yesyes", false),
    ])
    func question_isPutBeforeTheNextScreen(answer: String?, isYes: Bool) async throws {
        var wasLeft = false
        let transcript = try await session(of: ["0", answer, "q"]) { router, presenter in
            try router.show(Display.ContentScreen("A"))
            try router.show(Display.ContentScreen("B")) {
                wasLeft = await presenter.confirm("Discard what you\u{1B} typed?")
                return wasLeft
            }
        }
        #expect(transcript.hasPrefix("== A › B ==\n  0  Back\n> 0\nDiscard what you\u{FFFD} typed? (y/n) "))
        #expect(transcript.hasSuffix("\n== A ==\n> q\n") == isYes, "\(transcript)")
        #expect(wasLeft == isYes)
    }

    @Test(
        arguments: [
            (.positive, "✓"), (.warning, "!"), (.negative, "!"), (.accent, "·"), (.muted, "·"),
        ] as [(Display.Role, String)])
    func notice_isPrintedAboveTheNextScreen_once(role: Display.Role, mark: String) async throws {
        let transcript = try await session(of: ["1", "1", "q"]) { router, presenter in
            var count = 0
            let save = Display.Button("Save") {
                if count == 0 { presenter.notify("Saved\u{7}", as: role) }
                count += 1
            }
            try router.show(Display.ContentScreen("A", [.button(save)]))
        }
        #expect(
            transcript
                == "== A ==\n  1  Save\n> 1\n\n\(mark) Saved\u{FFFD}\n== A ==\n  1  Save\n> 1\n\n== A ==\n  1  Save\n> q\n"
        )
    }

    @Test func list_isPrintedWithANumberForEachRow() async throws {
        var pressed: [Int] = []
        let transcript = try await session(of: ["12", "q"]) { router, _ in
            let list = Display.List(0..<100, id: \.self) { row in
                Display.Row("row \(row)", detail: "more") { pressed.append(row) }
            }
            try router.show(Display.ContentScreen("A", [.button(Display.Button("Go") {}), .list(list)]))
        }
        #expect(transcript.hasPrefix("== A ==\n  1  Go\n  2  row 0 — more\n"))
        #expect(transcript.contains("\n101  row 99 — more\n> 12\n"))
        #expect(pressed == [10])
    }
}
