/// The content of a full-screen terminal at one moment: lines, and the position of the cursor.
struct Frame: Equatable {
    struct Position: Equatable {
        let row: Int
        let column: Int
    }

    var size: TerminalDevice.Size
    /// Exactly as many lines as the terminal has rows, none wider than its columns.
    var lines: [Line]

    /// The position of the cursor, if it is on one of the lines.
    static func cursor(in lines: [Line]) -> Position? {
        lines.enumerated().lazy.compactMap { row, line in
            line.cursor.map { Position(row: row, column: $0) }
        }.first
    }

    /// The areas of the terminal for the parts of a frame.
    struct Areas {
        let size: TerminalDevice.Size
        let isTooSmall: Bool
        /// The rows above the body, and as many below it.
        let margin: Int
        /// The areas of the screens and of the trace.
        let panes: Panes
        /// Whether there is so much room that a screen can be seen around a dialog.
        var haveRoomForDialogs: Bool { panes.mainColumns >= 40 && panes.mainRows >= 8 }

        init(_ size: TerminalDevice.Size, hasTrace: Bool) {
            self.size = size
            isTooSmall = size.columns < 10 || size.rows < 3
            margin = size.rows >= 6 ? 2 : 1
            panes = Panes(
                columns: size.columns, rows: max(0, size.rows - 2 * margin), detail: hasTrace ? .trace : nil)
        }
    }

    /// Assembles a frame from its parts; a footer of several lines covers what is above the last one.
    init(_ areas: Areas, bar: Line, body: Body, footer: [Line]) {
        size = areas.size
        let columns = areas.size.columns
        guard !areas.isTooSmall else {
            let message = TextLayout.cut(columns < 24 ? "Too small" : "The window is too small.", to: columns)
            lines = [Line(message, .strong)] + Array(repeating: Line(), count: max(0, areas.size.rows - 1))
            return
        }
        let free = areas.size.rows - 2 * areas.margin - body.lines.count
        let rows = body.lines + Array(repeating: Line(), count: free)
        // Below a low terminal's bar and above its last line there is no room for an arrow.
        let hasArrows = areas.margin == 2
        let above = hasArrows ? [Line(body.isMoreAbove ? "  ↑" : "", .quiet)] : []
        let below = hasArrows ? [Line(body.isMoreBelow ? "  ↓" : "", .quiet)] : []
        lines = ([bar] + above + rows + below + [Line()]).dropLast(footer.count)
        lines += footer.map { $0.clipped(to: columns) }
    }

    /// The top line: the user's path at its start, the program's status at its end.
    ///
    /// The path comes first: the status gets the columns that the path leaves.
    static func bar(path: String, status: String, columns: Int) -> Line {
        let start = " \(TextLayout.cutStart(path, to: columns - 2))"
        let left = columns - TextLayout.columns(of: start)
        let status = TextLayout.cut(status, to: max(0, left - minimumGap - 1))
        let end = status.isEmpty ? "" : "\(status) "
        let gap = String(repeating: " ", count: max(0, left - TextLayout.columns(of: end)))
        return Line(TextLayout.cut(start + gap + end, to: columns), .bar)
    }

    /// The least number of columns between path and status.
    private static let minimumGap = 2

    /// The trace of the router: the stack, the created services, and as many of the last events as there is room for.
    static func trace(stack: [String], services: [String], events: [String], in panes: Panes) -> Body {
        func section(_ title: String, _ entries: [String], _ count: Int) -> [Line] {
            let last = entries.suffix(max(0, count)).map { Line("  " + TextLayout.line($0, to: 200), .plain) }
            return [Line(" \(title)", .strong)] + last
        }
        let rows = panes.detailRows
        let share = max(1, (rows - 3) / 4)
        let stack = section("Navigation stack", stack, share)
        let services = section("Services created", services, share)
        let events = section("Events", events, rows - stack.count - services.count - 1)
        let lines = (stack + services + events).prefix(rows)
        return Body(lines: lines.map { $0.clipped(to: panes.detailColumns) })
    }
}
