import DisplayInterface
import DisplayTesting
import Testing

@testable import DisplayImplementation

extension Frame {
    /// The rows without spaces at their ends.
    var texts: [String] {
        cells.map { row in
            String(row.map(\.text).joined().reversed().drop { $0 == " " }.reversed())
        }
    }
}

struct FrameTests {
    private let size = TerminalDevice.Size(columns: 24, rows: 6)
    private let body: Body = {
        var body = Body()
        body.lines = (0..<9).map { row in
            let place = Place(element: row)
            return Line([
                Line.Span("lin", .plain, place: place),
                Line.Span("e \(row)", .plain, place: place, hasCursor: row == 1),
            ])
        }
        body.isMoreAbove = true
        body.isMoreBelow = true
        return body
    }()

    /// A pane of the columns 2 to 19, drawn over dots.
    private func drawn(_ edges: Pane.Edges, isActive: Bool = true) -> Frame {
        var frame = Frame(size)
        for row in 0..<size.rows { frame.draw(Line(String(repeating: ".", count: 24), .plain), row: row) }
        let pane = Pane(box: Box(row: 1, column: 2, rows: 4, columns: 18), edges: edges)
        frame.draw(body, in: pane, title: "Notes", isActive: isActive)
        return frame
    }

    @Test func framedPane_hasItsTitleAndItsArrowsInTheFrame() {
        let frame = drawn(.framed)
        #expect(
            frame.texts == [
                "........................", "..┌─ Notes ──────↑─┐....", "..│line 0          │....",
                "..│line 1          │....", "..└──────────────↓─┘....", "........................",
            ])
        #expect(frame.cursor == Frame.Position(row: 3, column: 6))
        #expect(frame.place(row: 2, column: 3) == Place(element: 0))
        #expect(frame.place(row: 2, column: 18) == Place(element: 0), "behind its end")
        #expect(frame.place(row: 2, column: 2) == nil)
        #expect(frame.cells[1][2].style == .role(.accent))
        #expect(frame.cells[1][5].style == .strong)
        #expect(drawn(.framed, isActive: false).cells[1][5].style == .role(.muted))
    }

    @Test(arguments: [
        (
            Pane.Edges.open,
            [
                "....↑...................", "..line 0            ....", "..line 1            ....",
                "....↓...................",
            ]
        ),
        (
            .ruled,
            [
                "..──↑ Notes ────────....", "..line 0            ....", "..line 1            ....",
                "....↓...................",
            ]
        ),
        (
            .none,
            [
                "..line 0            ....", "..line 1            ....", "..line 2            ....",
                "..line 3            ....",
            ]
        ),
    ])
    func otherPane_hasItsArrowsInRowsOfTheirOwn_ifAny(_ edges: Pane.Edges, _ lines: [String]) {
        #expect(Array(drawn(edges).texts[1...4]) == lines)
    }

    @Test func lineOverAnother_removesWhatItCuts_andTheCursorBelow() {
        var frame = drawn(.none)
        frame.draw(Line("漢字漢字", .plain), row: 2)
        frame.draw(Line("abcdefghi", .strong), row: 2, columns: 3..<6)
        #expect(frame.texts[2] == "漢 abc字")
        #expect(frame.cursor == Frame.Position(row: 2, column: 5) || frame.cursor == nil)
        frame.draw(Line("漢字", .plain), row: 0, columns: 0..<3)
        #expect(frame.texts[0].hasPrefix("漢 .."), "a wide character that does not fit is left out")
        var covered = drawn(.framed)
        covered.draw(Line("question", .plain), row: 3)
        #expect(covered.cursor == nil)
    }

    @Test func question_isShownAsAWhole_withItsKeysBesideTheLastLine() {
        let question = "A link from outside leads to app://sign-out.\u{1B} Open it?"
        let lines = Frame.question(question, TerminalDevice.Size(columns: 40, rows: 7)).map(\.text)
        #expect(
            lines == [
                " ? A link from outside", "   leads to", "   app://sign-out.\u{FFFD} Open",
                "   it?  y yes  n no",
            ])
        #expect(Frame.question(question, TerminalDevice.Size(columns: 12, rows: 3)).count == 2)
    }

    @Test func footer_showsWholeEntriesOnly_theFirstOnesFirst() {
        let keys = [("Enter", "choose"), ("Esc", "back"), ("q", "quit")]
        #expect(Frame.footer(nil, keys: keys, columns: 23).text == " Enter choose  Esc back")
        #expect(Frame.footer(nil, keys: keys, columns: 21).text == " Enter choose  q quit")
        #expect(
            Frame.footer(Line("✓ Saved", .role(.positive)), keys: keys, columns: 40).text
                == " ✓ Saved  Enter choose  Esc back  q quit")
    }
}

