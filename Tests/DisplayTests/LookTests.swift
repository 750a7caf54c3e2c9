import DisplayInterface
import DisplayTesting
import Foundation
import RouterServiceInterface
import Testing

@testable import DisplayImplementation

/// What a user sees at several sizes of a terminal: panes, rows in columns, forms, running actions, and the trace.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct LookTests: EmulatedTerminalSuite {
    let terminal = EmulatedTerminal(Theme(hasColours: true), trace: LongTrace())

    private var lines: [String] { device.screen.lines }

    private func show(_ elements: [Display.Element], columns: Int, rows: Int) throws {
        try show(Display.ContentScreen("Notes", elements), columns: columns, rows: rows)
    }

    private func style(of text: String) -> Line.Style? {
        for row in presenter.frame?.cells ?? [] {
            let line = row.map(\.text).joined()
            guard let range = line.range(of: text) else { continue }
            return row[line.distance(from: line.startIndex, to: range.lowerBound)].style
        }
        return nil
    }

    private let notes: [Display.Element] = [
        .row(Display.Row("Tea", detail: "Green or black", facts: [Display.Fact("2026-11-29")]) {}),
        .row(
            Display.Row(
                "A long title, which takes the room", detail: "Words",
                facts: [Display.Fact("conflict", .warning), Display.Fact("2026-11-28")]
            ) {}),
    ]

    @Test(arguments: [
        (60, "2 A long title, which takes the room   conflict  2026-11-28"),
        (28, "2 A long title, …  conflict"),
    ])
    func rows_standInColumns_andANarrowTerminalLeavesOutTheLast(columns: Int, row: String) throws {
        try show(notes, columns: columns, rows: 8)
        #expect(lines[3] == row)
        #expect(lines[2].hasPrefix("› Tea"))
        #expect(presenter.frame?.cells[2].allSatisfy { $0.style == .selected } == true, "as wide as the pane")
        #expect(style(of: "conflict") == .role(.warning))
        #expect(style(of: "2 A long") == .role(.muted), "numbers are muted")
    }

    @Test func details_standInOneColumn_whateverFactsTheRowsHave() throws {
        let facts = [
            [], [Display.Fact("2026-11-29")], [Display.Fact("conflict"), Display.Fact("2026-11-28")],
        ]
        try show(
            facts.map { .row(Display.Row("Tea", detail: "Green", facts: $0) {}) }, columns: 60, rows: 8)
        let columns = lines[2...4].map { line in line.prefix { $0 != "G" }.count }
        #expect(Set(columns).count == 1, "\(device.screen.text)")
    }

    @Test func row_besideAPreview_hasRoomForItsText_ratherThanForItsDate() throws {
        let preview = EmbeddedScreen(
            Display.ContentScreen("Preview"), as: Presentation(id: -1, style: .embedded, isRoot: false) {})
        let facts = [
            [Display.Fact("draft", .positive), Display.Fact("2026-11-29")], [Display.Fact("2026-11-28")],
        ]
        let list = Display.ContentScreen {
            Display.Content(
                title: "Notes",
                elements: facts.map { .row(Display.Row("Shopping", detail: "Milk and bread", facts: $0) {}) },
                detail: preview)
        }
        try show(list, columns: 80, rows: 24)
        #expect(lines[2].hasPrefix("│› Shopping           Milk and bread     draft"), "\(device.screen.text)")
        #expect(lines[3].hasPrefix("│2 Shopping           Milk and br…  2026-11-28"), "\(device.screen.text)")
    }

    @Test func listOfKeys_isNotBrokenInANarrowTerminal() throws {
        try show(notes, columns: 60, rows: 40)
        try press(.text("?"))
        for text in KeyTable.lines(hasTrace: true) where !text.isEmpty {
            #expect(lines.contains("  \(text)"))
        }
    }

    @Test func listOfKeys_hasTheKeyOfTheTrace_whereThereIsATrace() throws {
        for trace in [nil, LongTrace()] {
            let terminal = EmulatedTerminal(trace: trace)
            try terminal.show(Display.ContentScreen("Notes"), rows: 40)
            try terminal.press(.text("?"))
            let screen = terminal.device.screen.text
            #expect(screen.contains("redraw"))
            #expect(screen.contains("show or hide the trace") == (trace != nil))
        }
    }

    @Test(arguments: [(24, 6), (60, 20), (80, 24), (120, 40), (200, 50)])
    func panes_areFramedFromAHundredColumnsOn_andNothingIsLost(columns: Int, rows: Int) throws {
        try show(notes, columns: columns, rows: rows)
        #expect(device.screen.text.contains("┌─ Notes ──") == (columns >= 100))
        #expect(
            device.screen.text.contains("┌─ Trace ──") == (columns >= 160), "a wide terminal has room for it")
        #expect(device.screen.text.contains("› Tea"))
        let places = Set((presenter.frame?.cells ?? []).joined().compactMap(\.place))
        #expect(places == [Place(element: 0), Place(element: 1)])
        try press(.text("t"))
        let isShown = device.screen.text.contains("Trace ──")
        #expect(isShown == (columns < 160 && rows > 6), "the user has hidden it, or shown it")
    }

    @Test func dialogOverAListWithAPreview_leavesThePreviewWhereItIs() throws {
        let preview = EmbeddedScreen(
            Display.ContentScreen("Preview"), as: Presentation(id: -1, style: .embedded, isRoot: false) {})
        let list = Display.ContentScreen { [notes] in
            Display.Content(title: "Notes", elements: notes, detail: preview)
        }
        try show(list, columns: 200, rows: 50)
        let line = lines[1]
        #expect(line.contains("┐┌─ Preview ──"))
        try router.show(Display.ContentScreen("Sure?", [.text("Yes or no?")]), as: .modal)
        try presenter.draw()
        #expect(lines[1] == line, "\(device.screen.text)")
    }

    @Test func text_isAtMostAHundredColumnsWide() throws {
        try show([.text(String(repeating: "word ", count: 200))], columns: 150, rows: 20)
        let words = lines.map { line in line.filter { $0 == "w" }.count }
        #expect(words.max() == 19)
    }

    @Test func fields_beginAndEndTogether_andAnErrorStandsBelowItsField() async throws {
        let form = SignInExample()
        device.resize(columns: 80, rows: 16)
        try router.show(form.screen { _ in })
        try presenter.draw()
        try press(Key.text("ann"), .tab, .text("wrong"), .tab)
        let fields = lines.filter { $0.contains("│") }
        let edges = fields.map { line in
            line.indices.filter { line[$0] == "│" }.map { line.distance(from: line.startIndex, to: $0) }
        }
        #expect(fields.count == 2)
        #expect(Set(edges).count == 1, "\(device.screen.text)")
        _ = try presenter.handle([.enter])
        try await draw { !device.screen.text.contains("! The user name") }
        let row = try #require(lines.firstIndex { $0.contains("Password:") })
        #expect(lines[row + 1].hasSuffix("! The user name or the password is wrong."))
        #expect(lines[row + 1].prefix { $0 != "!" }.count == lines[row].prefix { $0 != "│" }.count)
        #expect(style(of: "! The user name") == .role(.negative))
    }

    @Test func runningAction_isShownBesideItsElement() async throws {
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let slow = Display.Button("Slow") { for await _ in gate { break } }
        try show([.button(Display.Button("Other") {}), .button(slow)], columns: 60, rows: 10)
        _ = try presenter.handle([.text("2")])
        while lines[3] == "› [ Slow ]" || lines[3] == "2 [ Slow ]" {
            try await Task.sleep(for: .milliseconds(20))
            try presenter.draw()
        }
        #expect("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏".contains(lines[3].prefix(1)), "\(lines[3])")
        #expect(lines[2] == "1 [ Other ]" || lines[2] == "  [ Other ]")
        opener.yield()
        try await draw { lines[3] != "› [ Slow ]" }
    }

    @Test func trace_standsInColumns_andIsCutWithinValuesOnly() throws {
        try show(notes, columns: 200, rows: 30)
        let titles = try #require(lines.first { $0.contains("Events") })
        #expect(titles.contains("Navigation stack"))
        #expect(titles.contains("Services created"))
        let event = try #require(lines.first { $0.contains("profile.overview") })
        #expect(event.contains(" 12 ms  presented  profile.overview {\"user\":\"ann"))
        #expect(event.contains("…"))
        #expect(event.contains("the end"))
        #expect(style(of: "presented") == .role(.positive))
        device.resize(columns: 80, rows: 30)
        try presenter.draw()
        try press(.text("t"))
        #expect(device.screen.text.contains("any Feature.OfAVeryLongName │"), "\(device.screen.text)")
    }
}

/// A trace whose values are longer than any pane.
@MainActor
private final class LongTrace: Display.Trace {
    let stack = ["app://home", "app://profile"]
    let services = ["any HTTP.Client"]
    let events = [
        Display.TraceEvent("created", .muted, "any Feature.OfAVeryLongName", at: .now),
        Display.TraceEvent(
            "presented", .positive, "profile.overview",
            values: "{\"user\":\"ann\"} \(String(repeating: "more ", count: 90)) the end",
            at: .now + .milliseconds(12)),
    ]
}
