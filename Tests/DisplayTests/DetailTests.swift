import DisplayInterface
import DisplayTesting
import Observation
import RouterServiceInterface
import Testing

@testable import DisplayImplementation

/// A screen beside the elements of another: a list, and a preview of the row that has the focus.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct DetailTests: EmulatedTerminalSuite {
    let terminal = EmulatedTerminal()
    private let notes = NoteList()

    private func show(columns: Int, rows: Int = 14) throws {
        try show(notes.screen, columns: columns, rows: rows)
    }

    private var lines: [String] { Array(device.screen.lines[2..<(device.size.rows - 2)]) }
    private func columns(_ text: String, _ preview: String = "") -> String {
        "│\(TextLayout.padded(text, to: 58))││\(TextLayout.padded(preview, to: 38))│"
    }

    @Test func preview_ofTheFocusedRow_standsBesideTheListInAWideTerminal() throws {
        try show(columns: 100, rows: 8)
        #expect(
            lines
                == [
                    columns("› note 0", "  Text of 0, read 0 times"), columns("2 note 1"),
                    columns("3 note 2", "  [ Read ]"), columns("4 note 3", "  [ Fail ]"),
                ])
        #expect(device.screen.lines[1].hasPrefix("┌─ Notes ───"))
        #expect(device.screen.lines[1].contains("┐┌─ Preview ───"))
        try press(.down)
        #expect(lines[1] == columns("› note 1"))
        #expect(lines[0] == columns("1 note 0", "  Text of 1, read 0 times"))
        #expect(notes.reported == [0, 1], "each once")
    }

    @Test func preview_standsBelowTheListInANarrowTerminal() throws {
        try show(columns: 40)
        #expect(
            lines == [
                "› note 0", "2 note 1", "3 note 2", "4 note 3", "5 note 4",
                "──↓ Preview " + String(repeating: "─", count: 28), "  Text of 0, read 0 times", "",
                "  [ Read ]",
                "  [ Fail ]",
            ])
        try press(.end)
        #expect(lines[4] == "› note 9999")
        #expect(lines[6].hasPrefix("  Text of 9999"))
        #expect(lines[5].hasPrefix("─── Preview ──"))
        try press(.home)
        #expect(lines[0] == "› note 0")
    }

    @Test func elementsOfThePreview_followThoseOfTheList_andActOnTheirOwn() async throws {
        try show(columns: 40, rows: 20)
        try await rest()
        try press(.down, .tab)
        #expect(lines[12] == "› [ Read ]")
        #expect(lines[1] == "2 note 1")
        try press(.enter)
        try await rest()
        #expect(lines[10] == "  Text of 1, read 1 times")
        try press(.down, .enter)
        try await rest()
        #expect(lines[10] == "! trouble", "its error is shown on it")
        #expect(lines[0].hasSuffix("note 0"), "its error is shown on it")
        try press(.tab, .down)
        #expect(lines.contains("› note 1"))
        #expect(notes.reported == [0, 1, 0, 1])
    }

    @Test func previewThatWasScrolled_isSeenFromItsStartAgain() throws {
        try show(columns: 40, rows: 12)
        try press(.tab, .tab)
        #expect(lines[5...] == ["", "  [ Read ]", "› [ Fail ]"])
        try press(.tab)
        #expect(lines[5].hasPrefix("  Text of"))
        try press(.tab)
        #expect(lines[5].hasPrefix("  Text of"))
        #expect(lines[7] == "› [ Read ]")
    }

    @Test(arguments: [40, 120])
    func click_choosesInEitherPart(columns: Int) async throws {
        try show(columns: columns)
        try await rest()
        let row = try #require(device.screen.lines.firstIndex { $0.contains("[ Read ]") })
        try press(.click(column: columns == 120 ? 80 : 5, row: row))
        try await rest()
        #expect(notes.preview.count == 1)
        #expect(notes.opened == nil)
        try press(.click(column: 5, row: 3))
        try await rest()
        #expect(notes.opened == 1)
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6])
    func focus_isSeenInALowTerminal(rows: Int) throws {
        device.resize(columns: 40, rows: rows + 2)
        try router.show(notes.screen)
        try presenter.draw()
        for _ in 0..<4 {
            #expect(device.screen.lines.contains { $0.hasPrefix("› ") }, "\(device.screen.text)")
            try press(.tab)
        }
    }

    @Test func changeOfThePreviewsModel_redraws_withoutAKey() async throws {
        try show(columns: 120)
        notes.preview.count = 7
        while presenter.nextFrame()?.texts.contains(where: { $0.contains("read 7 times") }) != true {
            try await yieldUnlessCancelled()
        }
    }

    @Test func preview_appearsWithItsParent_andGoesWithItsPresentation() async throws {
        try show(columns: 120)
        while notes.preview.appearances == 0 { try await yieldUnlessCancelled() }
        let presentation = try #require(notes.embedded?.presentation)
        presentation.end()
        presenter.stack.remove([presentation.id])
        try presenter.draw()
        #expect(!device.screen.text.contains("Text of"))
        #expect(!device.screen.text.contains("Preview"))
        let another = Preview()
        notes.show(another, number: 2)
        while another.appearances == 0 {
            try presenter.draw()
            try await yieldUnlessCancelled()
        }
        #expect(device.screen.text.contains("Text of 0"), "\(device.screen.text)")
    }

    @Test func whatRunsOnThePreview_isCancelledWithItsParent() async throws {
        notes.preview.loads = true
        try router.show(Display.ContentScreen("Home"))
        try router.show(notes.screen)
        try presenter.draw()
        while !notes.preview.isLoading { try await yieldUnlessCancelled() }
        try press(.escape)
        while notes.preview.isLoading { try await yieldUnlessCancelled() }
    }

    @Test(arguments: [(69, 14, false), (70, 14, true), (80, 24, true)])
    func preview_standsBesideTheList_whereBothHaveRoom(columns: Int, rows: Int, isBeside: Bool) throws {
        try show(columns: columns, rows: rows)
        #expect(device.screen.text.contains("┐┌─ Preview ──") == isBeside, "\(device.screen.text)")
        #expect(device.screen.text.contains("Text of 0, read"))
        #expect(device.screen.text.contains("[ Fail ]"))
        #expect(device.screen.text.contains("› note 0"))
    }

    @Test func dialog_dimsTheListAndThePreview_andMayHaveAPreviewItself() throws {
        try show(columns: 100, rows: 20)
        try router.show(Display.ContentScreen("Sure?", [.text("Yes or no?")]), as: .modal)
        try presenter.draw()
        #expect(lines[0].contains("││  Text of 0, read 0 times"))
        #expect(presenter.frame?.cells[2].allSatisfy { $0.style == .role(.muted) } == true)
        try router.show(notes.screen, as: .modal)
        try presenter.draw()
        let title = try #require(
            lines.firstIndex { $0.contains("┌─ Notes ─") && $0.contains("┐┌─ Preview ─") })
        #expect(lines[title + 1].contains("│› note 0 "), "\(device.screen.text)")
    }

    @Test func otherKindOfScreen_isAnErrorInItsPlace() throws {
        struct Foreign: Screen {}
        notes.show(Foreign(), number: 2)
        try show(columns: 120)
        #expect(
            lines[0].contains("││! any Display.Terminal cannot show a  "), "\(lines[0])")
    }

    @Test func preview_isPrintedBelowTheList_andItsChoicesHaveNumbers() async throws {
        notes.count = 2
        let transcript = try await session(of: ["3", "4", "2", "q"]) { router, _ in
            try router.show(notes.screen)
        }
        let screen = { (error: String, text: String) in
            "== Notes ==\n  1  note 0\n  2  note 1\n\(error)\(text)\n  3  Read\n  4  Fail\n> "
        }
        #expect(
            transcript
                == [
                    screen("", "Text of 0, read 0 times"), screen("", "Text of 0, read 1 times"),
                    screen("! trouble\n", "Text of 0, read 1 times"),
                    screen("! trouble\n", "Text of 0, read 1 times"), "",
                ].enumerated().map { $1 + ["3\n\n", "4\n\n", "2\n\n", "q\n", ""][$0] }.joined())
        #expect(notes.opened == 1)
    }
}