struct FrameBarTests {
    private func bar(_ path: String, _ status: String, _ columns: Int) -> String {
        // A wide character may be cut at the end of the path or of the status.
        let bar = Frame.bar(path: path, status: Display.Fact(status), columns: columns)
        return TextLayout.padded(bar.text, to: columns)
    }

    @Test(arguments: [
        ("Profile", "Signed in as ann", 40, " Profile               Signed in as ann "),
        ("Profile", "Signed in as ann", 27, " Profile  Signed in as ann "),
        ("Profile", "Signed in as ann", 26, " Profile  Signed in as a… "),
        ("Profile", "Signed in as ann", 19, " Profile  Signed … "),
        ("Profile", "Signed in as ann", 18, " Profile  Signed… "),
        ("Profile", "Signed in as ann", 9, " Profile "), ("Profile", "Signed in as ann", 7, " …file "),
        ("Profile", "ann", 14, " Profile  ann "), ("Profile", "ann", 13, " Profile  a… "),
        ("Profile", "ann", 11, " Profile   "), ("Profile", "", 20, " Profile            "),
        ("Profile › Sign in", "", 12, " …› Sign in "),
        ("漢字", "漢字漢字漢字漢字", 24, " 漢字  漢字漢字漢字漢字 "),
        ("漢字", "漢字漢字漢字漢字", 23, " 漢字  漢字漢字漢字漢… "),
        ("漢字", "漢字漢字漢字漢字", 22, " 漢字   漢字漢字漢字… "),
        ("漢字", "漢字漢字漢字漢字", 16, " 漢字   漢字漢… "), ("漢字", "漢字漢字漢字漢字", 15, " 漢字  漢字漢… "),
    ])
    func status_standsAtTheEnd_andIsCutBeforeThePath(
        path: String, status: String, columns: Int, line: String
    ) {
        #expect(bar(path, status, columns) == line)
    }

    @Test func path_isStrong_andTheStatusMuted() {
        let styles = Frame.bar(path: "Profile", status: Display.Fact("ann"), columns: 40).spans.map(\.style)
        #expect(styles == [.strong, .plain, .role(.muted)])
    }

    @Test(arguments: [
        (80, " …file of bob  ✗ Restarted after a crash (signal 4); see .build/live/errors.log "),
        (55, " …f bob  ✗ Restarted after a crash (signal 4); see .b… "),
        (
            100,
            " Home › Profile › Profile of bob   ✗ Restarted after a crash (signal 4); see .build/live/errors.log "
        ),
    ])
    func error_isReadable_beforeThePath(columns: Int, line: String) {
        let error = Display.Fact(
            "✗ Restarted after a crash (signal 4); see .build/live/errors.log", .negative)
        let bar = Frame.bar(path: "Home › Profile › Profile of bob", status: error, columns: columns)
        #expect(TextLayout.padded(bar.text, to: columns) == line)
        #expect(bar.spans.last?.style == .role(.negative))
    }

    @Test(arguments: ["", "ann", "漢字漢字漢字", "👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", "e\u{301}e\u{301}", "\u{301}", "\u{FFFD}[2J"])
    func line_ofAnySize_isAsWideAsTheTerminal(_ status: String) {
        for columns in 1...60 {
            for path in ["", "A", "Profile › Sign in", "漢字漢"] {
                let width = TextLayout.columns(of: bar(path, status, columns))
                #expect(width == columns, "\(columns) columns, '\(path)' and '\(status)'")
            }
        }
    }
}

struct RendererTests {
    private func frame(_ lines: [Line], cursor: Bool = false) -> Frame {
        var frame = Frame(TerminalDevice.Size(columns: 24, rows: 3))
        for (row, line) in lines.enumerated() { frame.draw(line, row: row) }
        return frame
    }

