import DisplayInterface
import RouterServiceInterface

extension Frame {
    /// The top line: the names of the screens, and the status, which is cut first unless it is an error.
    static func bar(path: String, status: Display.Fact?, columns: Int) -> Line {
        let role = status?.role ?? .muted
        let status = TextLayout.line(status?.text ?? "", to: columns)
        let free = columns - TextLayout.columns(of: status) - minimumGap - 2
        let room = role == .negative ? max(free, columns / 8) : columns
        let start = " \(TextLayout.cutStart(path, to: min(room, columns - 2)))"
        let left = columns - TextLayout.columns(of: start)
        let end = TextLayout.cut(status, to: max(0, left - minimumGap - 1))
        let gap = String(repeating: " ", count: max(0, left - TextLayout.columns(of: end) - 1))
        return Line([Line.Span(start, .strong), Line.Span(gap, .plain), Line.Span(end, .role(role))])
    }

    private static let minimumGap = 2

    /// The bottom line: a message, and the most important keys, as many as fit.
    static func footer(_ message: Line?, keys: [(String, String)], columns: Int) -> Line {
        var spans = message.map { [Line.Span(" ", .plain)] + $0.spans } ?? []
        var left = columns - Line(spans).columns
        for (key, action) in keys {
            let gap = spans.isEmpty ? " " : "  "
            let needed = TextLayout.columns(of: "\(gap)\(key) \(action)")
            guard needed <= left else { continue }
            spans += [
                Line.Span(gap, .plain), Line.Span(key, .strong), Line.Span(" \(action)", .role(.muted)),
            ]
            left -= needed
        }
        return Line(spans)
    }

    /// The most important keys on a screen, each with its effect.
    @MainActor
    static func keys(of screen: StackedScreen, hasTrace: Bool) -> [(String, String)] {
        var keys: [(String, String)] = []
        let isCancelled = screen.action?.isCancelled
        if let isCancelled {
            if !isCancelled { keys.append(("Esc", "cancel")) }
        } else if let field = screen.field {
            keys.append(("Enter", field.rows > 1 ? "new line" : field.submit == nil ? "next" : "submit"))
        } else if screen.place != nil {
            keys.append(("Enter", "choose"))
        }
        if !screen.presentation.isRoot, isCancelled ?? true { keys.append(("Esc", "back")) }
        if screen.field == nil {
            keys += [("q", "quit"), ("?", "keys")]
            if hasTrace { keys.append(("t", "trace")) }
        } else {
            keys.append(("Ctrl-C", "quit"))
        }
        if screen.place != nil { keys.append(("↑↓ Tab", "move")) }
        return keys
    }

    static func question(_ question: String, _ size: TerminalDevice.Size) -> [Line] {
        let texts = TextLayout.lines(of: Display.PlainText.line(question), to: max(1, size.columns - 16))
        let lines = texts.enumerated().map { Line("\($0 == 0 ? "?" : " ") \($1)", .role(.accent)) }
            .suffix(max(1, size.rows - 1))
        return lines.dropLast().map { footer($0, keys: [], columns: size.columns) }
            + [footer(lines.last, keys: [("y", "yes"), ("n", "no")], columns: size.columns)]
    }

    static func spinner(after time: Duration) -> String {
        let turns = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
        return String(turns[Int(time / .milliseconds(100)) % turns.count])
    }

    static func busyLine(after time: Duration, isCancelled: Bool) -> Line {
        let seconds = time < .seconds(1) ? "" : " \(time.components.seconds) s"
        return Line(
            "\(spinner(after: time)) \(isCancelled ? "Cancelling" : "Working")\(seconds)", .role(.accent))
    }
}

enum KeyTable {
    static func lines(hasTrace: Bool) -> [String] {
        hasTrace ? all : all.filter { !$0.hasPrefix("t ") }
    }

    private static let all = [
        "↑ ↓ j k          move the focus, or scroll",
        "Tab Shift-Tab    next and previous element",
        "Page up, down    a page at a time",
        "Home End         the first and the last element",
        "Enter            choose, submit, or begin a new line",
        "1 … 9            choose one of the first nine",
        "Esc              cancel a running action, or go back",
        "t                show or hide the trace",
        "Ctrl-L           redraw",
        "Ctrl-Z           suspend the program until 'fg'",
        "q Ctrl-C         quit",
        "",
        "In a field, letters and digits are typed, and:",
        "Ctrl-A Ctrl-E    to the start, to the end",
        "Ctrl-← Ctrl-→    by words",
        "Ctrl-W           erase the word before",
        "Ctrl-U Ctrl-K    erase to the start, to the end",
        "↑ ↓              by lines; at its ends, out of the field",
        "",
        "Click chooses, the wheel scrolls.",
        "Text is selected with Shift and the mouse.",
        "",
    ]
}
