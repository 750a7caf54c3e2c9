import DisplayInterface

/// The part of the terminal that shows a screen: the whole terminal, or a dialog in the middle.
@MainActor
struct Window {
    let panes: Panes
    private let screen: StackedScreen
    private let dialog: Pane?
    private let area: Box

    init(of screen: StackedScreen, isDialog: Bool, in areas: Areas) {
        self.screen = screen
        area = areas.screens
        let hasDetail = screen.page.hasDetail
        var box = area
        var edges = areas.edges
        if isDialog {
            let size = Self.size(of: screen.page, isWhole: hasDetail, in: area)
            box.row += (area.rows - size.rows) / 2
            box.column += (area.columns - size.columns) / 2
            (box.rows, box.columns) = (size.rows, size.columns)
            dialog = Pane(box: box, edges: .framed)
            box = Pane(box: box, edges: .framed).content
            edges = .none
        } else {
            dialog = nil
            if edges == .open, hasDetail, box.isDividedInColumns { edges = .framed }
        }
        var detail: Pane?
        if hasDetail, areas.edges != .none, let parts = box.divided(for: .embedded, edges: edges) {
            let isFramed = edges == .framed || box.isDividedInColumns
            detail = Pane(box: parts.detail, edges: isFramed ? .framed : .ruled)
            box = parts.screen
        }
        // In a very wide pane, the facts of a row would be far from its title.
        if dialog == nil, box == area { box.columns = min(box.columns, Pane.textColumns + 20) }
        panes = Panes(main: Pane(box: box, edges: edges), detail: detail)
    }

    /// The size of a dialog with its frame: the size of its content, at most the size of the area.
    private static func size(of page: Page, isWhole: Bool, in area: Box) -> (rows: Int, columns: Int) {
        let (rows, columns) = (area.rows - 4, min(Pane.textColumns, area.columns - 6))
        let body = Layout(page, columns: columns, isActive: false)
            .body(height: rows, from: 0, revealing: nil)
        guard !isWhole, !body.isMoreBelow else { return (rows + 2, columns + 2) }
        let title = TextLayout.columns(of: TextLayout.line(page.title, to: columns - 6)) + 4
        // With two columns more, every text breaks as it does in a wide window.
        let widest = max(body.lines.map(\.columns).max() ?? 0, title) + 2
        return (max(1, body.lines.count) + 2, min(columns, widest) + 2)
    }

    /// Draws the screen; a dialog dims the screens below.
    func draw(isActive: Bool, on frame: inout Frame) {
        let title = screen.page.title
        if let dialog {
            frame.dim(area)
            frame.draw(Body(), in: dialog, title: title, isActive: isActive)
        }
        let (main, detail) = screen.bodies(in: panes, isActive: isActive)
        let isInDetail = isActive && screen.isInDetail
        frame.draw(main, in: panes.main, title: title, isActive: isActive && !isInDetail)
        if let detail, let pane = panes.detail {
            frame.draw(detail, in: pane, title: screen.page.detailTitle, isActive: isInDetail)
            frame.drawArrows(of: detail, in: pane)
        }
        frame.drawArrows(of: main, in: dialog ?? panes.main)
    }
}

struct Box: Equatable {
    var row = 0
    var column = 0
    var rows: Int
    var columns: Int

    /// A pane beside a screen or below it.
    enum Detail {
        case embedded, trace
    }

    var isDividedInColumns: Bool { columns >= 70 }

    /// The boxes of a screen and of a detail; nil where both do not fit.
    ///
    /// An open edge of the screen and the upper edge of the detail below it share a row.
    func divided(for detail: Detail, edges: Pane.Edges) -> (screen: Box, detail: Box)? {
        var (screen, other) = (self, self)
        if isDividedInColumns {
            other.columns =
                switch detail {
                case .embedded: max(columns * 2 / 5, columns - Pane.textColumns)
                case .trace: columns < Pane.wide ? min(60, columns * 2 / 5) : columns * 3 / 5
                }
            screen.columns -= other.columns
            other.column += screen.columns
            return (screen, other)
        }
        let lines = rows - 2
        other.rows = 2 + (detail == .trace ? lines / 2 : lines * 2 / 5)
        other.row += rows - other.rows
        screen.rows -= other.rows - (edges == .open ? 1 : 0)
        return other.rows > 2 && screen.rows > 2 ? (screen, other) : nil
    }
}

/// A box for lines, with its edges.
struct Pane: Equatable {
    enum Edges {
        /// Open edges are rows for the arrows that mark hidden lines; a ruled pane has a line above it, with its title.
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

/// The panes of a screen's own elements and of its embedded screen.
struct Panes {
    let main: Pane
    /// Nil on a screen without an embedded screen, and where both do not fit.
    var detail: Pane?
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
        let parts = hasTrace && edges != .none ? body.divided(for: .trace, edges: edges) : nil
        screens = parts?.screen ?? body
        trace = parts.map { [edges] in Pane(box: $0.detail, edges: edges == .open ? .ruled : edges) }
    }
}
