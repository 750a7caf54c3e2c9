import DisplayInterface
import DisplayTesting
import Testing

@testable import DisplayImplementation

struct FrameTests {
    private func frame(
        _ columns: Int, _ rows: Int, bodyLines: Int = 3, trace: Bool = false, isMore: Bool = true
    ) -> Frame {
        let areas = Frame.Areas(TerminalDevice.Size(columns: columns, rows: rows), hasTrace: trace)
        var body = Body()
        body.lines = (0..<min(bodyLines, areas.panes.mainRows)).map { row in
            let place = Place(element: 0)
            return Line([
                Line.Span("lin", .plain, place: place),
                Line.Span("e \(row)", .plain, place: place, hasCursor: row == 1),
            ]).clipped(to: areas.panes.mainColumns)
        }
        body.isMoreAbove = isMore
        body.isMoreBelow = isMore
        let seen = Frame.trace(
            stack: ["a", "b"], services: ["s"], events: (0..<99).map { "event \($0)" }, in: areas.panes)
        return Frame(
            areas, bar: Frame.bar(path: "Profile", status: "ann", columns: columns),
            body: trace ? body.joined(by: seen, in: areas.panes) : body,
            footer: [
                Frame.footer(
                    nil, keys: [Frame.KeyHelp("Enter", short: "↵", "choose"), Frame.KeyHelp("q", "quit")],
                    columns: columns)
            ])
    }

    private func texts(_ frame: Frame) -> [String] {
        frame.lines.map { line in
            var text = line.text
            while text.last == " " { text.removeLast() }
            return text
        }
    }

    @Test func question_isShownAsAWhole_overTheBody_withItsKeysBesideTheLastLine() {
        let question = "A part of the data cannot be read.\u{1B} Stop reporting this?"
        let size = TerminalDevice.Size(columns: 40, rows: 7)
        var body = Body()
        body.lines = (1...3).map { Line("line \($0)", .plain) }
        let areas = Frame.Areas(size, hasTrace: false)
        let shown = Frame(
            areas, bar: Line("bar", .bar), body: body, footer: Frame.question(question, size))
        #expect(
            texts(shown) == [
                "bar", "", "line 1", "line 2", " ? A part of the data", "   cannot be read.\u{FFFD} Stop",
                "   reporting this?  y yes  n no",
            ])
        let low = Frame.question(question, TerminalDevice.Size(columns: 12, rows: 3))
        #expect(low.count == 2)
    }

    @Test func frame_showsBarBodyArrowsAndKeys() {
        let frame = frame(40, 9)
        #expect(
            texts(frame) == [
                " Profile                            ann", "  ↑", "line 0", "line 1", "line 2", "", "", "  ↓",
                " Enter choose  q quit",
            ])
        #expect(Frame.cursor(in: frame.lines) == Frame.Position(row: 3, column: 3))
        #expect(frame.lines[2].place(at: 0) == Place(element: 0))
        #expect(frame.lines[2].place(at: 39) == Place(element: 0), "behind its end")
        #expect(frame.lines[1].place(at: 0) == nil)
    }

    @Test func twentyByFive_showsWhatMatters() {
        #expect(
            texts(frame(20, 5)) == [" Profile        ann", "line 0", "line 1", "line 2", "↵ choose  q quit"])
        #expect(texts(frame(10, 3)) == [" Profile", "line 0", "↵ choose"], "the smallest window")
    }

    @Test(arguments: [
        (9, 3, "Too small"), (10, 2, "Too small"), (80, 2, "The window is too small."), (1, 1, "…"),
    ])
    func tooSmallWindow_saysSoInOneLine(_ columns: Int, _ rows: Int, _ message: String) {
        let frame = frame(columns, rows)
        #expect(texts(frame).filter { !$0.isEmpty } == [message])
        #expect(Frame.cursor(in: frame.lines) == nil)
        #expect(frame.lines.allSatisfy { $0.place(at: 0) == nil })
    }

    @Test func frame_ofAnySize_fillsTheTerminalAndNeverMore() {
        for columns in [1, 5, 10, 20, 39, 69, 70, 200] {
            for rows in [1, 2, 3, 4, 5, 6, 7, 24] {
                for trace in [false, true] {
                    let frame = frame(columns, rows, bodyLines: 30, trace: trace)
                    #expect(frame.lines.count == rows)
                    #expect(frame.lines.allSatisfy { $0.columns <= columns })
                }
            }
        }
    }

    @Test func trace_standsBesideTheBody_orBelowIt() {
        let wide = texts(frame(80, 20, trace: true))
        #expect(wide[2].hasPrefix("line 0"))
        #expect(wide[2].contains("│ Navigation stack"))
        #expect(wide.contains { $0.hasSuffix("event 98") })
        #expect(!wide.contains { $0.hasSuffix("event 0") })
        let narrow = texts(frame(40, 20, trace: true))
        #expect(narrow[2] == "line 0")
        #expect(narrow.contains(" Navigation stack"))
        #expect(narrow.contains("  event 98"))
    }

    @Test func footer_showsWholeEntriesOnly_theFirstOnesFirst() {
        let keys = [
            Frame.KeyHelp("Enter", short: "↵", "choose"), Frame.KeyHelp("Esc", "back"),
            Frame.KeyHelp("q", "quit"),
        ]
        #expect(Frame.footer(nil, keys: keys, columns: 19).text == "↵ choose  Esc back")
        #expect(Frame.footer(nil, keys: keys, columns: 17).text == "↵ choose  q quit")
        #expect(
            Frame.footer(Line("✓ Saved", .accent), keys: keys, columns: 40).text
                == " ✓ Saved  Enter choose  Esc back  q quit")
    }
}

