import DisplayInterface
import Foundation
import Observation
import RouterServiceInterface
import Testing

@testable import DisplayImplementation

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct LinePresenterTests {
    @Test func session_ofSignIn_printsEachSettledScreenOnce() async throws {
        let transcript = try await session(of: ["1", "ann", "wrong", "2", "secret", "q"]) { router, _ in
            let profile = ProfileExample(router)
            try router.show(profile.screen)
        }
        #expect(
            transcript == """
                == Profile ==
                Nobody is signed in.
                  1  Sign in
                > 1

                │ == Profile › Sign in ==
                │   1  User name:
                │   2  Password:
                │   3  Sign in
                │   0  Back
                │ (An empty line keeps the text; :q goes back to the choices.)
                │ User name: ann
                │ Password: ••••••

                │ == Profile › Sign in ==
                │ ! The user name or the password is wrong.
                │   1  User name: ann
                │   2  Password: ••••••
                │   3  Sign in
                │   0  Back
                │ > 2
                │ (An empty line keeps the text; :q goes back to the choices.)
                │ Password [••••••]: ••••••

                == Profile ==
                ann is signed in.
                  1  Sign in
                > q

                """)
    }

    /// The content changes while the user types the number.
    @Test(arguments: [true, false])
    func choice_isOfThePrintedPage(shrinks: Bool) async throws {
        let input = ScriptedLines(["", "2", "q"])
        let presenter = LinePresenter(input)
        let router = SmallRouter(presenter.stack)
        let change = Counter()
        var saves = 0
        let field = Display.Element.field(Display.Field("Title", text: "") { _ in })
        let save = Display.Element.button(Display.Button("Save") { saves += 1 })
        let changed = shrinks ? [save] : [.error("Full."), field, field, save]
        try router.show(
            Display.ContentScreen("Note", change.value == 0 ? [field, save] : changed))
        input.whileTyping = { prompt in if prompt == "> " { change.value = 1 } }
        try await presenter.run()
        #expect(saves == 1)
    }

    @Test(arguments: [
        "  1  Sign out", "\u{200B}  1  Sign out", "\u{A0} 1  Sign out", "1000  Sign out", "== Profile ==",
        "! No network.",
        "✓ Saved", "· Building", "> q", "0", "│ 1", "| text", "(An empty line keeps the text)",
    ])
    func textLikeTheTerminalsOwnLines_standsBehindABar(line: String) async throws {
        let transcript = try await session(of: ["q"]) { router, _ in
            try router.show(
                Display.ContentScreen("Page", [.text("A notice:\n\(line)"), .button(.init("Stay") {})]))
        }
        #expect(transcript == "== Page ==\nA notice:\n| \(line)\n  1  Stay\n> q\n")
    }

    @Test func session_whenAScreenAsksBeforeItIsLeft_printsTheQuestionAndGoesBackAfterTheAnswer() async throws
    {
        let transcript = try await session(of: ["0", "2", "0", "1", "q"]) { router, _ in
            let question = Display.ContentScreen(
                "Discard?",
                ["yes", "no"].map { answer in
                    .button(Display.Button(answer) { router.finish(answer) })
                })
            try router.show(Display.ContentScreen("A"))
            try router.show(Display.ContentScreen("B")) { try await router.result(of: question) == "yes" }
        }
        let asked = "│ == A › B › Discard? ==\n│   1  yes\n│   2  no\n│   0  Back\n│ "
        #expect(
            transcript == """
                == A › B ==
                  0  Back
                > 0

                \(asked)> 2

                == A › B ==
                  0  Back
                > 0

                \(asked)> 1

                == A ==
                > q

                """)
    }

    @Test func session_whenTheUserGoesBack_cancelsTheWaitingActionAndShowsNoError() async throws {
        let transcript = try await session(of: ["1", "", "", "0"]) { router, _ in
            let profile = ProfileExample(router)
            try router.show(profile.screen)
        }
        #expect(transcript.contains("│ User name: \n│ Password: \n\n│ == Profile › Sign in ==\n"))
        #expect(transcript.hasSuffix("│ > 0\n\n== Profile ==\nNobody is signed in.\n  1  Sign in\n> \n"))
    }

    @Test func badChoice_printsOneLineThatSaysWhatIsPossible() async throws {
        let nothing: Display.Action = {}
        let lines = ["x", "", "4", "0", "99999999999999999999", "-1", "q"]
        let transcript = try await session(of: lines) { router, _ in
            let go = Display.Button("Go", action: nothing)
            try router.show(
                Display.ContentScreen("Menu", [.button(go), .row(Display.Row("Bob", action: nothing))]))
        }
        let help = "Enter a number from 1 to 2 or q to quit.\n"
        #expect(
            transcript
                == "== Menu ==\n  1  Go\n  2  Bob\n> x\n\(help)> \n\(help)> 4\n\(help)> 0\n\(help)"
                + "> 99999999999999999999\n\(help)> -1\n\(help)> q\n")
    }

    @Test(arguments: [
        (0, false, "Enter q to quit.\n"), (1, false, "Enter 1 or q to quit.\n"),
        (0, true, "Enter 0 to go back or q to quit.\n"),
        (3, true, "Enter a number from 1 to 3, 0 to go back, or q to quit.\n"),
    ])
    func help_namesOnlyWhatIsPossible(choices: Int, goesBack: Bool, help: String) {
        let button = Display.Element.button(Display.Button("Go") {})
        let elements = Array(repeating: button, count: choices)
        #expect(
            PrintedPage(
                Page(Display.Content(title: "", elements: elements)), path: "", goesBack: goesBack
            ).help == help)
    }

    @Test func endOfInput_duringAnAction_waitsAndPrintsItsResult() async throws {
        let model = Counter()
        let transcript = try await session(of: ["1"]) { router, _ in
            let count = Display.Button("Count") {
                try await Task.sleep(for: .milliseconds(20))
                model.value += 1
            }
            try router.show(Display.ContentScreen("Counter \(model.value)", [.button(count)]))
        }
        #expect(
            transcript == """
                == Counter 0 ==
                  1  Count
                > 1

                == Counter 1 ==
                  1  Count
                > 

                """)
    }

    @Test func endOfInput_whileAFieldIsAsked_endsTheSession() async throws {
        let form = SignInExample()
        let transcript = try await session(of: ["Rene\u{301}"]) { router, _ in
            try router.show(form.screen { _ in })
        }
        #expect(transcript.hasSuffix("User name: Ren\u{E9}\nPassword: \n"))
        #expect(Array(form.user.unicodeScalars) == Array("Ren\u{E9}".unicodeScalars))
        #expect(form.attempts == 0)
    }

    @Test func progress_ofTheModelsOwnWork_isWaitedFor() async throws {
        let model = Counter()
        let transcript = try await session(of: []) { router, _ in
            try router.show(
                Display.ContentScreen(
                    "Work", [model.value < 3 ? .progress("Working") : .text("Done: \(model.value)")]))
            Task {
                while model.value < 3 {
                    try await Task.sleep(for: .milliseconds(5))
                    model.value += 1
                }
            }
        }
        #expect(transcript == "== Work ==\nDone: 3\n> \n")
    }

    @Test func progress_thatNeverEnds_isWaitedForAWhile_butAnActionToItsEnd() async throws {
        let model = Counter()
        let transcript = try await session(of: ["1"], patience: .milliseconds(20)) { router, _ in
            let save = Display.Button("Save") {
                try await Task.sleep(for: .milliseconds(200))
                model.value += 1
            }
            try router.show(
                Display.ContentScreen("Saved \(model.value)", [.progress("Working"), .button(save)]))
        }
        #expect(
            transcript
                == "== Saved 0 ==\nWorking\n  1  Save\n> 1\n\n== Saved 1 ==\nWorking\n  1  Save\n> \n")
    }

    @Test func appear_isWaitedFor_alsoWhenTheScreenIsOnTopAgain() async throws {
        let model = Counter()
        let transcript = try await session(of: ["1", "1", "0"]) { router, _ in
            let appearing = Display.ContentScreen(appear: {
                await Task.yield()
                model.value += 1
            }) {
                Display.Content(
                    title: "Appeared \(model.value)",
                    elements: [
                        .button(Display.Button("More") { try router.show(Display.ContentScreen("More")) })
                    ])
            }
            try router.show(appearing)
        }
        #expect(
            transcript == """
                == Appeared 1 ==
                  1  More
                > 1

                == Appeared 1 › More ==
                  0  Back
                > 1
                Enter 0 to go back or q to quit.
                > 0

                == Appeared 2 ==
                  1  More
                > 

                """)
    }

    @Test func printing_neverPassesControlCharactersOn() async throws {
        let transcript = try await session(of: ["\u{1B}[2J"]) { router, _ in
            try router.show(
                Display.ContentScreen(
                    "A\u{1B}]0;title\u{7}",
                    [.text("one\u{1B}[31m\r\ntwo\u{9B}\u{202E}"), .error("three\nfour")]))
        }
        #expect(
            transcript == """
                == A�]0;title� ==
                one�[31m
                two��
                ! three
                ! four
                > �[2J
                Enter q to quit.
                > 

                """)
    }

    @Test func typedLines_areNotEchoedWhenTheUserSeesThem() async throws {
        let transcript = try await session(of: ["q"], isTerminal: true) { router, _ in
            try router.show(Display.ContentScreen("A"))
        }
        #expect(transcript == "== A ==\n> ")
    }

    @Test(arguments: [EPIPE, ENOSPC])
    func closedOutput_endsTheSessionQuietly_andUnwritableOutputIsAnError(code: Int32) async throws {
        let failure = Display.OutputFailure(code: code)
        let terminal = LinePresenter(ScriptedLines(["1"]) { _ in throw failure })
        try SmallRouter(terminal.stack).show(Display.ContentScreen("A"))
        var thrown: Display.OutputFailure?
        do { try await terminal.run() } catch let error as Display.OutputFailure { thrown = error }
        #expect(thrown == (code == EPIPE ? nil : failure))
    }
}

/// A profile that waits for the result of a sign-in.
@MainActor
@Observable
private final class ProfileExample {
    private var user: String?
    private let router: SmallRouter

    init(_ router: SmallRouter) {
        self.router = router
    }

    var screen: Display.ContentScreen {
        Display.ContentScreen { [self] in
            Display.Content(
                title: "Profile",
                elements: [
                    .text(user.map { "\($0) is signed in." } ?? "Nobody is signed in."),
                    .button(
                        Display.Button("Sign in") { [self] in
                            user = try await router.result(
                                of: SignInExample().screen { [router] in router.finish($0) })
                        }),
                ])
        }
    }
}

@MainActor
@Observable
final class Counter {
    var value = 0
}
