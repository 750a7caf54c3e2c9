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
        let status = fitted(status, to: left - minimumGap - 1)
        let end = status.isEmpty ? "" : "\(status) "
        let gap = String(repeating: " ", count: max(0, left - TextLayout.columns(of: end)))
        return Line(TextLayout.cut(start + gap + end, to: columns), .bar)
    }

    /// The least number of columns between path and status.
    private static let minimumGap = 2
    /// The number of columns below which the beginning of a status is not informative.
    private static let minimumBeginning = 8

    private static func fitted(_ status: String, to columns: Int) -> String {
        guard TextLayout.cut(status, to: max(0, columns)) != status else { return status }
        return columns < minimumBeginning ? "" : TextLayout.cut(status, to: columns)
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
