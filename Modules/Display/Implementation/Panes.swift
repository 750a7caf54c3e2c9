import DisplayInterface

/// The panes of a screen: on the whole terminal, or a dialog in the middle.
@MainActor
struct Panes {
    /// The pane of the screen's own elements.
    let main: Pane
    /// The pane of the embedded screen; nil without an embedded screen, and where two panes do not fit.
    let detail: Pane?
    /// The area below a dialog; nil where the panes are no dialog.
    let dimmed: Box?

    init(of page: Page, isDialog: Bool, in areas: Areas) {
        var (box, edges) = (areas.screens, areas.edges)
        dimmed = isDialog ? box : nil
        if isDialog {
            (box, edges) = (Self.dialog(of: page, in: box), .framed)
        } else if edges == .open, page.hasDetail, box.isDividedInColumns {
            edges = .framed
        }
        let parts = page.hasDetail && edges != .none ? box.divided(forTrace: false, edges: edges) : nil
        detail = parts?.detail
        if let parts {
            box = parts.screen
        } else if !isDialog {
            // In a very wide pane, the facts of a row would be far from its title.
            box.columns = min(box.columns, Pane.textColumns + 20)
        }
        main = Pane(box: box, edges: edges)
    }

    /// The pane of the detail or of the own elements; where only one of them has room, the same pane.
    func pane(ofDetail isDetail: Bool) -> Pane { isDetail ? detail ?? main : main }

    /// The box of a dialog: as large as its content, and at most as large as the area.
    private static func dialog(of page: Page, in area: Box) -> Box {
        let most = Box(rows: area.rows - 4, columns: min(Pane.textColumns, area.columns - 6))
        let body = Layout(page, columns: most.columns, isActive: false)
            .body(height: most.rows, from: 0, revealing: nil)
        var dialog = Box(rows: most.rows + 2, columns: most.columns + 2)
        if !page.hasDetail, !body.isMoreBelow {
            let title = TextLayout.columns(of: TextLayout.line(page.title, to: most.columns - 6)) + 4
            // With two columns more, every text breaks as it does in a wide window.
            let widest = max(body.lines.map(\.columns).max() ?? 0, title) + 2
            dialog = Box(rows: max(1, body.lines.count) + 2, columns: min(most.columns, widest) + 2)
        }
        dialog.row = area.row + (area.rows - dialog.rows) / 2
        dialog.column = area.column + (area.columns - dialog.columns) / 2
        return dialog
    }
}

struct Box: Equatable {
    var row = 0
    var column = 0
    var rows: Int
    var columns: Int

    var isDividedInColumns: Bool { columns >= 70 }

    /// The box of a screen and the pane of its detail or of the trace, beside it or below it; nil where both do not fit.
    ///
    /// An open edge of the screen and the upper edge of the pane below it share a row.
    func divided(forTrace isTrace: Bool, edges: Pane.Edges) -> (screen: Box, detail: Pane)? {
        var (screen, other) = (self, self)
        if isDividedInColumns {
            let trace = columns < Pane.wide ? min(60, columns * 2 / 5) : columns * 3 / 5
            other.columns = isTrace ? trace : max(columns * 2 / 5, columns - Pane.textColumns)
            screen.columns -= other.columns
            other.column += screen.columns
            return (screen, Pane(box: other, edges: edges))
        }
        let lines = rows - 2
        other.rows = 2 + (isTrace ? lines / 2 : lines * 2 / 5)
        other.row += rows - other.rows
        screen.rows -= other.rows - (edges == .open ? 1 : 0)
        guard other.rows > 2, screen.rows > 2 else { return nil }
        return (screen, Pane(box: other, edges: edges == .open ? .ruled : edges))
    }
}

/// A box for lines, with its edges.
struct Pane: Equatable {
    enum Edges {
        /// Open edges are empty rows for the arrows that mark hidden lines; a ruled pane has a line above it, with its title.
        case none, open, ruled, framed
    }

    let box: Box
    let edges: Edges

    /// The most columns of a text, which is hard to read in longer lines.
    static let textColumns = 100
    /// The least columns of a terminal that shows the trace by default.
    static let wide = 160

    var content: Box {
        let (rows, columns) = (edges == .none ? 0 : 1, edges == .framed ? 1 : 0)
        return Box(
            row: box.row + rows, column: box.column + columns, rows: max(0, box.rows - 2 * rows),
            columns: max(0, box.columns - 2 * columns))
    }
}

/// The division of the terminal between the screens and the trace.
struct Areas {
    let screens: Box
    let trace: Pane?
    let edges: Pane.Edges
    var haveRoomForDialogs: Bool { screens.columns >= 40 && screens.rows >= 10 }

    init(_ size: TerminalDevice.Size, hasTrace: Bool) {
        let body = Box(row: 1, rows: max(0, size.rows - 2), columns: size.columns)
        let isFramed = size.columns >= 100 || hasTrace && body.isDividedInColumns
        edges = size.rows < 6 ? .none : isFramed ? .framed : .open
        let parts = hasTrace && edges != .none ? body.divided(forTrace: true, edges: edges) : nil
        screens = parts?.screen ?? body
        trace = parts?.detail
    }
}
