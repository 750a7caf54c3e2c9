import DisplayInterface
import DisplayTesting
import Observation
import Testing

@testable import DisplayImplementation

/// A field of several lines: keys to frames on an emulated terminal of 60 columns, and lines.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct TextAreaTests: EmulatedTerminalSuite {
    let terminal = EmulatedTerminal()
    private let note = NoteForm()

    private func show(_ text: String = "", rows: Int = 4) throws {
        (note.text, note.rows) = (text, rows)
        try router.show(note.screen)
        try presenter.draw()
    }

    @Test func limit_aboveThatOfAnyField_countsAsThat() {
        #expect(Display.Field("Name", text: "", limit: .max) { _ in }.limit == Display.Field.maximum)
    }

    /// The lines of text in the box.
    private var box: [String] {
        device.screen.lines.dropFirst(firstRow).prefix { $0.contains("│") }.map { line in
            line.drop { $0 != "│" }.dropFirst().dropLast().trimmingSuffix(" ")
        }
    }

    /// The row and the column of the cursor in the box.
    private var cursor: [Int] {
        let start = device.screen.lines[firstRow].prefix { $0 != "│" }.count + 1
        return [device.screen.row - firstRow, device.screen.column - start]
    }

    private var firstRow: Int { device.screen.lines.firstIndex { $0.dropFirst(2).hasPrefix("Text:") } ?? 0 }
    private var hasFocus: Bool { device.screen.lines[firstRow].hasPrefix("› ") }

    @Test func text_isTypedInLines_andSavedAsTyped() async throws {
        try show()
        try press(.text("Milk"), .enter, .text("shopping"), .enter, .enter, .text("end"))
        #expect(note.title == "Milk")
        #expect(note.text == "shopping\n\nend")
        #expect(box == ["shopping", "", "end", ""])
        #expect(cursor == [2, 3])
        #expect(hasFocus)
        #expect(device.screen.lines.last?.contains("Enter new line") == true)
        try press(.tab, .enter)
        while note.saved == nil { try await yieldUnlessCancelled() }
        #expect(note.saved == "shopping\n\nend", "Tab leaves the text area")
    }

    @Test(
        arguments: [
            ([.home], [1, 0]), ([.up], [0, 2]), ([.up, .up], nil), ([.home, .left], [0, 3]),
            ([.home, .up, .end, .right], [1, 0]), ([.up, .end, .down], [1, 2]), ([.down], nil),
            ([.pageUp], [0, 2]), ([.wordLeft], [1, 0]), ([.wordLeft, .wordLeft], [0, 0]),
        ] as [([Key], [Int]?)])
    func keys_moveFromLineToLine_andLeaveAtTheEnds(_ keys: [Key], _ target: [Int]?) throws {
        try show("abc\nde")
        try press(.tab)
        for key in keys { try press(key) }
        #expect(target == nil ? !hasFocus : cursor == target)
        #expect(note.text == "abc\nde")
    }

    @Test(
        arguments: [
            ([.home, .backspace], "abcde"), ([.up, .end, .delete], "abcde"), ([.eraseToStart], "abc\n"),
            ([.up, .eraseToEnd], "ab\nde"), ([.home, .enter], "abc\n\nde"), ([.eraseWord, .eraseWord], ""),
            ([.paste("x\r\ny\u{2028}\tz\n")], "abc\ndex\ny\n z\n"),
            ([.text("漢\u{301}"), .backspace], "abc\nde"),
            ([.home, .up, .backspace], "abc\nde"),
        ] as [([Key], String)])
    func keys_editOverLineEnds(_ keys: [Key], _ text: String) throws {
        try show("abc\nde")
        try press(.tab)
        for key in keys { try press(key) }
        #expect(note.text == text)
    }

    @Test func longText_isScrolledWithTheInsertionPoint() throws {
        try show((1...20).map { "line \($0)" }.joined(separator: "\n"))
        try press(.tab)
        #expect(box == ["line 17", "line 18", "line 19", "line 20"])
        #expect(cursor == [3, 7])
        #expect(device.screen.text.contains("↑"))
        try press(.up, .up)
        #expect(box[0] == "line 17", "what is seen already is not moved")
        #expect(cursor == [1, 7], "what is seen already is not moved")
        try press(.pageUp)
        #expect(box[0] == "line 15")
        #expect(cursor == [0, 7])
        for _ in 0..<14 { try press(.up) }
        #expect(box == ["line 1", "line 2", "line 3", "line 4"])
        #expect(cursor == [0, 6])
        try press(.down, .enter, .end, .text("!"))
        #expect(note.text.hasPrefix("line 1\nline 2\n!\nline 3"))
        try press(.tab)
        #expect(box[0] == "line 1", "a text area without the focus shows its start")
    }

    @Test func longLines_areBrokenBetweenWords_andWideCharactersAreWide() throws {
        device.resize(columns: 32, rows: 20)
        try show("one two three four five six\n漢字漢字漢字漢字漢字漢字", rows: 6)
        try press(.tab)
        #expect(box == ["one two three four", "five six", "漢字漢字漢字漢字漢", "字漢字", "", ""])
        try press(.home, .up, .up)
        #expect(cursor == [0, 0])
        try press(.end)
        #expect(cursor == [1, 8], "to the end of the text's line")
        try press(.up, .right, .right)
        #expect(cursor == [0, 10], "by characters")
        try press(.end, .text("  seven eight"))
        #expect(box[0...2] == ["one two three four", "five six  seven", "eight"])
    }

    @Test func column_isKeptPastShorterLines() throws {
        try show("abcdef\nx\nabcdef\n漢字漢字")
        try press(.tab, .up, .left)
        #expect(cursor == [2, 5])
        try press(.up)
        #expect(cursor == [1, 1])
        try press(.up)
        #expect(cursor == [0, 5])
        try press(.down, .down, .down)
        #expect(cursor == [3, 4], "never within a wide character")
    }

    @Test func wordThatIsLongerThanAParagraphMayBe_isPassedInBothDirections() throws {
        let word = String(repeating: "abcdefghi ", count: 3) + String(repeating: "x", count: 10_000)
        try show("first\n\(word)\nand a last line that is no short one", rows: 4)
        try press(.tab)
        var passed = 0
        while hasFocus, passed < 1000 {
            try press(.up)
            passed += 1
        }
        #expect((100..<1000).contains(passed), "to the title above")
        #expect(device.screen.lines.contains { $0.hasPrefix("› Title") })
    }

    @Test func halfTypedText_survivesAChangeOfTheScreen_andAnActionThatRuns() async throws {
        try show("abc\ndef")
        try press(.tab, .up, .left, .text("x"))
        note.message = "There is something new."
        try presenter.stack.replace([:])
        try press(.text("y"))
        #expect(note.text == "abxyc\ndef")
        #expect(device.screen.text.contains("something new"))
        #expect(cursor == [0, 4])
    }

    @Test func textArea_thatTheFocusFallsTo_isATextArea() throws {
        try show()
        try press(.text("Milk"))
        note.title = nil
        try presenter.stack.replace([:])
        try presenter.draw()
        try press(.enter, .text("x"))
        #expect(note.text == "\nx")
    }

    @Test(arguments: [3, 5, 8, 12])
    func insertionPoint_isSeenInALowTerminal(rows: Int) throws {
        device.resize(columns: 30, rows: rows)
        try show((1...20).map { "line \($0)" }.joined(separator: "\n"), rows: 8)
        try press(.tab)
        for key in [Key.up, .up, .up, .pageUp, .pageUp, .down] {
            try press(key)
            #expect(device.screen.showsCursor)
            let line = device.screen.lines[device.screen.row]
            #expect(line.contains("line"), "\(line)")
        }
    }

    @Test func lines_areTypedUpToAFullStop() async throws {
        let transcript = try await session(
            of: ["Milk", "buy", "", "two", ".", "2", "", "2", ".", "2", "a", ":q", "q"]
        ) { router, _ in try router.show(note.screen) }
        func page(_ title: String, _ text: String...) -> String {
            let lines = text.map { "     | \($0)\n" }.joined()
            return "== Note ==\n  1  Title:\(title)\n  2  Text:\n\(lines)  3  Save\n"
        }
        let help = "(An empty line keeps the text; :q goes back to the choices.)\n"
        let prompt = "Text; end it with a line that is only a full stop:\n| "
        #expect(
            transcript
                == "\(page(""))\(help)Title: Milk\n\(prompt)buy\n| \n| two\n| .\n\n"
                + "\(page(" Milk", "buy", "", "two"))> 2\n\(help)\(prompt)\n\n"
                + "\(page(" Milk", "buy", "", "two"))> 2\n\(help)\(prompt).\n\n"
                + "\(page(" Milk"))> 2\n\(help)\(prompt)a\n| :q\n\n\(page(" Milk"))> q\n")
    }

    @Test(arguments: [(["12345", "789", "."], "12345\n789"), (["123456", "789", "a", "."], "old")])
    func linesThatDoNotFit_areRefusedAsAWhole(lines: [String], text: String) async throws {
        (note.text, note.limit) = ("old", 9)
        let transcript = try await session(of: [""] + lines + ["q"]) { router, _ in
            try router.show(note.screen)
        }
        #expect(note.text == text)
        #expect(
            transcript.contains("! Not inserted: at most 9 characters fit here.") == (text == "old"))
        #expect(!transcript.contains("Enter a number"), "its other lines are no choices")
    }
}

@MainActor
@Observable
private final class NoteForm {
    /// Nil where the form has no title.
    var title: String? = ""
    var text = ""
    var rows = 4
    var limit = Display.Field.maximum
    var message: String?
    private(set) var saved: String?

    var screen: Display.ContentScreen {
        Display.ContentScreen { [self] in
            Display.Content(
                title: "Note",
                elements: (message.map { [.text($0)] } ?? [])
                    + (title.map { [.field(Display.Field("Title", text: $0) { [self] in title = $0 })] } ?? [])
                    + [
                        .field(
                            .textArea("Text", text: text, rows: rows, limit: limit) { [self] in text = $0 }),
                        .button(Display.Button("Save") { [self] in saved = text }),
                    ])
        }
    }
}

extension Substring {
    fileprivate func trimmingSuffix(_ character: Character) -> String {
        String(self[..<(lastIndex { $0 != character }.map(index(after:)) ?? startIndex)])
    }
}
