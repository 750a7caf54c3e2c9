import DisplayInterface

/// A line of a frame: pieces of text, each in a style.
struct Line: Equatable {
    enum Style: Equatable {
        case plain, bar, strong, quiet, accent, focused, error, box
    }

    struct Span: Equatable {
        var text: String
        var style: Style

        init(_ text: String, _ style: Style) { (self.text, self.style) = (text, style) }
    }

    var spans: [Span] = []

    init(_ spans: [Span] = []) { self.spans = spans.filter { !$0.text.isEmpty } }
    init(_ text: String, _ style: Style) { self.init([Span(text, style)]) }

    var text: String { spans.map(\.text).joined() }
    var columns: Int { spans.reduce(0) { $0 + TextLayout.columns(of: $1.text) } }

    /// The line, cut to a number of columns.
    func clipped(to columns: Int) -> Line {
        if spans.reduce(0, { $0 + $1.text.utf8.count }) <= columns { return self }
        var left = columns
        return Line(
            spans.map { span in
                let text = left < 1 ? "" : TextLayout.cut(span.text, to: left)
                left -= TextLayout.columns(of: text)
                return Span(text, span.style)
            })
    }

    /// The line, followed by another one from a column on.
    func joined(by other: Line, at column: Int) -> Line {
        let gap = String(repeating: " ", count: max(0, column - columns))
        return Line(spans + [Span(gap, .plain)] + other.spans)
    }
}

/// The content of a full-screen terminal at one moment: lines, and the position of the cursor.
struct Frame: Equatable {
    struct Position: Equatable {
        let row: Int
        let column: Int
    }

    var size: TerminalDevice.Size
    /// Exactly as many lines as the terminal has rows, none wider than its columns.
    var lines: [Line]
    var cursor: Position?
    /// The places that clicks on rows choose.
    var places: [Int: Place] = [:]
    /// The same for the screen beside the elements.
    var placesBeside: [Int: Place] = [:]

    /// The areas of the terminal for the parts of a frame.
    struct Areas {
        let size: TerminalDevice.Size
        let isTooSmall: Bool
        /// The rows above the body, and as many below it.
        let margin: Int
        let bodyColumns: Int
        let bodyRows: Int
        /// Whether the trace stands beside the body, and not below it.
        let isTraceBeside: Bool
        let traceColumns: Int
        let traceRows: Int
        /// Whether the body is so large that a screen can be seen around a dialog.
        var haveRoomForDialogs: Bool { bodyColumns >= 40 && bodyRows >= 8 }

        init(_ size: TerminalDevice.Size, hasTrace: Bool) {
            self.size = size
            isTooSmall = size.columns < 10 || size.rows < 3
            margin = size.rows >= 6 ? 2 : 1
            let rows = max(0, size.rows - 2 * margin)
            isTraceBeside = size.columns >= 70
            if hasTrace, isTraceBeside {
                (traceColumns, traceRows) = (min(60, size.columns * 2 / 5), rows)
            } else {
                (traceColumns, traceRows) = (size.columns, hasTrace ? rows / 2 : 0)
            }
            bodyColumns = hasTrace && isTraceBeside ? size.columns - traceColumns - 1 : size.columns
            bodyRows = isTraceBeside ? rows : rows - traceRows
        }
    }

    /// Assembles a frame from its parts; a footer of several lines covers what is above the last one.
    init(_ areas: Areas, bar: Line, body: Body, trace: [Line], footer: [Line]) {
        size = areas.size
        let columns = areas.size.columns
        guard !areas.isTooSmall else {
            let message = TextLayout.cut(columns < 24 ? "Too small" : "The window is too small.", to: columns)
            lines = [Line(message, .strong)] + Array(repeating: Line(), count: max(0, areas.size.rows - 1))
            return
        }
        var rows = body.lines
        rows += Array(repeating: Line(), count: areas.bodyRows - rows.count)
        let trace = trace.prefix(areas.traceRows).map { $0.clipped(to: areas.traceColumns) }
        if areas.isTraceBeside, !trace.isEmpty {
            for row in rows.indices {
                let beside = trace.indices.contains(row) ? trace[row].spans : []
                rows[row] = rows[row].joined(
                    by: Line([Line.Span("│", .quiet)] + beside), at: areas.bodyColumns)
            }
        } else {
            rows += trace + Array(repeating: Line(), count: areas.traceRows - trace.count)
        }
        // Below a low terminal's bar and above its last line there is no room for an arrow.
        let hasArrows = areas.margin == 2
        let above = hasArrows ? [Line(body.isMoreAbove ? "  ↑" : "", .quiet)] : []
        let below = hasArrows ? [Line(body.isMoreBelow ? "  ↓" : "", .quiet)] : []
        lines = ([bar] + above + rows + below + [Line()]).dropLast(footer.count)
        lines += footer.map { $0.clipped(to: columns) }
        cursor = body.cursor.map { Position(row: $0.row + areas.margin, column: $0.column) }
        for (row, place) in body.places.enumerated() { places[row + areas.margin] = place }
        for (row, place) in body.placesBeside.enumerated() { placesBeside[row + areas.margin] = place }
    }

