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
    var top = LinePosition()
    var isMoreAbove = false
    var isMoreBelow = false
    /// The first visible line of the focused text area's text.
    var areaTop: LinePosition?

    /// The elements and the screen beside them, or below them, with a rule between; its arrows mark further content.
    func joined(by detail: Body, in areas: Frame.Areas) -> Body {
        var body = self
        body.areaTop = areaTop ?? detail.areaTop
        let start: Frame.Position
        if areas.isDetailBeside {
            start = Frame.Position(row: 0, column: areas.mainColumns + 1)
            body.lines = (0..<areas.bodyRows).map { row in
                let isCut =
                    row == 0 && detail.isMoreAbove
                    ? "↑"
                    : row == areas.bodyRows - 1 && detail.isMoreBelow ? "↓" : "│"
                let beside = detail.lines.indices.contains(row) ? detail.lines[row].spans : []
                return (lines.indices.contains(row) ? lines[row] : Line())
                    .joined(by: Line([Line.Span(isCut, .quiet)] + beside), at: areas.mainColumns)
            }
            body.placesBeside = detail.places
        } else {
            start = Frame.Position(row: areas.mainRows + 1, column: 0)
            let gap = areas.mainRows - lines.count
            let rule = String(repeating: "─", count: max(0, areas.bodyColumns - 3))
            body.lines += Array(repeating: Line(), count: gap)
            body.lines.append(
                Line(isMoreBelow ? "  ↓\(rule)" : "───\(rule)", .quiet).clipped(to: areas.bodyColumns))
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
