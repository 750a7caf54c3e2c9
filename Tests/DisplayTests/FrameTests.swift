import DisplayInterface
import Testing

@testable import DisplayImplementation

@MainActor
struct FrameTests {
    private func scene(
        _ elements: [Display.Element], focus: Int? = nil, columns: Int = 30, rows: Int = 10
    ) -> Frame.Scene {
        Frame.Scene(
            path: "Profile › Sign in", elements: elements, focus: focus, keyHelp: "q quit",
            size: TerminalDevice.Size(columns: columns, rows: rows))
    }

    private func lines(_ scene: Frame.Scene) -> [String] {
        Frame(scene).lines.map { line in
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

    @Test func frame_showsPathElementsAndKeyHelp() {
        var scene = scene(form, focus: 2, rows: 12)
        scene.cursor = .max
        #expect(
            lines(scene) == [
                " Profile › Sign in", "", "! The password is wrong.", "", "  User name: ann",
                "› Password: ••••••",
                "", "  [ Sign in ]", "", "  Bob — a friend", "", " q quit",
            ])
        #expect(Frame(scene).cursor == Frame.Position(row: 5, column: 18))
        #expect(Frame(scene).lines.map(\.style).filter { $0 == .bar }.count == 1)
    }

    @Test func status_standsInTheTopLineAndNowhereElse() {
        var scene = scene(form, focus: 1, columns: 40, rows: 12)
        let without = lines(scene)
        scene.status = "Signed in as ann"
        #expect(lines(scene)[0] == " Profile › Sign in     Signed in as ann")
        #expect(lines(scene).dropFirst() == without.dropFirst())
        scene.size.rows = 2
        #expect(!lines(scene).joined().contains("Signed in"), "a terminal this low has no top line")
    }

    @Test func frame_ofAnySize_fillsTheTerminalAndNeverMore() {
        let wide: [Display.Element] = [
            .text("漢字漢字 and more words than fit\nsecond line"), .progress("Loading"),
        ]
        for columns in [1, 2, 3, 4, 5, 8, 13, 21, 40] {
            for rows in [1, 2, 3, 4, 5, 6, 7, 10, 15] {
                for focus in [nil, 1, 2, 3, 4] {
                    var scene = scene(form + wide, focus: focus, columns: columns, rows: rows)
                    scene.cursor = 2
                    scene.status = "Signed in as 漢字"
                    let frame = Frame(scene)
                    #expect(frame.lines.count == rows)
                    // A character of two columns cannot be had in one.
                    #expect(frame.lines.allSatisfy { TextWidth.columns(of: $0.text) <= max(2, columns) })
                    if let cursor = frame.cursor {
                        #expect((0..<rows).contains(cursor.row))
                    }
                }
            }
        }
    }

    @Test func longContent_isScrolledToTheFocus() {
        let rows = (0..<20).map { Display.Element.row(Display.Row("row \($0)") {}) }
        var scene = scene(rows, focus: 19, rows: 8)
        var frame = Frame(scene)
        #expect(frame.scroll == 16)
        #expect(lines(scene)[1...6] == ["  ↑", "  row 16", "  row 17", "  row 18", "› row 19", ""])

        scene.focus = 17
        scene.scroll = frame.scroll
        frame = Frame(scene)
        #expect(frame.scroll == 16, "what is seen already is not moved")

        scene.focus = 3
        #expect(Frame(scene).scroll == 3)

        scene.reveals = false
        scene.scroll = 100
        #expect(Frame(scene).scroll == 16)
        #expect(Frame(scene).cursor == nil)
    }

    @Test func longField_showsThePartAroundTheInsertionPoint() {
        let field = Display.Element.field(Display.Field("Name", text: "abcdefghijklmnop") { _ in })
        var scene = scene([field], focus: 0, columns: 20)
        scene.cursor = 16
        #expect(lines(scene)[2] == "› Name: …ghijklmnop")
        #expect(Frame(scene).cursor == Frame.Position(row: 2, column: 19))
        scene.cursor = 2
        #expect(lines(scene)[2] == "› Name: abcdefghij…")
        #expect(Frame(scene).cursor == Frame.Position(row: 2, column: 10))
    }

    @Test func frame_neverPassesControlCharactersOn() {
        let evil = "a\u{1B}[2J\u{9B}\u{7}b"
        var scene = scene(
            [
                .text(evil), .error(evil), .progress(evil), .field(Display.Field(evil, text: evil) { _ in }),
                .button(Display.Button(evil) {}), .row(Display.Row(evil, detail: evil) {}),
            ], focus: 3, rows: 24)
        scene.path = PlainText.line(evil)
        for line in Frame(scene).lines {
            #expect(!line.text.unicodeScalars.contains { $0.properties.generalCategory == .control })
        }
    }

    @Test func text_drawsTheWholeFrameAndPlacesTheCursor() {
        let frame = Frame(
            scene([.field(Display.Field("N", text: "x") { _ in })], focus: 0, columns: 12, rows: 3))
        #expect(
            frame.text
                == "\u{1B}[?2026h\u{1B}[?25l\u{1B}[H\u{1B}[K\u{1B}[7m …› Sign in \u{1B}[0m\r\n\u{1B}[K\u{1B}[1m› N: x"
                + "\u{1B}[0m\r\n\u{1B}[K\u{1B}[2m q quit\u{1B}[0m\u{1B}[2;6H\u{1B}[?25h\u{1B}[?2026l")
    }
}