    @Test func firstFrame_isDrawnAsAWhole_andTheNextOnlyWhereItDiffers() {
        var renderer = Renderer(Theme(hasColours: false))
        let lines = [Line("bar", .strong), Line("one", .plain), Line("keys", .role(.muted))]
        #expect(
            renderer.draw(frame(lines))
                == "\u{1B}[?2026h\u{1B}[?25l\u{1B}[1;1H\u{1B}[K\u{1B}[1mbar\u{1B}[0m\u{1B}[2;1H\u{1B}[Kone"
                + "\u{1B}[3;1H\u{1B}[K\u{1B}[2mkeys\u{1B}[0m\u{1B}[?2026l")
        #expect(renderer.draw(frame(lines)) == nil)
        var changed = lines
        changed[1] = Line([Line.Span("two", .plain), Line.Span(" ", .plain, hasCursor: true)])
        #expect(
            renderer.draw(frame(changed))
                == "\u{1B}[?2026h\u{1B}[?25l\u{1B}[2;1Htwo\u{1B}[2;4H\u{1B}[?25h\u{1B}[?2026l")
        renderer.forget()
        #expect(renderer.draw(frame(changed))?.contains("keys") == true)
    }

    @Test(arguments: [
        ("one", "", "\u{1B}[2;1H\u{1B}[K"), ("row 1 of 9", "row 2 of 9", "\u{1B}[2;5H2"),
        ("one, two, three", "one, two", "\u{1B}[2;9H\u{1B}[K"),
        ("a 漢", "b 漢c", "\u{1B}[2;1H\u{1B}[Kb 漢\u{1B}[2;5Hc"),
        ("1 and the same text 1", "2 and the same text 2", "\u{1B}[2;1H2\u{1B}[2;21H2"),
    ])
    func changedLine_isDrawnWhereItDiffers_andAsAWholeWithWideCharacters(
        former: String, line: String, drawn: String
    ) {
        var renderer = Renderer(Theme(hasColours: false))
        _ = renderer.draw(frame([Line(), Line(former, .plain), Line()]))
        #expect(
            renderer.draw(frame([Line(), Line(line, .plain), Line()]))
                == "\u{1B}[?2026h\u{1B}[?25l\(drawn)\u{1B}[?2026l")
    }

    @MainActor
    @Test(arguments: [(80, 24, 350), (200, 60, 600)])
    func scrollingALongList_drawsFewBytes(columns: Int, rows: Int, limit: Int) throws {
        let terminal = EmulatedTerminal(Theme(hasColours: true))
        let list = Display.List(0..<10_000, id: \.self) {
            Display.Row("Row \($0)", detail: "with more about it") {}
        }
        try terminal.show(Display.ContentScreen("Rows", [.list(list)]), columns: columns, rows: rows)
        for _ in 0..<100 { try terminal.press(.down) }
        let before = terminal.device.bytes
        for _ in 0..<200 { try terminal.press(.down) }
        #expect((terminal.device.bytes - before) / 200 <= limit)
    }

    @Test func colours_areThoseOfTheUsersTheme_unlessTheUserWantsNone() {
        let environments = [
            ([:], true), (["TERM": "xterm-256color"], true), (["NO_COLOR": "1"], false),
            (["NO_COLOR": ""], true), (["TERM": "dumb"], false),
        ]
        for (environment, hasColours) in environments {
            #expect(Theme(environment: environment) == Theme(hasColours: hasColours))
        }
        let styles: [Line.Style] = [
            .plain, .strong, .box, .selected, .role(.accent), .role(.muted), .role(.positive),
            .role(.warning),
            .role(.negative),
        ]
        let drawn = styles.map { Theme(hasColours: true).text("x", $0) }
        #expect(Set(drawn).count == styles.count, "every style looks different")
        #expect(!drawn.contains { $0.contains("38;5") || $0.contains("38;2") }, "only the sixteen colours")
        for style in styles {
            let plain = Theme(hasColours: false).text("x", style)
            #expect(!plain.contains(/\[(\d;)*[349]\d/), "\(plain)")
        }
        #expect(Theme(hasColours: false).text("x", .role(.negative)) == "\u{1B}[1mx\u{1B}[0m")
        #expect(Theme(hasColours: false).text("x", .selected) == "\u{1B}[7mx\u{1B}[0m")
    }
}
