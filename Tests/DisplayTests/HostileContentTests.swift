import DisplayInterface
import DisplayTesting
import RouterServiceInterface
import Testing

@testable import DisplayImplementation

/// Content that a server or a user may send: no key may take longer for it.
///
/// Even a debug build on a busy machine has to be usable.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct HostileContentTests {
    private enum Hostile: String, CaseIterable {
        case oneWord, marks, joinedEmoji, lineEnds, wideWords

        var text: String {
            switch self {
            case .oneWord: String(repeating: "n", count: 20_000)
            case .marks: "a" + String(repeating: "\u{301}", count: 20_000)
            case .joinedEmoji: Array(repeating: "👩", count: 4_000).joined(separator: "\u{200D}")
            case .lineEnds: String(repeating: "\n", count: 20_000)
            case .wideWords: String(repeating: "漢 ", count: 10_000)
            }
        }
    }

    @Test(arguments: Hostile.allCases)
    private func longTexts_inEveryElement_areDrawnAtOnce(_ hostile: Hostile) async throws {
        let text = hostile.text
        let rows = Display.List(0..<1000, id: \.self) { _ in Display.Row(text, detail: text) {} }
        try await press(
            [
                .text(text), .error(text), .progress(text), .field(Display.Field(text, text: text) { _ in }),
                .field(Display.Field(text, text: text, isSecure: true) { _ in }),
                .button(Display.Button(text) {}),
                .row(Display.Row(text, detail: text) {}), .list(rows),
            ], title: text)
        try await press([.field(.textArea(text, text: text) { _ in })])
    }

    @Test func thousandsOfElements_areDrawnAtOnce() async throws {
        try await press((0..<4000).map { .row(Display.Row("row \($0)") {}) })
        try await press((0..<4000).map { .text("text \($0)") } + [.button(Display.Button("Last") {})])
        try await press(
            (0..<4000).map { _ in .list(Display.List(0..<0, id: \.self, row: { _ in Display.Row("") {} }))
            })
    }

    @Test func fullField_aboveALongTextAndManyLinks_isEditedAtOnce() async throws {
        let full = String(repeating: "漢 ", count: Display.Field.maximum / 2 - 1)
        let links = (0..<4000).map { Display.Element.row(Display.Row("Link \($0)") {}) }
        let text = String(repeating: "漢字 ", count: 13_333)
        var area = full
        var edits = 0
        func elements() -> [Display.Element] {
            let field = Display.Field.textArea("Text", text: area) {
                area = $0
                edits += 1
            }
            return [.field(field), .text(text)] + links
        }
        let device = EmulatedDevice()
        let presenter = FullScreenPresenter(device)
        try SmallRouter(presenter.stack).show(
            Display.ContentScreen("Page", elements()))
        try presenter.draw()
        let keys: [Key] = [
            .text("x"), .up, .enter, .pageUp, .backspace, .home, .pageDown, .delete, .end, .left,
        ]
        var times: [Duration] = []
        for key in keys {
            let start = processorTime()
            _ = try presenter.handle([key])
            try presenter.draw()
            times.append(processorTime() - start)
            await Task.yield()
        }
        #expect(edits == 4)
        #expect(times.max() ?? .zero < .milliseconds(200))
    }

    /// Presses keys and gives up where they take seconds.
    private func press(_ elements: [Display.Element], title: String = "Page") async throws {
        let device = EmulatedDevice()
        let presenter = FullScreenPresenter(device, status: FakeStatus(title))
        try SmallRouter(presenter.stack).show(Display.ContentScreen(title, elements))
        try SmallRouter(presenter.stack).show(Display.ContentScreen(title, elements))
        let keys: [Key] = [
            .down, .tab, .text("x"), .left, .wordLeft, .backspace, .pageDown, .end, .up, .pageUp, .home,
            .scroll(3),
            .text("?"), .escape,
        ]
        var time = Duration.zero
        for key in keys {
            let start = processorTime()
            _ = try presenter.handle([key])
            try presenter.draw()
            time += processorTime() - start
            await Task.yield()
        }
        #expect(time < .seconds(4))
        #expect(device.screen.unknown.isEmpty)
    }
}
