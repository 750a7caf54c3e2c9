/// The visible part of a page or of one of its panes.
struct Body: Equatable {
    /// Lines, at most as many as there is room for.
    var lines: [Line] = []
    /// The place that each line belongs to.
    var places: [Place?] = []
    /// The place of the screen beside the elements that is on each line.
    var placesBeside: [Place?] = []
    /// The position of the cursor in these lines.
    var cursor: Frame.Position?
    /// The first visible line.
    var top = ScrollPosition()
    var isMoreAbove = false
    var isMoreBelow = false
    /// The first visible line of the focused text area's text.
    var areaTop: Int?

    /// The elements and another screen beside them, or below them, with a rule between; its arrows mark further content.
    func joined(by detail: Body, in panes: Panes) -> Body {
        var body = self
        body.areaTop = areaTop ?? detail.areaTop
        let start: Frame.Position
        if panes.isDetailBeside {
            start = Frame.Position(row: 0, column: panes.mainColumns + 1)
            body.lines = (0..<panes.detailRows).map { row in
                let isCut =
                    row == 0 && detail.isMoreAbove
                    ? "↑"
                    : row == panes.detailRows - 1 && detail.isMoreBelow ? "↓" : "│"
                let beside = detail.lines.indices.contains(row) ? detail.lines[row].spans : []
                return (lines.indices.contains(row) ? lines[row] : Line())
                    .joined(by: Line([Line.Span(isCut, .quiet)] + beside), at: panes.mainColumns)
            }
            if placesBeside.isEmpty { body.placesBeside = detail.places }
        } else {
            start = Frame.Position(row: panes.mainRows + 1, column: 0)
            let gap = panes.mainRows - lines.count
            let rule = String(repeating: "─", count: max(0, panes.mainColumns - 3))
            body.lines += Array(repeating: Line(), count: gap)
            body.lines.append(
                Line(isMoreBelow ? "  ↓\(rule)" : "───\(rule)", .quiet).clipped(to: panes.mainColumns))
            body.lines += detail.lines
            body.places += Array(repeating: nil, count: gap + 1) + detail.places
            body.isMoreBelow = detail.isMoreBelow
        }
        body.cursor =
            cursor
            ?? detail.cursor.map { Frame.Position(row: start.row + $0.row, column: start.column + $0.column) }
        return body
    }
}

/// The division of an area between the elements of a screen and another screen, beside or below them.
struct Panes {
    /// The kind of the other screen: a part of the first, or a narrow pane.
    enum Detail { case embedded, peek }

    let columns: Int
    let mainColumns: Int
    let mainRows: Int
    let detailColumns: Int
    /// Zero if the area is so low that only one of the two is visible.
    let detailRows: Int
    /// Whether the other screen stands beside the elements, and not below them.
    let isDetailBeside: Bool

    init(columns: Int, rows: Int, detail: Detail? = nil) {
        self.columns = columns
        isDetailBeside = columns >= (detail == .peek ? 60 : 100)
        let width = detail == .peek ? min(40, columns * 2 / 5) : columns / 2
        (mainColumns, mainRows, detailColumns, detailRows) =
            if detail == nil {
                (columns, rows, 0, 0)
            } else if isDetailBeside {
                (columns - 1 - width, rows, width, rows)
            } else if rows < 3 {
                (columns, rows, columns, 0)
            } else {
                (columns, rows - rows * 2 / 5 - 1, columns, rows * 2 / 5)
            }
    }
}
