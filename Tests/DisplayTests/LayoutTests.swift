import DisplayInterface
import Testing

@testable import DisplayImplementation

@MainActor
struct LayoutTests {
    private func page(_ elements: [Display.Element]) -> Page {
        Page(Display.Content(title: "Page", elements: elements))
    }

    private func body(
        _ elements: [Display.Element], focus: Place? = nil, top: Int = 0, columns: Int = 40,
        height: Int = 12, reveals: Bool = true
    ) -> Body {
        Layout(page(elements), columns: columns, focus: focus)
            .body(height: height, from: top, revealing: reveals ? focus : nil)
    }

    private func cursor(in body: Body) -> Frame.Position? {
        var frame = Frame(TerminalDevice.Size(columns: 80, rows: 40))
        for (row, line) in body.lines.enumerated() { frame.draw(line, row: row) }
        return frame.cursor
    }

    private func lines(_ body: Body) -> [String] {
        body.lines.map { line in
            var text = line.text
            while text.last == " " { text.removeLast() }
            return text
        }
    }

    private let form: [Display.Element] = [
        .error("The password is wrong."),
        .field(Display.Field("User name", text: "ann") { _ in }),
        .field(Display.Field("Password", text: "secret", isSecure: true) { _ in }),
        .button(Display.Button("Sign in") {}),
        .row(Display.Row("Bob", detail: "a friend") {}),
    ]

