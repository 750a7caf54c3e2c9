import DisplayInterface
import DisplayTesting
import Observation
import RouterServiceInterface
import Testing

@testable import DisplayImplementation

/// The effects of keys and the mouse, on an emulated terminal and without waiting for anything.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct FullScreenKeysTests: EmulatedTerminalSuite {
    let terminal: EmulatedTerminal
    private let shortcuts = RecordedShortcuts()

    init() { terminal = EmulatedTerminal(trace: FakeTrace(), shortcuts: shortcuts) }

    private var lines: [String] { device.screen.lines }
    private var text: String { device.screen.text }
    private var focused: String? {
        lines.first { $0.hasPrefix("› ") }.map { String($0.dropFirst(2)) }
    }

    private func show(_ elements: @autoclosure @escaping @MainActor () -> [Display.Element]) throws {
        try show(Display.ContentScreen("Page", elements()))
    }

    private func rows(_ count: Int, pressed: @escaping @MainActor (Int) -> Void = { _ in }) -> Display.Element
    {
        .list(Display.List(0..<count, id: \.self) { row in Display.Row("row \(row)") { pressed(row) } })
    }

    private final class RecordedShortcuts: Display.Shortcuts {
        var pressed: [Character] = []
        func press(control letter: Character) { pressed.append(letter) }
    }

    @Test func controlKeys_thatStandForNothingElse_areTheProgramsOwn_alsoInAField() throws {
        var text = ""
        try show([.field(Display.Field("Name", text: text) { text = $0 })])
        var parser = KeyParser()
        for key in parser.parse([0x12, 0x14, 0x00, 0x05, 0x1C]) { try press(key) }
        #expect(shortcuts.pressed == ["r", "t"])
        #expect(text.isEmpty)
    }

    @Test func hiddenScreen_whoseTitleIsNotInTheBar_isNotEvaluated_whileTheUserTypesAboveIt() async throws {
        let model = Counted()
        var evaluations = 0
        try router.show(
            Display.ContentScreen {
                evaluations += 1
                return Display.Content(title: "\(model.count)", elements: [])
            })
        try presenter.draw()
        for _ in 1...10 { try router.show(Display.ContentScreen(String(repeating: "long ", count: 200))) }
        try show([.field(Display.Field("Name", text: "") { _ in model.count += 1 })])
        let before = evaluations
        for _ in 1...3 {
            try press(.text("a"))
            // Observed changes are reported in tasks of their own, which began before this one.
            await Task {}.value
            try presenter.draw()
        }
        #expect(model.count == 3)
        #expect(evaluations == before)
    }

    @Observable
    @MainActor
    final class Counted { var count = 0 }

    @Test func letters_moveTheFocus_andQuit() throws {
        try show([rows(20)])
        try press(.text("j"), .text("jj"), .text("k"))
        #expect(focused == "row 2")
        #expect(try !presenter.handle([.text("q")]))
    }

    @Test func digits_chooseTheFirstNine() async throws {
        var pressed: [Int] = []
        try show([.button(Display.Button("Go") { pressed.append(-1) }), rows(20) { pressed.append($0) }])
        #expect(lines.contains("2 row 0"))
        #expect(lines.contains("9 row 7"))
        #expect(lines.contains("  row 8"))
        try press(.text("3"))
        while pressed.isEmpty { try await yieldUnlessCancelled() }
        #expect(pressed == [1])
        #expect(focused == "row 1")
        try press(.text("0"))
    }

    @Test func letters_inAField_areTyped() throws {
        var name = ""
        try show([.field(Display.Field("Name", text: name) { name = $0 }), rows(3)])
        try press(.text("q?jt1e"), .text("\u{301}"), .text("e\u{301}"))
        #expect(Array(name.unicodeScalars) == Array("q?jt1\u{E9}\u{E9}".unicodeScalars))
        try press(.backspace, .backspace, .tab, .text("j"))
        #expect(name == "q?jt1")
        #expect(focused == "row 1")
    }

    @Test func controlC_quitsAlsoInAField() throws {
        try show([.field(Display.Field("Name", text: "") { _ in })])
        #expect(try !presenter.handle([.interrupt]))
    }

    @Test func lettersThatArriveTogether_goToTheFieldThatTheFirstLeadsTo() throws {
        var name = ""
        try show([.button(Display.Button("Go") {}), .field(Display.Field("Name", text: name) { name = $0 })])
        try press(.text("jjk"))
        #expect(name == "jk")
    }

    /// The first character of the name would quit on the first screen.
    @Test func textThatArrivesWithTheKeyThatOpensAForm_isTypedThere() async throws {
        let window = try PseudoTerminal()
        let device = try TerminalDevice(input: window.programSide, output: window.programSide)
        let terminal = FullScreenPresenter(TerminalScreen(device, watchesSignals: false))
        let router = SmallRouter(terminal.stack)
        let form = SignInExample()
        let open = Display.Button("Open") {
            let name = try await router.result(of: form.screen { router.finish($0) })
            try router.show(Display.ContentScreen("Page of \(name)"))
        }
        try router.show(Display.ContentScreen("Root", [.button(open)]))
        let running = Task { try await terminal.run(performing: nil) }
        try await window.wait(for: "[ Open ]")
        window.type("1quentin\tsecret\r")
        try await window.wait(for: "Page of quentin")
        #expect(form.password == "secret")
        window.type("\u{3}")
        try await running.value
    }

    @Test func arrowsAndTab_moveTheFocus_andEnterChooses() async throws {
        var pressed: [String] = []
        try show(
            ["a", "b", "c"].map { title in .row(Display.Row(title) { pressed.append(title) }) })
        try press(.down)
        #expect(focused == "b")
        try press(.tab, .tab)
        #expect(focused == "a")
        try press(.backTab)
        #expect(focused == "c")
        try press(.up, .enter)
        while pressed.isEmpty { try await yieldUnlessCancelled() }
        #expect(pressed == ["b"])
    }

    @Test func form_isFilledIn_refusedAndFilledInAgain() async throws {
        let form = SignInExample()
        var user: String?
        try router.show(form.screen { user = $0 })
        try presenter.draw()
        #expect(device.screen.showsCursor)
        try press(.text("ann"), .tab, .text("wrong"))
        #expect(text.contains("Password:  │•••••"))
        #expect(form.password == "wrong")
        try press(.enter)
        try await draw { !text.contains("! The user name or the password is wrong.") }
        try press(.eraseToStart, .paste("secret\n"), .enter)
        while user == nil { try await yieldUnlessCancelled() }
        #expect(user == "ann")
        #expect(form.password == "secret")
    }

    @Test func pagesAndEnds_moveTheViewAndTheFocus() throws {
        try show([.text("above"), rows(100_000), .text("below")])
        try press(.pageDown)
        #expect(focused == "row 13")
        #expect(!text.contains("above"))
        try press(.pageUp)
        #expect(text.contains("above"))
        #expect(focused == "row 13")
        try press(.end)
        #expect(lines.contains("  below"))
        #expect(focused == "row 99999")
        try press(.pageUp, .home)
        #expect(lines.contains("  above"))
        #expect(focused == "row 0")
        try press(.pageUp)
        #expect(focused == "row 0")
    }

    @Test func wheelScrolls_andAClickChooses() async throws {
        var pressed: [Int] = []
        try show([rows(100) { pressed.append($0) }])
        try press(.scroll(3), .scroll(3))
        #expect(lines[2] == "7 row 6")
        #expect(focused == nil, "the focus is out of sight")
        try press(.click(column: 5, row: 3))
        while pressed.isEmpty { try await yieldUnlessCancelled() }
        #expect(pressed == [7])
        #expect(focused == "row 7")
        try press(.click(column: 5, row: 0), .click(column: 5, row: 500), .scroll(-100))
        #expect(lines[2] == "1 row 0")
    }

    @Test func clickInAField_givesItTheFocus() throws {
        try show([.button(Display.Button("Go") {}), .field(Display.Field("Name", text: "ann") { _ in })])
        #expect(!device.screen.showsCursor)
        try press(.click(column: 3, row: 4))
        #expect(device.screen.showsCursor)
        #expect(device.screen.row == 4)
    }

    @Test func questionMark_showsEveryKey_untilEscape() throws {
        try show([rows(3)])
        try press(.text("?"))
        #expect(lines[0] == " Keys")
        #expect(text.contains("Ctrl-L           redraw"))
        try press(.end)
        #expect(text.contains("and the mouse."))
        try press(.escape)
        #expect(focused == "row 0")
        try press(.text("?"), .text("q"))
        #expect(focused == "row 0", "q closes the help first")
    }

    @Test func t_showsWhatHappensBehindTheScreens() throws {
        device.resize(columns: 90, rows: 20)
        try show([rows(3) { _ in Issue.record("a click beside the screen chose something") }])
        try press(.text("t"), .click(column: 70, row: 3))
        #expect(lines[2].hasPrefix("│› row 0"))
        #expect(lines[2].contains("│ Navigation stack"))
        #expect(text.contains("any HTTP.Client"))
        #expect(text.contains("presented  profile.overview"))
        try press(.text("t"))
        #expect(!text.contains("Navigation stack"))
    }

    @Test func choiceOfTheTrace_outlivesTheProcess() throws {
        try show([rows(3)])
        try press(.text("t"))
        let next = EmulatedTerminal(trace: FakeTrace())
        next.presenter.restore(presenter.savedState)
        try next.router.show(Display.ContentScreen("Page", [rows(3)]))
        try next.presenter.draw()
        #expect(next.device.screen.text.contains("Navigation stack"))
    }

    @Test func whatDoesNotFit_isRefusedAndSaid_andTheTextStays() throws {
        var name = ""
        try show([.field(Display.Field("Name", text: name, limit: 5) { name = $0 })])
        try press(.text("abc"), .paste("defg"))
        #expect(name == "abc")
        #expect(lines.last?.hasPrefix(" ! Not inserted: at most 5 characters fit here.") == true)
        try press(.text("de"))
        #expect(lines.last?.contains("Not inserted") == false)
        try press(.paste(String(repeating: "x", count: 100_000)))
        #expect(name == "abcde")
        #expect(lines.last?.contains("Not inserted") == true)
    }

    @Test func notice_isShownForAMoment_fromItsFirstFrameOn() async throws {
        try show([rows(3)])
        presenter.notify("Saved\u{1B}[2J", as: .positive)
        // A busy program draws late.
        try await Task.sleep(for: .seconds(3))
        try presenter.draw()
        #expect(lines.last?.hasPrefix(" ✓ Saved\u{FFFD}[2J  Enter choose") == true)
        while text.contains("Saved") {
            try await Task.sleep(for: .milliseconds(50))
            try presenter.draw()
        }
        #expect(lines.last?.hasPrefix(" Enter choose") == true)
    }

    @Test(arguments: [(Key.text("y"), true), (.text("n"), false), (.escape, false)])
    func question_isAnsweredByAKey_andNothingElseIsTaken(key: Key, isYes: Bool) async throws {
        try show([.field(Display.Field("Name", text: "") { _ in Issue.record("typed") })])
        let asking = Task { await presenter.confirm("Discard what you typed?") }
        try await draw { !text.contains("Discard") }
        #expect(lines.last == " ? Discard what you typed?  y yes  n no")
        try press(.text("x"), .enter, .tab, .paste("y"), .click(column: 3, row: 2))
        #expect(lines.last == " ? Discard what you typed?  y yes  n no")
        try press(key)
        #expect(await asking.value == isYes)
        #expect(!text.contains("Discard"))
    }

    @Test func question_thatIsWithdrawn_isNo() async throws {
        try show([rows(3)])
        let asking = Task { await presenter.confirm("Discard?") }
        try await draw { !text.contains("Discard?") }
        asking.cancel()
        #expect(await asking.value == false)
    }

    @Test func escape_cancelsWhatRuns_andThenGoesBack() async throws {
        let log = Counter()
        try show([])
        let load = Display.Button("Load") {
            do { try await Task.sleep(for: .seconds(60)) } catch { log.value += 1 }
            // It takes a while to stop.
            while log.value < 2 { await Task.yield() }
        }
        try router.show(Display.ContentScreen("Work", [.button(load)]))
        try press(.enter)
        #expect(lines.last?.contains("Working") == true)
        #expect(lines.last?.contains("Esc cancel") == true)
        try press(.escape)
        while log.value == 0 { try await yieldUnlessCancelled() }
        try presenter.draw()
        #expect(lines.last?.contains("Cancelling") == true)
        #expect(lines.last?.contains("Esc back") == true)
        log.value = 2
        try await draw { text.contains("Cancelling") }
        #expect(lines[0] == " Page › Work", "the first Escape does not leave the screen")
        try press(.escape)
        try await draw { lines[0] != " Page" }
    }

    @Test func busyScreen_saysSo_movesTheFocus_andTakesNoOtherAction() async throws {
        let log = Counter()
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let start = Display.Button("Start") {
            log.value += 1
            for await _ in gate { break }
        }
        try show([.button(start), .button(Display.Button("Other") { log.value += 10 })])
        try press(.enter)
        #expect(lines.last?.contains("Working") == true)
        try press(.enter, .down, .enter)
        #expect(focused == "[ Other ]")
        opener.yield()
        try await draw { text.contains("Working") }
        #expect(lines.last?.hasPrefix(" Enter choose") == true)
        #expect(log.value == 1)
    }

    @Test func work_showsHowLongItTakes() {
        #expect(Frame.busyLine(after: .milliseconds(250), isCancelled: false).text == "⠹ Working")
        #expect(Frame.busyLine(after: .seconds(75), isCancelled: false).text.hasSuffix("Working 75 s"))
    }

    @Test func rowsOfAList_followWhatTheyRead() async throws {
        let model = Counter()
        let list = Display.List(0..<100, id: \.self) { row in
            Display.Row("row \(row) of \(model.value)") {}
        }
        try show([.list(list)])
        #expect(focused == "row 0 of 0")
        model.value = 7
        try await draw { focused != "row 0 of 7" }
    }

    @Test func noStyle_isDistinguishedByItsColourAlone() throws {
        try show([
            .error("trouble"), .field(Display.Field("Name", text: "") { _ in }),
            .button(Display.Button("Go") {}),
        ])
        #expect(lines.contains("! trouble"))
        #expect(focused?.hasPrefix("Name: │") == true)
        #expect(device.screen.styles.isDisjoint(with: ["[1;31m", "[1;34m", "[1;97;44m", "[32m", "[30;43m"]))
        #expect(device.screen.styles.isSuperset(of: ["[1m", "[2m", "[4m"]))
        try press(.tab)
        #expect(device.screen.styles.contains("[7m"))
    }
}
