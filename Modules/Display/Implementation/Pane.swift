/// A rectangle of the terminal.
struct Box: Equatable {
    var row = 0
    var column = 0
    var rows: Int
    var columns: Int

    /// A part of the terminal beside or below a screen.
    enum Detail {
        case embedded, trace

        /// The columns of the detail beside a screen; nil where it stands below.
        fileprivate func columns(of columns: Int) -> Int? {
            guard columns >= 70 else { return nil }
            return switch self {
            case .embedded: max(columns * 2 / 5, columns - Pane.textColumns)
            case .trace: columns < Pane.wide ? min(60, columns * 2 / 5) : columns * 3 / 5
            }
        }
    }

    func isDividedInColumns(for detail: Detail) -> Bool { detail.columns(of: columns) != nil }

    /// The boxes of a screen and of a detail; nil where the box is too low for both.
    ///
    /// Open edges of a box and of another one below it share a row.
    func divided(for detail: Detail, edges: Pane.Edges) -> (screen: Box, detail: Box)? {
        var (screen, other) = (self, self)
        if let width = detail.columns(of: columns) {
            screen.columns -= width
            other.columns = width
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

/// A box with the lines of one screen, and the edges around them.
struct Pane: Equatable {
    enum Edges {
        /// Open edges are rows for the arrows that mark hidden lines; a ruled pane has a line above it, with its title.
        case none, open, ruled, framed
    }

    let box: Box
    let edges: Edges

    /// The most columns of a text, which is hard to read in longer lines.
    static let textColumns = 100
    /// The columns of a terminal that shows the trace unless the user hides it.
    static let wide = 160

    /// The box of the lines.
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
    /// Nil on a screen without an embedded one, and in a box that is too low for both.
    var detail: Pane?
}

/// The division of the terminal between the screens and the trace.
struct Areas {
    let screens: Box
    let trace: Pane?
    let edges: Pane.Edges
    /// Whether a dialog leaves room for the screen below it.
    var haveRoomForDialogs: Bool { screens.columns >= 40 && screens.rows >= 10 }

    init(_ size: TerminalDevice.Size, hasTrace: Bool) {
        let body = Box(row: 1, rows: max(0, size.rows - 2), columns: size.columns)
        let isFramed = size.columns >= 100 || hasTrace && body.isDividedInColumns(for: .trace)
        edges = size.rows < 6 ? .none : isFramed ? .framed : .open
        let parts = hasTrace && edges != .none ? body.divided(for: .trace, edges: edges) : nil
        screens = parts?.screen ?? body
        trace = parts.map { [edges] in Pane(box: $0.detail, edges: edges == .open ? .ruled : edges) }
    }
}
