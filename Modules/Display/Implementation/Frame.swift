/// The content of a full-screen terminal at one moment: lines, and the position of the cursor.
struct Frame: Equatable {
    struct Position: Equatable {
        let row: Int
        let column: Int
    }

    var size: TerminalDevice.Size
    /// One line for each row of the terminal, none wider than its columns.
    var lines: [Line]

    static func cursor(in lines: [Line]) -> Position? {
        lines.enumerated().lazy.compactMap { row, line in
            line.cursor.map { Position(row: row, column: $0) }
        }.first
    }

    struct Areas {
        let size: TerminalDevice.Size
        let isTooSmall: Bool
        /// The rows above the body, and as many below it.
        let margin: Int
        let panes: Panes
        /// Whether a dialog leaves room for the screen below it.
        var haveRoomForDialogs: Bool { panes.mainColumns >= 40 && panes.mainRows >= 8 }

        init(_ size: TerminalDevice.Size, hasTrace: Bool) {
            self.size = size
            isTooSmall = size.columns < 10 || size.rows < 3
            margin = size.rows >= 6 ? 2 : 1
            panes = Panes(
                columns: size.columns, rows: max(0, size.rows - 2 * margin), detail: hasTrace ? .trace : nil)
        }
    }

    /// Assembles a frame; a footer of several lines covers the end of the body.
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
        // A low terminal has no room for arrows.
        let hasArrows = areas.margin == 2
        let above = hasArrows ? [Line(body.isMoreAbove ? "  ↑" : "", .quiet)] : []
        let below = hasArrows ? [Line(body.isMoreBelow ? "  ↓" : "", .quiet)] : []
        lines = ([bar] + above + rows + below + [Line()]).dropLast(footer.count)
        lines += footer.map { $0.clipped(to: columns) }
    }

    /// The top line: the user's path, and the program's status in the columns that the path leaves.
    static func bar(path: String, status: String, columns: Int) -> Line {
        let start = " \(TextLayout.cutStart(path, to: columns - 2))"
        let left = columns - TextLayout.columns(of: start)
        let status = TextLayout.cut(status, to: max(0, left - minimumGap - 1))
        let end = status.isEmpty ? "" : "\(status) "
        let gap = String(repeating: " ", count: max(0, left - TextLayout.columns(of: end)))
        return Line(TextLayout.cut(start + gap + end, to: columns), .bar)
    }

    private static let minimumGap = 2

    /// The trace of the router: the stack, the created services, and the last events in the remaining rows.
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
