import DisplayInterface
import DisplayTesting
import Foundation
import Observation
import RouterServiceInterface
import Testing

@testable import DisplayImplementation

/// Drawing piece by piece, compared with a drawing of the whole.
///
/// `DISPLAY_SEQUENCES=<count>` compares more or fewer sequences of keys, as `scripts/test --slow` does.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RandomKeysTests {
    nonisolated private static let count =
        ProcessInfo.processInfo.environment["DISPLAY_SEQUENCES"].flatMap(UInt64.init) ?? 2

    @Test(arguments: 1...max(1, count))
    func screen_afterAnyKeysAndSizes_isThatOfAFreshDrawing(seed: UInt64) async throws {
        var random = SeededNumbers(seed)
        let device = EmulatedDevice()
        let presenter = FullScreenPresenter(
            device, theme: Theme(hasColours: true), status: FakeStatus("ann"), trace: FakeTrace())
        let router = SmallRouter(presenter.stack)
        try router.show(ChangingScreen(router).screen)
        try router.show(ChangingScreen(router, preview: ChangingScreen(router)).screen)
        if seed % 2 == 0 {
            try router.show(ChangingScreen(router, isShort: true).screen, as: .modal)
        }
        for step in 0..<500 {
            // Other tests need the main actor as well.
            if step % 5 == 0 { try await Task.sleep(for: .milliseconds(1)) }
            if random.below(20) == 0 {
                device.resize(columns: 1 + random.below(130), rows: 1 + random.below(16))
                // The content of a terminal after a change of its size is not specified.
                if random.below(2) == 0 { _ = try presenter.handle([.redraw]) }
            }
            _ = try presenter.handle([random.key()])
            try presenter.draw()
            let frame = try #require(presenter.frame)
            var fresh = EmulatedScreen(columns: device.size.columns, rows: device.size.rows)
            var renderer = Renderer(Theme(hasColours: true))
            let whole = renderer.draw(frame)
            fresh.draw(try #require(whole).utf8)
            #expect(device.screen.lines == fresh.lines, "step \(step) of seed \(seed)")
            #expect(device.screen.cellStyles == fresh.cellStyles, "step \(step) of seed \(seed)")
            #expect(device.screen.showsCursor == fresh.showsCursor)
            if fresh.showsCursor {
                #expect(device.screen.row == fresh.row)
                #expect(device.screen.column == fresh.column)
            }
            if step % 5 == 0 {
                // The last line may show how long something takes.
                let again = presenter.nextFrame()?.cells.dropLast()
                #expect(again == frame.cells.dropLast(), "laid out again, step \(step) of seed \(seed)")
            }
            #expect(device.screen.unknown.isEmpty)
            guard device.screen.lines == fresh.lines else { return }
        }
        presenter.stack.remove((1...4).map { Presentation.ID($0) })
    }

    @Test(arguments: 1...20)
    func noise_isEndedByAControlC_andBreaksNothing(seed: UInt64) throws {
        var random = SeededNumbers(seed)
        let device = EmulatedDevice()
        let presenter = FullScreenPresenter(device)
        try SmallRouter(presenter.stack).show(ChangingScreen(SmallRouter(presenter.stack)).screen)
        var parser = KeyParser()
        // Half of the bytes begin or end sequences, so that these come into each other's way.
        let frequent = Array("\u{1B}\u{1B}\u{1B}[]OPX^_200201~;<Mm\\\u{7}\u{3}".utf8)
        for _ in 0..<100 {
            let bytes = (0..<random.below(100)).map { _ in
                random.below(2) == 0 ? frequent[random.below(frequent.count)] : UInt8(random.below(256))
            }
            _ = try presenter.handle(parser.parse(bytes))
            if random.below(4) == 0 { _ = try presenter.handle(parser.flush()) }
            try presenter.draw()
        }
        let keys = parser.parse([0x03])
        #expect(keys == [.interrupt])
        #expect(!parser.isWaitingForMore)
        #expect(device.screen.unknown.isEmpty)
    }
}

/// Numbers that are the same for the same seed (SplitMix64).
private struct SeededNumbers {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func below(_ limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var number = state
        number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((number ^ (number >> 31)) % UInt64(limit))
    }

    mutating func key() -> Key {
        let texts = [
            "a", "q", "j", "k", "1", "5", "9", "?", "t", "y", "n", "x y", "漢字", "🙂", "e\u{301}", "\u{301}",
            "\u{1B}[2J",
        ]
        let others: [Key] = [
            .enter, .tab, .backTab, .up, .down, .left, .right, .wordLeft, .wordRight, .home, .end, .pageUp,
            .pageDown,
            .backspace, .delete, .eraseWord, .eraseToStart, .eraseToEnd, .redraw, .scroll(3), .scroll(-3),
            .paste("pasted\ntext\r\nin\u{2028}lines"), .paste(String(repeating: "long ", count: 90)),
            .paste(String(repeating: "\n", count: 70_000)), .escape,
        ]
        switch below(4) {
        case 0: return .text(texts[below(texts.count)])
        case 1: return .click(column: below(100), row: below(30))
        default: return others[below(others.count)]
        }
    }
}

/// A screen with something of everything, which its own actions change.
@MainActor
@Observable
private final class ChangingScreen {
    private var name = ""
    private var secret = ""
    private var note = "一二三\nfour"
    private var focused = 0
    private let preview: EmbeddedScreen?
    private var count = 40
    private var isLoading = false
    private let router: SmallRouter
    private let isShort: Bool

    struct Trouble: Error, CustomStringConvertible {
        let description = "trouble, and in so many words that they are broken"
    }

    init(_ router: SmallRouter, preview: ChangingScreen? = nil, isShort: Bool = false) {
        self.router = router
        self.isShort = isShort
        self.preview = preview.map {
            EmbeddedScreen($0.screen, as: Presentation(id: .init(-1), style: .embedded, isRoot: false) {})
        }
    }

    var screen: Display.ContentScreen { Display.ContentScreen { [self] in content } }

    private var content: Display.Content {
        let rows = Display.List(0..<count, id: \.self) { row in
            Display.Row(
                "row \(row) 漢字", detail: row % 3 == 0 ? "detail" : nil, onFocus: { [self] in focused = row }
            ) { [self] in
                count = max(0, count - 7)
            }
        }
        let text = (0..<30).map { "paragraph \($0) of a text that is so long that it is broken" }.joined(
            separator: "\n")
        if isShort {
            let more = Display.Button("More than \(count)") { [self] in count = (count + 7) % 50 }
            let lines = String(repeating: "line\n", count: count / 3)
            return Display.Content(title: "Short", elements: [.button(more), .text(lines)])
        }
        return Display.Content(
            title: "Title \(count), \(focused)",
            elements: [
                .field(Display.Field("Name", text: name, limit: 20) { [self] in name = $0 }),
                .field(Display.Field("Secret", text: secret, isSecure: true) { [self] in secret = $0 }),
                .field(.textArea("Note", text: note, rows: 5, limit: 500) { [self] in note = $0 }),
                .button(Display.Button("More") { [self] in count += 30 }),
                .button(Display.Button("Fail") { throw Trouble() }),
                .button(Display.Button("Load") { [self] in isLoading.toggle() }),
                .text(text), .list(rows), .button(Display.Button("Last") {}),
            ] + (isLoading ? [.progress("Loading")] : []), detail: count % 2 == 0 ? preview : nil)
    }
}
