import DisplayInterface

/// The cells of a full-screen terminal; later drawings cover earlier drawings.
struct Frame: Equatable {
    struct Position: Equatable {
        let row: Int
        let column: Int
    }

    struct Cell: Equatable {
        /// A character; empty in the second column of a wide character.
        var text = " "
        var style = Line.Style.plain
        var place: Place?
    }

    let size: TerminalDevice.Size
    private(set) var cells: [[Cell]]
    private(set) var cursor: Position?

    init(_ size: TerminalDevice.Size) {
        self.size = size
        let row = Array(repeating: Cell(), count: max(0, size.columns))
        cells = Array(repeating: row, count: max(0, size.rows))
    }

    func place(row: Int, column: Int) -> Place? {
        cells.indices.contains(row) && cells[row].indices.contains(column) ? cells[row][column].place : nil
    }

    /// Draws a line, and spaces behind its end.
    mutating func draw(_ line: Line, row: Int, columns: Range<Int>? = nil) {
        // A pane of a very small terminal may not fit into it.
        let columns = (columns ?? 0..<size.columns).clamped(to: 0..<size.columns)
        guard cells.indices.contains(row), !columns.isEmpty else { return }
        if let cursor, cursor.row == row, columns.contains(cursor.column) { self.cursor = nil }
        removeCutCharacter(row: row, column: columns.lowerBound)
        removeCutCharacter(row: row, column: columns.upperBound)
        var column = columns.lowerBound
        func hasRoom(_ width: Int) -> Bool { column + width <= columns.upperBound }
        for span in line.spans {
            if span.hasCursor, hasRoom(1) { cursor = Position(row: row, column: column) }
            for character in span.text {
                let width = TextLayout.columns(of: character)
                guard hasRoom(width) else { break }
                for part in 0..<width {
                    let text = part == 0 ? String(character) : ""
                    cells[row][column + part] = Cell(text: text, style: span.style, place: span.place)
                }
                column += width
            }
        }
        let rest = Cell(place: line.spans.last?.place)
        while hasRoom(1) {
            cells[row][column] = rest
            column += 1
        }
    }

    /// Removes a wide character whose second column this is.
    private mutating func removeCutCharacter(row: Int, column: Int) {
        guard column < cells[row].count, cells[row][column].text.isEmpty else { return }
        let start = cells[row][..<column].lastIndex { !$0.text.isEmpty } ?? 0
        let end = cells[row][column...].firstIndex { !$0.text.isEmpty } ?? cells[row].count
        for index in start..<end { cells[row][index].text = " " }
    }

    /// Dims a box below a dialog; clicks there have no effect.
    mutating func dim(_ box: Box) {
        for row in box.row..<(box.row + box.rows) {
            for column in box.column..<(box.column + box.columns) {
                cells[row][column].style = .role(.muted)
                cells[row][column].place = nil
            }
        }
        cursor = nil
    }

    /// Draws lines in a pane, whose edges have its title, and arrows where lines are hidden.
    mutating func draw(_ body: Body, in pane: Pane, title: String, isActive: Bool) {
        let (outer, box) = (pane.box, pane.content)
        let style = Line.Style.role(isActive ? .accent : .muted)
        let columns = outer.column..<(outer.column + outer.columns)
        let end = box.column + box.columns
        let last = outer.row + outer.rows - 1
        func edge(_ start: String, _ title: String, _ end: String) -> Line {
            let title = title.isEmpty ? "" : " \(TextLayout.line(title, to: max(1, box.columns - 6))) "
            let count = outer.columns - start.count - TextLayout.columns(of: title) - end.count
            let rule = String(repeating: "─", count: max(0, count))
            return Line([
                Line.Span(start, style), Line.Span(title, isActive ? .strong : style),
                Line.Span("\(rule)\(end)", style),
            ])
        }
        switch pane.edges {
        case .none, .open: break
        case .ruled: draw(edge("───", title, ""), row: outer.row, columns: columns)
        case .framed:
            draw(edge("┌─", title, "┐"), row: outer.row, columns: columns)
            draw(edge("└─", "", "┘"), row: last, columns: columns)
        }
        for offset in 0..<box.rows {
            let row = box.row + offset
            if pane.edges == .framed {
                draw(Line("│", style), row: row, columns: columns.lowerBound..<box.column)
                draw(Line("│", style), row: row, columns: end..<columns.upperBound)
            }
            let line = body.lines.indices.contains(offset) ? body.lines[offset] : Line()
            draw(line, row: row, columns: box.column..<end)
        }
        guard pane.edges != .none else { return }
        let column = pane.edges == .framed ? end - 2 : outer.column + 2
        for (isMore, arrow, row) in [(body.isMoreAbove, "↑", outer.row), (body.isMoreBelow, "↓", last)]
        where isMore {
            draw(Line(arrow, .role(.muted)), row: row, columns: column..<(column + 1))
        }
    }
}

/// A line of a pane: spans of text, each with its style and the place that a click chooses.
struct Line: Equatable {
    enum Style: Equatable {
        case plain, strong, selected, box
        case role(Display.Role)
    }

    struct Span: Equatable {
        var text: String
        var style: Style
        var place: Place?
        var hasCursor = false

        init(_ text: String, _ style: Style, place: Place? = nil, hasCursor: Bool = false) {
            self.text = text
            self.style = style
            self.place = place
            self.hasCursor = hasCursor
        }
    }

    var spans: [Span] = []

    init(_ spans: [Span] = []) { self.spans = spans.filter { !$0.text.isEmpty } }
    init(_ text: String, _ style: Style) { self.init([Span(text, style)]) }

    var text: String { spans.map(\.text).joined() }
    var columns: Int { spans.reduce(0) { $0 + TextLayout.columns(of: $1.text) } }
}

struct Body: Equatable {
    var lines: [Line] = []
    var top = 0
    var isMoreAbove = false
    var isMoreBelow = false
    var areaTop: Int?
}