    @Test func body_showsElementsInGroups_andFieldsAsBoxes() {
        let shown = body(form, focus: Place(element: 2))
        #expect(
            lines(shown) == [
                "! The password is wrong.", "", "  User name: │ann                     │",
                "› Password:  │••••••                  │", "", "  [ Sign in ]", "",
                "  Bob             a friend",
            ])
        #expect(cursor(in: shown) == Frame.Position(row: 3, column: 20))
        #expect(!shown.isMoreAbove)
        #expect(!shown.isMoreBelow)
    }

    @Test func choices_haveDigits_whereNoFieldTakesThem() {
        #expect(
            lines(body(form, focus: Place(element: 3))).suffix(3) == [
                "› [ Sign in ]", "", "2 Bob             a friend",
            ])
    }

    @Test func body_ofAnySize_fillsTheRoomAndNeverMore() {
        let wide: [Display.Element] = [
            .text("漢字漢字 and more words than fit\nsecond line"), .progress("Loading"), list(count: 0),
            list(count: 3),
        ]
        for columns in [1, 2, 3, 4, 5, 8, 13, 21, 40] {
            for height in [0, 1, 2, 3, 5, 10, 30] {
                for focus in [nil, 1, 2, 3, 4].map({ $0.map { Place(element: $0) } }) {
                    let body = body(form + wide, focus: focus, columns: columns, height: height)
                    #expect(body.lines.count <= height)
                    if height > 0, let focus {
                        #expect(body.lines.contains { $0.spans.first?.place == focus }, "the focus is seen")
                    }
                }
            }
        }
    }

    @Test func longContent_isScrolledToTheFocus() {
        let rows = (0..<20).map { Display.Element.row(Display.Row("row \($0)") {}) }
        let end = body(rows, focus: Place(element: 19), height: 4)
        #expect(lines(end) == ["  row 16", "  row 17", "  row 18", "› row 19"])
        #expect(end.isMoreAbove)
        #expect(!end.isMoreBelow)
        let seen = body(rows, focus: Place(element: 17), top: end.top, height: 4)
        #expect(seen.top == end.top, "what is seen already is not moved")
        #expect(body(rows, focus: Place(element: 3), top: end.top, height: 4).top == 3)
        let away = body(rows, focus: Place(element: 3), top: .max, height: 4, reveals: false)
        #expect(away.top == 16)
    }

    @Test(arguments: [1, 3, 7, 100])
    func scrolling_toTheEndAndBack_seesEveryLineInTurn(step: Int) {
        let text = (0..<30).map { "line \($0) is so long that it is broken" }.joined(separator: "\n")
        let elements: [Display.Element] = [.text(text), list(count: 0), list(count: 30)] + form
        let layout = Layout(page(elements), columns: 20)
        let all = lines(layout.body(height: 1000, from: 0, revealing: nil))
        #expect(all.count > 80)
        var top = 0
        for start in stride(from: 0, to: all.count - 10, by: step) {
            let body = layout.body(height: 10, from: top, revealing: nil)
            #expect(lines(body) == Array(all[start..<(start + 10)]))
            #expect(body.isMoreAbove == (start > 0))
            top = layout.scrolled(top, by: step, height: 10)
        }
        top = layout.scrolled(.max, by: 5, height: 10)
        for start in stride(from: all.count - 10, through: 0, by: -step) {
            #expect(
                lines(layout.body(height: 10, from: top, revealing: nil)) == Array(all[start..<(start + 10)]))
            top = layout.scrolled(top, by: -step, height: 10)
        }
    }

    @Test func nothing_isScrolledToItsFirstLine() {
        let layout = Layout(page([]), columns: 20)
        let top = layout.scrolled(3, by: 5, height: 10)
        #expect(top == 0)
        #expect(layout.body(height: 10, from: top, revealing: nil).lines.isEmpty)
    }

    @Test func text_isBrokenOnceForItsWidth() {
        func text() -> String { String(repeating: "漢字 word ", count: 200) }
        func address(_ lines: [Substring]) -> UnsafePointer<UInt8>? {
            lines[0].base.utf8.withContiguousStorageIfAvailable { $0.baseAddress } ?? nil
        }
        let page = page([.text(text())])
        let lines = page.lines(of: text(), at: 0, to: 20)
        #expect(address(lines) != nil)
        let next = Page(Display.Content(title: "Page", elements: [.text(text())]), former: page)
        #expect(address(next.lines(of: text(), at: 0, to: 20)) == address(lines))
        #expect(page.lines(of: text(), at: 0, to: 40).count < lines.count)
        #expect(address(page.lines(of: "e\u{301}", at: 0, to: 20)) != address(lines))
        let composed = page.lines(of: "\u{E9}", at: 0, to: 20)
        #expect(
            composed[0].unicodeScalars.count == 1, "texts that look alike differ in the places of a cursor")
    }

    @Test func list_isAskedOnlyForRowsThatAreSeen() {
        var asked: Set<Int> = []
        let list = Display.List(0..<100_000, id: \.self) { row in
            asked.insert(row)
            return Display.Row("row \(row)") {}
        }
        let page = page([.list(list)])
        let layout = Layout(page, columns: 40, focus: Place(element: 0, row: 70_000))
        #expect(
            lines(layout.body(height: 20, from: 0, revealing: Place(element: 0, row: 70_000)))
                .count == 20)
        #expect(asked.count <= 128)
        _ = layout.body(height: 20, from: .max, revealing: nil)
        #expect(asked.count <= 256)
        #expect(asked.max() == 99_999)
    }

    @Test func longField_showsThePartAroundTheInsertionPoint() {
        let field = Display.Field("Name", text: "abcdefghijklmnop") { _ in }
        let page = page([.field(field)])
        func shown(_ keys: [Key]) -> (String, Int?) {
            var editor = TextEditor(field.text)
            for key in keys { _ = editor.apply(key, limit: 100) }
            let body = Layout(page, columns: 21, focus: Place(element: 0), editor: editor)
                .body(height: 1, from: 0, revealing: nil)
            return (lines(body)[0], cursor(in: body)?.column)
        }
        #expect(shown([]) == ("› Name: │…ijklmnop │", 18))
        #expect(shown([.home, .right, .right]) == ("› Name: │abcdefgh… │", 11))
    }

    @Test func body_neverPassesControlCharactersOn() {
        let evil = "a\u{1B}[2J\u{9B}\u{7}b"
        let elements: [Display.Element] = [
            .text(evil), .error(evil), .progress(evil), .field(Display.Field(evil, text: evil) { _ in }),
            .button(Display.Button(evil) {}), .row(Display.Row(evil, detail: evil) {}),
            .list(Display.List(0..<1, id: \.self, row: { _ in Display.Row(evil, detail: evil) {} })),
        ]
        for focus in [nil, 3, 4, 5, 6].map({ $0.map { Place(element: $0) } }) {
            for line in body(elements, focus: focus, height: 40).lines {
                #expect(!line.text.unicodeScalars.contains { $0.properties.generalCategory == .control })
            }
        }
    }

    private func list(count: Int) -> Display.Element {
        .list(Display.List(0..<count, id: \.self, row: { Display.Row("row \($0)") {} }))
    }
}