struct FrameBarTests {
    private func bar(_ path: String, _ status: String, _ columns: Int) -> String {
        Frame.bar(path: path, status: status, columns: columns).text
    }

    @Test func status_standsAtTheEndOfTheLine() {
        #expect(bar("Profile", "Signed in as ann", 40) == " Profile               Signed in as ann ")
        #expect(Frame.bar(path: "Profile", status: "ann", columns: 40).spans.map(\.style) == [.bar])
    }

    @Test func noStatus_leavesThePathAlone() {
        #expect(bar("Profile", "", 20) == " Profile            ")
        #expect(bar("Profile › Sign in", "", 12) == " …› Sign in ")
    }

    @Test(arguments: [
        (27, " Profile  Signed in as ann "), (26, " Profile  Signed in as a… "),
        (19, " Profile  Signed … "), (18, " Profile  Signed… "), (9, " Profile "), (7, " …file "),
    ])
    func narrowLine_cutsTheStatusBeforeThePath(_ columns: Int, _ line: String) {
        #expect(bar("Profile", "Signed in as ann", columns) == line)
    }

    @Test(arguments: [(14, " Profile  ann "), (13, " Profile  a… "), (11, " Profile   ")])
    func shortStatus_isShownAsFarAsItFits(_ columns: Int, _ line: String) {
        #expect(bar("Profile", "ann", columns) == line)
    }

    @Test(arguments: [
        (24, " 漢字  漢字漢字漢字漢字 "), (23, " 漢字  漢字漢字漢字漢… "), (22, " 漢字   漢字漢字漢字… "),
        (16, " 漢字   漢字漢… "), (15, " 漢字  漢字漢… "),
    ])
    func wideCharacters_areCountedByTheirColumns(_ columns: Int, _ line: String) {
        #expect(bar("漢字", "漢字漢字漢字漢字", columns) == line)
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
    private func frame(_ lines: [Line]) -> Frame {
        let areas = Frame.Areas(TerminalDevice.Size(columns: 20, rows: 3), hasTrace: false)
        var frame = Frame(areas, bar: lines[0], body: Body(), footer: [lines[2]])
        frame.lines = lines
        return frame
    }

    @Test func firstFrame_isDrawnAsAWhole_andTheNextOnlyWhereItDiffers() {
        var renderer = Renderer(Theme(.none))
        let lines = [Line("bar", .bar), Line("one", .plain), Line("keys", .quiet)]
        #expect(
            renderer.draw(frame(lines))
                == "\u{1B}[?2026h\u{1B}[?25l\u{1B}[1;1H\u{1B}[K\u{1B}[7mbar\u{1B}[0m\u{1B}[2;1H\u{1B}[Kone"
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
        ("one, two, three", "one, two", "\u{1B}[2;9H\u{1B}[K"), ("a 漢", "b 漢", "\u{1B}[2;1H\u{1B}[Kb 漢"),
        ("1 and the same text 1", "2 and the same text 2", "\u{1B}[2;1H2\u{1B}[2;21H2"),
    ])
    func changedLine_isDrawnWhereItDiffers_andAsAWholeWithWideCharacters(
        former: String, line: String, drawn: String
    ) {
        var renderer = Renderer(Theme(.none))
        _ = renderer.draw(frame([Line(), Line(former, .plain), Line()]))
        #expect(
            renderer.draw(frame([Line(), Line(line, .plain), Line()]))
                == "\u{1B}[?2026h\u{1B}[?25l\(drawn)\u{1B}[?2026l")
    }

    @MainActor
    @Test(arguments: [(80, 24, 350), (200, 60, 600)])
    func scrollingALongList_drawsFewBytes(columns: Int, rows: Int, limit: Int) throws {
        let device = EmulatedDevice()
        device.resize(columns: columns, rows: rows)
        let presenter = FullScreenPresenter(device, theme: Theme(.many))
        let router = SmallRouter(presenter)
        let list = Display.List(0..<10_000, id: \.self) {
            Display.Row("Row \($0)", detail: "with more about it") {}
        }
        try router.show(Display.ContentScreen("Rows", [.list(list)]))
        try presenter.draw()
        func pressDown(_ count: Int) throws {
            for _ in 0..<count {
                _ = presenter.handle(.down)
                try presenter.draw()
            }
        }
        try pressDown(100)
        let before = device.bytes
        try pressDown(200)
        #expect((device.bytes - before) / 200 <= limit)
    }

    @Test func colours_areThoseThatTheTerminalHasAndTheUserWants() {
        let environments: [([String: String], Theme.Colours)] = [
            ([:], .sixteen), (["TERM": "xterm-256color"], .many), (["COLORTERM": "truecolor"], .many),
            (["TERM": "xterm-256color", "NO_COLOR": "1"], .none),
            (["TERM": "xterm-256color", "NO_COLOR": ""], .many),
        ]
        for (environment, colours) in environments {
            #expect(Theme(environment: environment) == Theme(colours))
        }
        #expect(Theme(.none).text(of: Line.Span("x", .error)) == "\u{1B}[1mx\u{1B}[0m")
        #expect(Theme(.sixteen).text(of: Line.Span("x", .error)) == "\u{1B}[1;31mx\u{1B}[0m")
        #expect(Theme(.many).text(of: Line.Span("x", .focused)) == "\u{1B}[7;38;5;63mx\u{1B}[0m")
    }
}