/// A list, which holds a preview of the row that has the focus.
@MainActor
@Observable
private final class NoteList {
    let preview = Preview()
    var count = 10_000
    private(set) var embedded: EmbeddedScreen?
    private(set) var opened: Int?
    private(set) var reported: [Int] = []

    init() { show(preview, number: 1) }

    func show(_ preview: Preview, number: Int) { show(preview.screen, number: number) }

    func show(_ screen: any Screen, number: Int) {
        embedded = EmbeddedScreen(
            screen, as: Presentation(id: .init(-number), style: .embedded, isRoot: false) {})
    }

    var screen: Display.ContentScreen {
        Display.ContentScreen { [self] in
            let list = Display.List(0..<count, id: \.self) { row in
                Display.Row(
                    "note \(row)",
                    onFocus: { [self] in
                        reported.append(row)
                        preview.row = row
                    }
                ) { [self] in opened = row }
            }
            return Display.Content(title: "Notes", elements: [.list(list)], detail: embedded)
        }
    }
}

@MainActor
@Observable
private final class Preview {
    var row = 0
    var count = 0
    var loads = false
    private(set) var isLoading = false
    private(set) var appearances = 0

    struct Trouble: Error, CustomStringConvertible {
        let description = "trouble"
    }

    private func appear() async throws {
        appearances += 1
        guard loads else { return }
        isLoading = true
        defer { isLoading = false }
        while !Task.isCancelled { await Task.yield() }
    }

    var screen: Display.ContentScreen {
        Display.ContentScreen(appear: appear) { [self] in
            Display.Content(
                title: "Preview",
                elements: [
                    .text("Text of \(row), read \(count) times"),
                    .button(Display.Button("Read") { [self] in count += 1 }),
                    .button(Display.Button("Fail") { throw Trouble() }),
                ])
        }
    }
}
