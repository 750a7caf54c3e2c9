import DisplayImplementation
import DisplayInterface
import Foundation
import Observation
import RouterServiceImplementation
import RouterServiceInterface

/// A screen, and the keys that are pressed on it again and again.
struct Operation: Sendable {
    let name: String
    /// The greatest median and the longest single time that it is held to, in milliseconds.
    var bar: (median: Double, worst: Double) = (10, 50)
    /// The rows of the terminal.
    var windowRows: UInt16 = 24
    /// The text that is typed once, before anything is timed.
    var preparation = ""
    /// The keys that are typed in turn; every key changes the visible content.
    var keys: [TimedKeys] = []
    /// The way in which the program ends, if that is timed: Ctrl-C or a signal.
    var ending: Ending?
    let content: @Sendable @MainActor (Form) -> Display.Content

    /// Keys of which the last byte is timed, or all of them.
    struct TimedKeys: Sendable {
        var before = ""
        var timed: String
        /// The keys that are typed afterwards, untimed.
        var after = ""
    }

    /// A way of ending a program; the program is given some time to process the typed keys.
    enum Ending: Sendable {
        case controlC, terminate
    }

    static let all: [Operation] = [rows(10), rows(1000), rows(100_000), preview] + texts + fields + endings

    static func named(_ name: String) throws -> Operation {
        guard let operation = all.first(where: { $0.name == name }) else {
            throw UsageError("No operation is called '\(name)'. 'DisplayBenchmark list' names them.")
        }
        return operation
    }

    private static func keys(_ keys: [String]) -> [TimedKeys] { keys.map { TimedKeys(timed: $0) } }

    private static let (down, up, pageDown, pageUp) = ("\u{1B}[B", "\u{1B}[A", "\u{1B}[6~", "\u{1B}[5~")
    private static let (home, end) = ("\u{1B}[H", "\u{1B}[F")

    /// The window has room for ten rows, so that the same number is seen of every list.
    private static func rows(_ count: Int) -> Operation {
        Operation(
            name: "rows-\(count)", windowRows: 14,
            keys: keys([end, up, pageUp, home, down, down, pageDown, up])
        ) { _ in
            let list = Display.List(
                0..<count, id: \.self, row: { Display.Row("Row \($0)", detail: "with more about it") {} })
            return Display.Content(
                title: "Rows", elements: [.list(list), .button(Display.Button("Done") {})])
        }
    }

    /// A list, and below it a screen that shows something else for each row.
    private static let preview = Operation(
        name: "preview-10000", keys: keys([end, up, pageUp, home, down, down, pageDown, up])
    ) { form in
        let list = Display.List(0..<10_000, id: \.self) { row in
            Display.Row("Row \(row)", onFocus: { form.text = "Row \(row) in many words" }) {}
        }
        return Display.Content(title: "Rows", elements: [.list(list)], detail: form.preview)
    }

    /// One paragraph of 40,000 characters; no two lines are alike, so that scrolling is seen.
    private static func paragraph(of word: String) -> String {
        var text = ""
        var count = 0
        while count < 40_000 {
            let more = "\(word)\(count) "
            text += more
            count += more.count
        }
        return text
    }

    private static let texts = [("text-40000", "word"), ("text-40000-wide", "漢字")].map { name, word in
        let text = paragraph(of: word)
        return Operation(name: name, keys: keys([down, pageDown, up, end, up, pageUp, home])) { _ in
            Display.Content(title: "Text", elements: [.text(text)])
        }
    }

