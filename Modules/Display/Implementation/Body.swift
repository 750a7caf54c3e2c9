/// The visible part of a page or of one of its panes.
struct Body: Equatable {
    var lines: [Line] = []
    var top = ScrollPosition()
    var isMoreAbove = false
    var isMoreBelow = false
    /// The first visible line of the focused text area's text.
    var areaTop: Int?

    /// The body with a detail beside or below it, and a rule between, in which arrows mark further content.
    func joined(by detail: Body, in panes: Panes) -> Body {
        var body = self
        if panes.isDetailBeside {
            body.lines = (0..<panes.detailRows).map { row in
                let isCut =
                    row == 0 && detail.isMoreAbove
                    ? "↑"
                    : row == panes.detailRows - 1 && detail.isMoreBelow ? "↓" : "│"
                let beside = detail.lines.indices.contains(row) ? detail.lines[row].spans : []
                return (lines.indices.contains(row) ? lines[row] : Line())
                    .joined(by: Line([Line.Span(isCut, .quiet)] + beside), at: panes.mainColumns)
            }
        } else {
            body.lines += Array(repeating: Line(), count: panes.mainRows - lines.count)
            if panes.hasRule {
                let rule = String(repeating: "─", count: max(0, panes.mainColumns - 3))
                body.lines.append(
                    Line(isMoreBelow ? "  ↓\(rule)" : "───\(rule)", .quiet).clipped(to: panes.mainColumns))
                body.isMoreBelow = detail.isMoreBelow
            }
            body.lines += detail.lines
        }
        return body
    }
}

/// The division of an area between a body and a detail beside or below it.
struct Panes {
    /// A part of the screen, a screen in a narrow pane, or the trace of the router.
    enum Detail {
        case embedded, peek, trace

        /// The columns of an area that is wide enough for the detail beside the body.
        var minimumColumns: Int {
            switch self {
            case .embedded: 100
            case .peek: 60
            case .trace: 70
            }
        }
    }

    let mainColumns: Int
    let mainRows: Int
    let detailColumns: Int
    /// Zero in an area that is too low for both.
    let detailRows: Int
    let isDetailBeside: Bool
    /// Whether a line separates the body from a detail below it.
    let hasRule: Bool

    init(columns: Int, rows: Int, detail: Detail? = nil) {
        let (width, height) =
            switch detail {
            case nil: (0, 0)
            case .embedded: (columns / 2, rows < 3 ? 0 : rows * 2 / 5)
            case .peek: (min(40, columns * 2 / 5), rows < 3 ? 0 : rows * 2 / 5)
            case .trace: (min(60, columns * 2 / 5), rows / 2)
            }
        isDetailBeside = detail.map { columns >= $0.minimumColumns } ?? false
        hasRule = !isDetailBeside && height > 0 && detail != .trace
        mainColumns = isDetailBeside ? columns - 1 - width : columns
        mainRows = isDetailBeside ? rows : rows - height - (hasRule ? 1 : 0)
        detailColumns = isDetailBeside ? width : columns
        detailRows = isDetailBeside ? rows : height
    }
}
