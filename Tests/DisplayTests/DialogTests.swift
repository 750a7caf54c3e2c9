import DisplayInterface
import DisplayTesting
import Observation
import RouterServiceInterface
import Testing

@testable import DisplayImplementation

/// Modal screens: dialogs over the screen below, on an emulated terminal and in lines.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct DialogTests: EmulatedTerminalSuite {
    let terminal = EmulatedTerminal()
    private let profile = Display.ContentScreen(
        "Profile",
        [
            .text("Ann Example"), .text("@ann"),
            .list(
                Display.List(0..<6, id: \.self) { row in
                    let titles = [
                        "Edit display name", "Profile of bob", "Notes", "Flags", "Reload", "Sign out",
                    ]
                    return Display.Row(titles[row]) {}
                }),
        ])
    private let question = Display.ContentScreen(
        "Sign out?",
        [
            .text("One note was not sent."), .button(Display.Button("Sign out") {}),
            .button(Display.Button("Stay") {}),
        ])

    private func show(
        columns: Int, rows: Int, _ screens: (Display.ContentScreen, PresentationStyle)...
    ) throws {
        device.resize(columns: columns, rows: rows)
        for (screen, style) in screens { try router.show(screen, as: style) }
        try presenter.draw()
    }

    /// The frame of the topmost dialog: the first row, the last row, and the columns.
    private var dialog: (top: Int, bottom: Int, columns: Int)? {
        guard let top = device.screen.lines.lastIndex(where: { $0.contains("┌") }),
            let start = device.screen.lines[top].lastIndex(of: "┌"),
            let bottom = device.screen.lines[top...].firstIndex(where: { $0.contains("└") })
        else { return nil }
        let end = device.screen.lines[top][start...].firstIndex(of: "┐") ?? start
        return (top, bottom, device.screen.lines[top].distance(from: start, to: end) + 1)
    }

    /// A letter for the style of each column of a row: plain, strong, chosen, muted, accent.
    private func styles(row: Int) -> String {
        (presenter.frame?.cells[row] ?? []).map { cell in
            switch cell.style {
            case .plain: "p"
            case .strong: "s"
            case .selected: "c"
            case .role(.muted): "m"
            case .role(.accent): "a"
            default: "?"
            }
        }.joined()
    }

    @Test func dialog_isDrawnOverTheScreenBelow() throws {
        try show(columns: 60, rows: 13, (profile, .push), (question, .modal))
        #expect(
            // snippet: dialog
            device.screen.text == """
                 Profile › Sign out?

                  Ann Example
                  @ann          ┌─ Sign out? ──────────────┐
                                │  One note was not sent.  │
                  Edit display n│                          │
                  Profile of bob│› [ Sign out ]            │
                  Notes         │2 [ Stay ]                │
                  Flags         └──────────────────────────┘
                  Reload
                  Sign out

                 Enter choose  Esc back  q quit  ? keys  ↑↓ Tab move
                """
            // snippet: end
        )
    }

    @Test func screenBelow_isDimmed_andTheDialogIsNot() throws {
        try show(columns: 60, rows: 13, (profile, .push))
        #expect(styles(row: 5) == String(repeating: "c", count: 60), "the chosen row fills the pane")
        try show(columns: 60, rows: 13, (question, .modal))
        let edge = String(repeating: "m", count: 16)
        #expect(Set(styles(row: 2)) == ["m"])
        #expect(styles(row: 3) == "\(edge)aasssssssssssaaaaaaaaaaaaaaa\(edge)")
        #expect(styles(row: 6) == "\(edge)aaaccccccccccccppppppppppppa\(edge)")
        #expect(Set(styles(row: 9)) == ["m"])
        #expect(device.screen.styles.contains("[2m"), "faint, without a colour")
    }

    @Test func dialog_growsWithItsContent_upToTheScreen() throws {
        let growing = Growing()
        try show(columns: 80, rows: 24, (profile, .push), (growing.screen, .modal))
        var sizes: [(rows: Int, columns: Int)] = []
        for (count, width) in [(1, 5), (3, 5), (3, 40), (16, 40), (17, 40), (90, 5)] {
            (growing.count, growing.width) = (count, width)
            presenter.stack.remove([])
            try presenter.draw()
            let dialog = try #require(dialog)
            sizes.append((dialog.bottom - dialog.top + 1, dialog.columns))
        }
        #expect(sizes.map(\.rows) == [3, 5, 5, 18, 19, 20])
        #expect(sizes.map(\.columns) == [11, 11, 46, 46, 46, 76])
        #expect(device.screen.lines[try #require(dialog).bottom].hasSuffix("↓─┘"))
        try press(.pageDown)
        #expect(device.screen.lines[try #require(dialog).top].hasSuffix("↑─┐"))
    }

    @Test func titleThatIsWiderThanTheContent_isShown_andALongOneIsCut() throws {
        let (short, long) = ("A title of some length", String(repeating: "long ", count: 60))
        try show(columns: 60, rows: 20, (profile, .push), (Display.ContentScreen(short), .modal))
        #expect(device.screen.text.contains("┌─ \(short) ───┐"), "\(device.screen.text)")
        try show(columns: 60, rows: 20, (Display.ContentScreen(long), .modal))
        #expect(device.screen.lines[8].hasPrefix("  ┌─ long long "))
        #expect(device.screen.lines[8].hasSuffix("──┐"))
    }

    @Test(arguments: [(39, 24), (80, 11), (20, 5), (10, 3), (2, 24), (1, 1)])
    func dialog_inASmallTerminal_isTheWholeScreen(columns: Int, rows: Int) throws {
        try show(columns: columns, rows: rows, (profile, .push), (question, .modal))
        #expect(!device.screen.text.contains("┌"))
        #expect(!device.screen.text.contains("Ann"))
        device.resize(columns: 40, rows: 12)
        try presenter.draw()
        #expect(dialog != nil)
        device.resize(columns: columns, rows: rows)
        try presenter.draw()
        #expect(dialog == nil)
    }

    @Test func focusAndKeys_stayInTheDialog() async throws {
        var pressed: [String] = []
        let below = Display.ContentScreen(
            "Below",
            (1...12).map { row in .row(Display.Row("below \(row)") { pressed.append("below") })
            })
        let dialog = Display.ContentScreen(
            "Dialog",
            ["One", "Two"].map { title in .button(Display.Button(title) { pressed.append(title) }) })
        try show(columns: 60, rows: 20, (below, .push), (dialog, .modal))
        try press(.tab, .tab, .tab, .text("9"), .text("2"))
        while pressed.isEmpty { try await yieldUnlessCancelled() }
        let row = try #require(device.screen.lines.firstIndex { $0.contains("[ One ]") })
        let column = device.screen.lines[row].prefix { $0 != "[" }.count
        try press(.click(column: 2, row: row), .click(column: 2, row: 2))
        #expect(!device.screen.text.contains("Working"), "no action has begun")
        try press(.click(column: column, row: row))
        while pressed.count < 2 { try await yieldUnlessCancelled() }
        #expect(pressed == ["Two", "One"])
        try press(.escape)
        try await draw { presenter.frame?.texts[0] != " Below" }
        #expect(device.screen.lines[2] == "› below 1", "\(device.screen.text)")
    }

    @Test func textOfAField_isTypedInTheDialog_andItsCursorIsThere() throws {
        let form = SignInExample()
        try show(columns: 60, rows: 14, (profile, .push), (form.screen { _ in }, .modal))
        try press(.text("ann"), .tab, .text("q"))
        #expect(form.user == "ann")
        #expect(form.password == "q")
        let line = device.screen.lines[device.screen.row]
        #expect(line.contains("› Password:  │•"))
        #expect(device.screen.showsCursor)
        #expect(line.dropFirst(device.screen.column - 1).first == "•")
    }

    @Test func dialogs_standOverEachOther_andAPushedScreenStaysInItsDialog() throws {
        let form = SignInExample()
        try show(columns: 70, rows: 16, (profile, .push), (form.screen { _ in }, .modal), (question, .modal))
        let lines = device.screen.lines
        #expect(lines[0] == " Profile › Sign in › Sign out?")
        #expect(lines.contains { $0.contains("┌─ Sign in ──") && $0.contains("┌─ Sign out? ─") }, "\(lines)")
        #expect(lines[2] == "  Ann Example")
        #expect(Set(styles(row: 2)) == ["m"])
        try show(columns: 70, rows: 16, (Display.ContentScreen("Next", [.text("Pushed")]), .push))
        #expect(device.screen.text.contains("┌─ Next ─"))
        #expect(device.screen.text.contains("┌─ Sign in ──"))
        #expect(!device.screen.text.contains("One note"))
        #expect(device.screen.text.contains("Ann Example"))
    }

    @Test func wideCharacters_halfBehindADialog_areLeftOut() throws {
        let text = (0..<8).map { String(repeating: " ", count: $0 % 2) + String(repeating: "漢", count: 24) }
        let below = Display.ContentScreen("Below", [.text(text.joined(separator: "\n"))])
        try show(columns: 60, rows: 14, (below, .push), (question, .modal))
        let edges = presenter.frame?.cells[5...7].map { row in row.firstIndex { $0.text == "│" } }
        #expect(edges.map { Set($0).count } == 1, "\(device.screen.text)")
    }

    @Test func trace_standsBesideTheDialog() throws {
        let presenter = FullScreenPresenter(device, trace: FakeTrace())
        let router = SmallRouter(presenter.stack)
        device.resize(columns: 100, rows: 16)
        try router.show(profile)
        try router.show(question, as: .modal)
        #expect(try presenter.handle([.text("t")]))
        try presenter.draw()
        #expect(device.screen.lines[2].contains("││ Navigation stack "), "\(device.screen.text)")
        #expect((dialog?.columns ?? 0) < 60)
    }

    @Test func dialogInLines_isABlockWithItsOwnPrompt_andSoIsTheOneAboveIt() async throws {
        let transcript = try await session(of: ["x", "0", "0"]) { router, _ in
            try router.show(Display.ContentScreen("Profile"))
            try router.show(Display.ContentScreen("Note", [.text("Green\n\nor black")]), as: .modal)
            let field = Display.Field.textArea("Text", text: "") { _ in }
            try router.show(Display.ContentScreen("Title", [.field(field)]), as: .modal)
        }
        #expect(
            transcript == """
                │ │ == Profile › Note › Title ==
                │ │   1  Text:
                │ │   0  Back
                │ │ (An empty line keeps the text; :q goes back to the choices.)
                │ │ Text; end it with a line that is only a full stop:
                │ │ | x
                │ │ | 0
                │ │ | 0
                │ │ |\(" ")

                """)
    }
}

@MainActor
@Observable
private final class Growing {
    var count = 1
    var width = 5

    var screen: Display.ContentScreen {
        Display.ContentScreen { [self] in
            let line = String(repeating: "x", count: width)
            return Display.Content(
                title: "T", elements: [.text(Array(repeating: line, count: count).joined(separator: "\n"))])
        }
    }
}
