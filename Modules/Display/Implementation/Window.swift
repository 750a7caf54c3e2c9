import DisplayInterface

/// The part of the terminal in which a screen is shown: all of it, or a dialog in its middle.
@MainActor
struct Window {
    let panes: Panes
    private let screen: StackedScreen
    /// The frame of a dialog around its panes.
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
            if edges == .open, hasDetail, box.isDividedInColumns(for: .embedded) { edges = .framed }
        }
        var detail: Pane?
        if hasDetail, areas.edges != .none, let parts = box.divided(for: .embedded, edges: edges) {
            let isFramed = edges == .framed || box.isDividedInColumns(for: .embedded)
            detail = Pane(box: parts.detail, edges: isFramed ? .framed : .ruled)
            box = parts.screen
        }
        // A lone pane of a wide terminal, whose rows would end far from where they begin.
        if dialog == nil, box == area { box.columns = min(box.columns, Pane.textColumns + 20) }
        panes = Panes(main: Pane(box: box, edges: edges), detail: detail)
    }

    /// The size of a dialog with its frame, which grows with its content up to the area.
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

    /// Draws the screen; a dialog over the dimmed screens below.
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
