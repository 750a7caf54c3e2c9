import DisplayInterface

/// The part of the body in which a screen is shown: the whole body, or a dialog in its middle.
@MainActor
struct Window {
    /// The areas of the screen's own elements and of its embedded screen.
    let panes: Panes
    private let row: Int
    private let column: Int
    private let columns: Int
    private let rows: Int
    private let parts: Panes
    private let areas: Frame.Areas
    /// Nil where the window is the whole body.
    private let title: String?
    /// The last peek beside the screen.
    private let peek: StackedScreen?

    init(of level: [StackedScreen], isDialog: Bool, in areas: Frame.Areas) {
        let page = level[0].page
        peek = level.dropFirst().last
        var size = (columns: areas.panes.mainColumns, rows: areas.panes.mainRows)
        if isDialog {
            size = (size.columns - 6, size.rows - 2)
            let title = TextLayout.line(page.title, to: size.columns - 6)
            let body = Layout(page, columns: size.columns, isActive: false)
                .body(height: size.rows, from: ScrollPosition(), revealing: nil)
            // Content that is too large, or that has a detail, gets all the room.
            if !body.isMoreBelow, !page.hasDetail, peek == nil {
                // With two columns more, every text breaks as it does in a wide window.
                let widest = max(body.lines.map(\.columns).max() ?? 0, TextLayout.columns(of: title) + 4) + 2
                size = (min(size.columns, widest), max(1, body.lines.count))
            }
            self.title = title
        } else {
            title = nil
        }
        columns = size.columns
        rows = size.rows
        column = (areas.panes.mainColumns - columns) / 2
        row = (areas.panes.mainRows - rows) / 2
        parts = Panes(columns: columns, rows: rows, detail: peek == nil ? nil : .peek)
        panes = Panes(
            columns: parts.mainColumns, rows: parts.mainRows, detail: page.hasDetail ? .embedded : nil)
        self.areas = areas
    }

    /// The screen with its peek; a dialog in its frame, over the dimmed screens below.
    func framed(_ body: Body, over below: Body) -> Body {
        var body = body
        if let peek, parts.detailRows > 0 {
            let panes = Panes(columns: parts.detailColumns, rows: parts.detailRows)
            body = body.joined(by: peek.body(in: panes, isActive: false), in: parts)
        }
        guard let title else { return body }
        let lines = frame(body, title)
        body.lines = (0..<areas.panes.mainRows).map { row in
            let dimmed = below.lines.indices.contains(row) ? below.lines[row].text : ""
            let line = row - self.row + 1
            guard lines.indices.contains(line) else { return Line(dimmed, .quiet) }
            return lines[line].laid(over: dimmed, from: column - 1)
        }
        body.isMoreAbove = below.isMoreAbove
        body.isMoreBelow = below.isMoreBelow
        return body
    }

    private func frame(_ body: Body, _ title: String) -> [Line] {
        let rule = String(repeating: "─", count: columns - 4 - TextLayout.columns(of: title))
        let top = Line([
            Line.Span("┌ ", .plain), Line.Span(title, .strong),
            Line.Span(" \(rule)\(body.isMoreAbove ? "↑" : "─")─┐", .plain),
        ])
        let bottom = "└\(String(repeating: "─", count: columns - 2))\(body.isMoreBelow ? "↓" : "─")─┘"
        let content = (0..<rows).map { row in
            let line = body.lines.indices.contains(row) ? body.lines[row] : Line()
            return Line([Line.Span("│", .plain)] + line.spans).joined(by: Line("│", .plain), at: columns + 1)
        }
        return [top] + content + [Line(bottom, .plain)]
    }
}