    /// The top line: the user's path at its start, the program's status at its end.
    ///
    /// The path comes first: the status gets the columns that the path leaves, or none if too few are left to
    /// recognise it.
    static func bar(path: String, status: String, columns: Int) -> Line {
        let start = " \(TextLayout.cutStart(path, to: columns - 2))"
        let left = columns - TextLayout.columns(of: start)
        let status = fitted(status, to: left - leastGap - 1)
        let end = status.isEmpty ? "" : "\(status) "
        let gap = String(repeating: " ", count: max(0, left - TextLayout.columns(of: end)))
        return Line(TextLayout.cut(start + gap + end, to: columns), .bar)
    }

    /// The least number of columns between path and status.
    private static let leastGap = 2
    /// The number of columns below which the beginning of a status is not informative.
    private static let leastBeginning = 8

    private static func fitted(_ status: String, to columns: Int) -> String {
        guard TextLayout.cut(status, to: max(0, columns)) != status else { return status }
        return columns < leastBeginning ? "" : TextLayout.cut(status, to: columns)
    }

    /// The trace of the router: the stack, the created services, and as many of the last events as there is room for.
    static func trace(stack: [String], services: [String], events: [String], rows: Int) -> [Line] {
        func section(_ title: String, _ entries: [String], _ count: Int) -> [Line] {
            let last = entries.suffix(max(0, count)).map { Line("  " + TextLayout.line($0, to: 200), .plain) }
            return [Line(" \(title)", .strong)] + last
        }
        let share = max(1, (rows - 3) / 4)
        let stack = section("Navigation stack", stack, share)
        let services = section("Services created", services, share)
        let events = section("Events", events, rows - stack.count - services.count - 1)
        return stack + services + events
    }
}

extension Frame {
    /// A key and its current action, for lists that begin with the more important ones.
    struct KeyHelp {
        let key: String
        var shortKey: String
        let action: String

        init(_ key: String, short: String? = nil, _ action: String) {
            (self.key, shortKey, self.action) = (key, short ?? key, action)
        }
    }

    /// The bottom line: a message, if there is one, and the help for keys, as much of it as fits whole.
    static func footer(_ message: Line?, keys: [KeyHelp], columns: Int) -> Line {
        let isNarrow = columns < 40
        var spans = message.map { [Line.Span(isNarrow ? "" : " ", .plain)] + $0.spans } ?? []
        var left = columns - Line(spans).columns
        for help in keys {
            let key = isNarrow ? help.shortKey : help.key
            let gap = !spans.isEmpty ? "  " : isNarrow ? "" : " "
            let needed = TextLayout.columns(of: "\(gap)\(key) \(help.action)")
            guard needed <= left else { continue }
            spans += [Line.Span(gap, .plain), Line.Span(key, .strong), Line.Span(" \(help.action)", .quiet)]
            left -= needed
        }
        return Line(spans)
    }

    /// The bottom lines with a question, which the user reads as a whole before answering it.
    static func question(_ question: String, _ size: TerminalDevice.Size) -> [Line] {
        // Beside the last line there is room for the keys.
        let texts = TextLayout.wrap(Display.PlainText.line(question), to: max(1, size.columns - 16))
        let lines = texts.enumerated().map { Line(($0 == 0 ? "? " : "  ") + $1, .accent) }
            .suffix(max(1, size.rows - 1))
        return lines.dropLast().map { footer($0, keys: [], columns: size.columns) }
            + [footer(lines.last, keys: [KeyHelp("y", "yes"), KeyHelp("n", "no")], columns: size.columns)]
    }

