import DisplayInterface
import DisplayTesting
import Observation
import RouterServiceInterface
import RouterServiceProgram
import Testing

@testable import DisplayImplementation

/// A screen that is shown beside another one, which keeps the focus.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct PeekTests {
    private let device = EmulatedDevice()
    private let presenter: FullScreenPresenter
    private let router: SmallRouter
    private let model = PeekExample()

    init() {
        presenter = FullScreenPresenter(device)
        router = SmallRouter(presenter)
    }

    private func show(columns: Int, rows: Int = 10) throws {
        device.resize(columns: columns, rows: rows)
        try router.show(Display.ContentScreen("Home"))
        try router.show(model.list)
        try router.show(model.peek, as: Display.peek)
        try presenter.draw()
    }

    /// Presses keys, and draws after each.
    private func press(_ keys: Key...) throws {
        for key in keys {
            #expect(presenter.handle(key))
            try presenter.draw()
        }
    }

    private var lines: [String] { Array(device.screen.lines[2..<(device.size.rows - 2)]) }

    @Test func peek_standsBesideTheList_whichKeepsTheFocus() throws {
        try show(columns: 60)
        func row(_ text: String, _ peek: String = "") -> String {
            "│\(TextLayout.padded(text, to: 34))││\(TextLayout.padded(peek, to: 22))│"
        }
        #expect(
            lines == [
                row("› row 0", "  Text of 0"), row("2 row 1"), row("3 row 2", "  Label: │          │"),
                row("4 row 3"), row("5 row 4", "  more"), row("6 row 5"),
            ], "its button is left out: \(device.screen.text)")
        #expect(device.screen.lines[0] == " Home › List › Peek")
        #expect(!device.screen.showsCursor)
        try press(.down)
        #expect(lines[1].hasPrefix("│› row 1"))
        #expect(lines[0].contains("││  Text of 1 "))
        try press(.tab, .end)
        #expect(lines.contains { $0.hasPrefix("│› row 99") })
        #expect(lines[0].contains("││  Text of 99 "))
    }

    @Test func escape_closesThePeek_andThenTheList_whichHasNotAppearedAgain() async throws {
        try show(columns: 60)
        while model.appearances < 2 { try await yieldUnlessCancelled() }
        try presenter.draw()
        #expect(device.screen.lines.last?.contains("Esc close") == true)
        try press(.down, .escape)
        while device.screen.text.contains("Text of") {
            try await yieldUnlessCancelled()
            try presenter.draw()
        }
        #expect(lines[1] == "› row 1")
        #expect(device.screen.lines.last?.contains("Esc back") == true)
        #expect(model.appearances == 2)
        try press(.escape)
        while device.screen.lines[0] != " Home" {
            try await yieldUnlessCancelled()
            try presenter.draw()
        }
    }

    @Test func screenAboveThePeek_coversBoth_andBothAppearAfterIt() async throws {
        try show(columns: 60)
        while model.appearances < 2 { try await yieldUnlessCancelled() }
        try router.show(Display.ContentScreen("Editor", [.text("Text")]))
        try presenter.draw()
        #expect(lines[0] == "  Text")
        #expect(!device.screen.text.contains("│"))
        try press(.escape)
        while model.appearances < 4 { try await yieldUnlessCancelled() }
        try presenter.draw()
        #expect(lines[0].hasPrefix("│› row 0"))
        #expect(lines[0].contains("││  Text of 0 "))
    }

    @Test func dialog_dimsTheListAndThePeek_andMayHaveAPeekItself() throws {
        try show(columns: 80, rows: 16)
        try router.show(Display.ContentScreen("Sure?", [.text("Yes or no?")]), as: .modal)
        try presenter.draw()
        #expect(lines[0].hasPrefix("│  row 0"))
        #expect(lines[0].contains("││  Text of 0 "))
        #expect(presenter.frame?.cells[2].allSatisfy { $0.style == .role(.muted) } == true)
        try router.show(model.peek, as: Display.peek)
        try presenter.draw()
        #expect(lines[0].hasPrefix("│ ┌─ Sure? ──"))
        #expect(lines[1].contains("Yes or no?"))
        #expect(lines[2].contains("│  Text of 0 "), "\(device.screen.text)")
    }

    @Test(arguments: [59, 40, 20])
    func peek_standsBelowTheListInANarrowTerminal(columns: Int) throws {
        try show(columns: columns, rows: 14)
        #expect(lines[0] == "› row 0")
        #expect(lines[5].hasPrefix("──↓ Peek ──"))
        #expect(lines[6] == "  Text of 0")
        try press(.click(column: 3, row: 8), .click(column: 3, row: 3))
        #expect(lines[1] == "› row 1")
        #expect(lines[6] == "  Text of 1")
    }

    @Test(arguments: [40, 80])
    func clickOnThePeek_doesNothing(columns: Int) async throws {
        var pressed: [String] = []
        func screen(_ title: String) -> Display.ContentScreen {
            Display.ContentScreen(title, [.row(Display.Row("row of \(title)") { pressed.append(title) })])
        }
        device.resize(columns: columns, rows: 14)
        try router.show(screen("List"))
        try router.show(screen("Peek"), as: Display.peek)
        try presenter.draw()
        let row = try #require(device.screen.lines.firstIndex { $0.contains("row of Peek") })
        let column = device.screen.lines[row].contains("│") ? columns - 20 : 3
        try press(.click(column: column, row: row))
        #expect(!device.screen.text.contains("Working"), "no action has begun")
        try press(.click(column: 3, row: 2))
        while pressed.isEmpty { try await yieldUnlessCancelled() }
        #expect(pressed == ["List"])
    }

    @Test func peek_standsBesideAnEmbeddedScreen_whichStillTakesClicks() async throws {
        var pressed = 0
        let button = Display.ContentScreen("Embedded", [.button(Display.Button("Press") { pressed += 1 })])
        let embedded = EmbeddedScreen(
            button, as: Presentation(id: .init(-1), style: .embedded, isRoot: false) {})
        device.resize(columns: 180, rows: 10)
        try router.show(
            Display.ContentScreen {
                Display.Content(title: "List", elements: [.text("List")], detail: embedded)
            })
        try router.show(model.peek, as: Display.peek)
        try presenter.draw()
        #expect(lines[0].hasPrefix("│  List "))
        #expect(lines[0].contains("││  Text of 0 "))
        let column = lines[0].prefix { $0 != "[" }.count
        #expect((50..<100).contains(column), "\(lines[0])")
        try press(.click(column: column, row: 2))
        while pressed == 0 { try await yieldUnlessCancelled() }
    }

    @Test func peek_inALowTerminal_isNotVisible_andIsClosedAllTheSame() async throws {
        try show(columns: 40, rows: 4)
        while presenter.nextFrame()?.texts.last?.contains("Working") == true {
            try await yieldUnlessCancelled()
        }
        #expect(device.screen.lines[1] == "› row 0")
        #expect(!device.screen.text.contains("Text"))
        try press(.escape)
        while device.screen.lines[0] != " Home › List" {
            try await yieldUnlessCancelled()
            try presenter.draw()
        }
    }

    @Test func keyOfAScreen_isItsOwn_whereNoFieldTakesIt() async throws {
        device.resize(columns: 60, rows: 12)
        var (name, pressed) = ("", 0)
        try router.show(
            Display.ContentScreen {
                Display.Content(
                    title: "Form",
                    elements: [
                        .button(Display.Button("Go") {}),
                        .field(Display.Field("Name", text: name) { name = $0 }),
                    ], keys: ["p": Display.Button("preview") { pressed += 1 }])
            })
        try presenter.draw()
        #expect(device.screen.lines.last?.contains("? keys  p preview") == true)
        try press(.text("p"))
        while pressed == 0 { try await yieldUnlessCancelled() }
        try press(.tab, .text("p"))
        #expect(name == "p")
        #expect(pressed == 1)
    }

    @Test func firstScreen_isNoPeek() throws {
        try presenter.show(
            model.peek, as: Presentation(id: .init(1), style: Display.peek, isRoot: true) {})
        try presenter.draw()
        #expect(device.screen.text.contains("Text of 0"))
        #expect(device.screen.text.contains("[ Press ]"))
    }

    @Test func peekInLines_isPrintedAsAScreen() async throws {
        var transcript = ""
        let terminal = LinePresenter(ScriptedLines(["0", "q"]) { transcript += $0 })
        let router = SmallRouter(terminal)
        try router.show(Display.ContentScreen("Home"))
        try router.show(Display.ContentScreen("Peek", [.text("Text")]), as: Display.peek)
        try await terminal.run()
        #expect(transcript == "== Home › Peek ==\nText\n  0  Back\n> 0\n\n== Home ==\n> q\n")
    }

    @Test func styleThatNeitherTerminalKnows_isRefusedWithItsName() {
        for terminal: any Presenter in [presenter, LinePresenter(ScriptedLines([]))] {
            let presentation = Presentation(id: .init(1), style: PresentationStyle("drawer"), isRoot: false) {
            }
            let error = #expect(throws: RouterError.self) {
                try terminal.show(Display.ContentScreen("A"), as: presentation)
            }
            guard case .unknownStyle(let style)? = error else {
                return #expect(Bool(false), "\(error as Any)")
            }
            #expect(style.name == "drawer")
        }
    }
}

/// A list, and a screen that shows the row that has the focus.
@MainActor
@Observable
private final class PeekExample {
    private var row = 0
    private(set) var appearances = 0

    var list: Display.ContentScreen {
        Display.ContentScreen(appear: { [self] in appearances += 1 }) {
            let rows = Display.List(0..<100, id: \.self) { row in
                Display.Row("row \(row)", onFocus: { [self] in self.row = row }) {}
            }
            return Display.Content(title: "List", elements: [.list(rows)])
        }
    }

    var peek: Display.ContentScreen {
        Display.ContentScreen(appear: { [self] in appearances += 1 }) { [self] in
            Display.Content(
                title: "Peek",
                elements: [
                    .text("Text of \(row)"), .field(Display.Field("Label", text: "") { _ in }),
                    .button(Display.Button("Press") {}), .row(Display.Row("more") {}),
                ])
        }
    }
}