    private static let fields: [Operation] = {
        // Full but for the characters that are typed.
        let text = String(repeating: "word ", count: (Display.Field.maximum - 1000) / 5)
        let erase = "\u{15}"
        let field: @Sendable @MainActor (Form) -> Display.Content = { form in
            let field = Display.Field("Text", text: form.text) { form.text = $0 }
            return Display.Content(
                title: "Form", elements: [.field(field), .button(Display.Button("Save") {})])
        }
        let lines = text.replacing("word word word word ", with: "word word word word\n")
        let wide = paragraph(of: "漢字")
        let edits = ["x", "\u{7F}", up, "\r", "\u{7F}", pageUp, "é", pageDown, "\u{1}", "\u{5}"]
        return [
            Operation(
                name: "area-full", preparation: "\u{1B}[200~\(lines)\u{1B}[201~", keys: keys(edits)
            ) { form in
                let area = Display.Field.textArea("Text", text: form.text) { form.text = $0 }
                return Display.Content(title: "Form", elements: [.field(area)])
            },
            Operation(
                name: "page-full", windowRows: 60, preparation: "\u{1B}[200~\(lines)\u{1B}[201~",
                keys: keys(edits)
            ) { form in
                let area = Display.Field.textArea("Text", text: form.text) { form.text = $0 }
                let links = (0..<4000).map { Display.Element.row(Display.Row("Link \($0)") {}) }
                return Display.Content(title: "Form", elements: [.field(area), .text(wide)] + links)
            },
            Operation(
                name: "field-full", preparation: "\u{1B}[200~\(text)\u{1B}[201~",
                keys: keys(["x", "\u{7F}", "\u{1B}[D", "\u{1B}[1;5D", "é", "\u{1}", "\u{5}"]), content: field),
            Operation(
                name: "paste-full",
                keys: [TimedKeys(before: "\u{1B}[200~\(text)\u{1B}[201", timed: "~", after: erase)],
                content: field),
        ]
    }()

    /// The end of a program whose main actor answers, and of one whose main actor never will.
    private static let endings: [Operation] = {
        let content: @Sendable @MainActor (Form) -> Display.Content = { form in
            let hang = Display.Button("Hang") { while true { holdThread() } }
            let field = Display.Field("Text", text: form.text) { form.text = $0 }
            return Display.Content(title: "Form", elements: [.button(hang), .field(field)])
        }
        let enter = "\r"
        let paste = "\u{1B}[200~" + String(repeating: "word ", count: 200_000)
        return [
            ("ctrl-c", "", .controlC), ("ctrl-c-in-a-paste", paste, .controlC),
            ("ctrl-c-while-main-hangs", enter, .controlC), ("sigterm-while-main-hangs", enter, .terminate),
        ].map { (name: String, typed: String, ending: Ending) in
            Operation(name: name, bar: (100, 100), preparation: typed, ending: ending, content: content)
        }
    }()
}

/// The state of a form.
@Observable
@MainActor
final class Form {
    var text = ""
    /// A screen of its own, which shows the text.
    @ObservationIgnored private(set) lazy var preview = EmbeddedScreen(
        Display.ContentScreen { [unowned self] in
            Display.Content(title: "Preview", elements: [.text(text), .button(Display.Button("Done") {})])
        }, as: Presentation(id: .init(-1), style: .embedded, isRoot: false) {})
}

extension Operation {
    /// Shows the screen on the standard input and output, until the user quits.
    @MainActor
    func show() async throws {
        let form = Form()
        let screens = Screens { Display.ContentScreen { content(form) } }
        let router = RouterService(modules: [DisplayModule(), screens])
        try await router.start(with: Beginning())
        try await router.resolve((any Display.Terminal).self).run(performing: nil)
    }
}

private struct Beginning: Route {
    static let identifier = "benchmark.beginning"
}

private struct Screens: Module {
    let screen: @MainActor () -> Display.ContentScreen

    func register(in registrar: Registrar) {
        registrar.route(Beginning.self) { BeginningFeature(screen: screen) }
    }
}

private struct BeginningFeature: Feature {
    let screen: @MainActor () -> Display.ContentScreen

    func build(_ route: Beginning, in context: any RouteContext<Beginning>) -> any Screen { screen() }
}

/// Holds the thread up, which asynchronous code must never do.
private func holdThread() {
    Thread.sleep(forTimeInterval: 1)
}