    /// The line for a running action: a spinner, its state and its duration.
    static func busyLine(after time: Duration, isCancelled: Bool) -> Line {
        let turns = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
        let turn = turns[Int(time / .milliseconds(100)) % turns.count]
        let seconds = time < .seconds(1) ? "" : " \(time.components.seconds) s"
        return Line("\(turn) \(isCancelled ? "Cancelling" : "Working")\(seconds)", .accent)
    }
}

/// The help that `?` shows.
enum KeyTable {
    static let lines = [
        "↑ ↓ j k          move the focus; scroll where there is nothing to move to",
        "Tab Shift-Tab    next and previous element",
        "Page up, down    a page at a time",
        "Home End         the first and the last element",
        "Enter            choose; in a field submit, or move on; in a text area start a line",
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
        "Ctrl-U Ctrl-K    erase the line before, after the cursor",
        "↑ ↓ Page up down by lines in a text area; at its ends, out of it, as Tab does",
        "",
        "Click chooses, the wheel scrolls. Text is selected with Shift and the mouse.",
    ]
}

/// Turns frames into the bytes that draw them, and draws only the changed lines.
///
/// The sequences are those of ECMA-48; synchronised output (2026) is ignored where it is not known.
struct Renderer {
    private let theme: Theme
    private var drawn: Frame?

    init(_ theme: Theme) {
        self.theme = theme
    }

    /// Makes the next frame be drawn as a whole, because something else was drawn over the last one.
    mutating func forget() {
        drawn = nil
    }

    /// The bytes that make a terminal show a frame, to be written in one piece so that no half frame is visible.
    ///
    /// - Returns: Nil if the frame is shown already.
    mutating func draw(_ frame: Frame) -> String? {
        let former = drawn?.size == frame.size ? drawn : nil
        guard frame.lines != former?.lines || frame.cursor != former?.cursor else { return nil }
        drawn = frame
        var text = "\u{1B}[?2026h\u{1B}[?25l"
        for (row, line) in frame.lines.enumerated() where former?.lines[row] != line {
            // Erased before the text, because after a line of full width the cursor is still on its last column.
            text += "\u{1B}[\(row + 1);1H\u{1B}[K" + line.spans.map(theme.text).joined()
        }
        if let cursor = frame.cursor { text += "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h" }
        return text + "\u{1B}[?2026l"
    }
}

/// The appearance of styles: in colours that can be read on light and on dark backgrounds, or in none.
struct Theme: Equatable {
    enum Colours: Equatable {
        case none, sixteen, many
    }

    let colours: Colours

    init(_ colours: Colours) {
        self.colours = colours
    }

    /// Reads the terminal's capabilities and the user's preference (`NO_COLOR`, https://no-color.org).
    init(environment: [String: String]) {
        let isUnwanted = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        let hasMany =
            environment["COLORTERM"] != nil || environment["TERM"].map { $0.contains("256color") } ?? false
        self.init(isUnwanted ? .none : hasMany ? .many : .sixteen)
    }

    func text(of span: Line.Span) -> String {
        sequence(span.style).map { "\u{1B}[\($0)m\(span.text)\u{1B}[0m" } ?? span.text
    }

    /// The parameters of SGR; no style is distinguished from all others by its colour alone.
    private func sequence(_ style: Line.Style) -> String? {
        switch style {
        case .plain: nil
        case .bar: "7"
        case .strong: "1"
        case .quiet: "2"
        case .box: "4"
        case .accent: "1" + accent
        case .focused: "7" + accent
        case .error: "1" + error
        }
    }

    /// #5f5fff, whose contrast is 4.5 to 1 with black and with white.
    private var accent: String {
        switch colours {
        case .none: ""
        case .sixteen: ";34"
        case .many: ";38;5;63"
        }
    }

    /// #ff0000, whose contrast is 4 to 1 with white and 5 to 1 with black, and which is bold.
    private var error: String {
        switch colours {
        case .none: ""
        case .sixteen: ";31"
        case .many: ";38;5;196"
        }
    }
}
