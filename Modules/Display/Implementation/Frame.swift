import DisplayInterface

/// What a full-screen terminal shows at one moment: lines, and where typing would appear.
struct Frame: Equatable {
    enum Style: Equatable {
        case plain, bar, strong, quiet, focused
    }

    struct Line: Equatable {
        let text: String
        let style: Style
    }

    struct Position: Equatable {
        let row: Int
        let column: Int
    }

    /// What is to be laid out.
    struct Scene {
        var path: String
        /// What is known of the whole program; empty for nothing.
        var status = ""
        var elements: [Display.Element]
        var focus: Int?
        /// How many characters of the focused field stand before the insertion point.
        var cursor = 0
        /// The first line of the body that is shown, as far as it can be.
        var scroll = 0
        /// Whether the body is scrolled so that the focus is seen.
        var reveals = true
        /// What the keys do now.
        var keyHelp: String
        var size: TerminalDevice.Size
    }

    /// Exactly as many lines as the terminal has rows, none wider than its columns.
    let lines: [Line]
    let cursor: Position?
    /// The first line of the body that is shown.
    let scroll: Int

    init(_ scene: Scene) {
        let columns = max(1, scene.size.columns)
        let rows = max(1, scene.size.rows)
        let body = FrameBody(scene.elements, focus: scene.focus, cursor: scene.cursor, columns: columns)

        // The path and a line that says whether more is above; the same below. A low terminal has less of it.
        let chrome = rows >= 6 ? 4 : rows >= 3 ? 2 : 0
        let height = rows - chrome
        var first = min(max(0, scene.scroll), max(0, body.lines.count - height))
        if scene.reveals, let focused = body.focused {
            first = max(min(first, focused.lowerBound), focused.upperBound - height)
        }
        var lines = body.lines.dropFirst(first).prefix(height).map { $0 }
        lines += Array(repeating: Line(text: "", style: .plain), count: height - lines.count)

        if chrome > 0 {
            let hasGaps = chrome == 4
            let bar = Self.bar(path: scene.path, status: scene.status, columns: columns)
            let above = Line(text: TextWidth.cut(first > 0 ? "  ↑" : "", to: columns), style: .quiet)
            let isMore = first + height < body.lines.count
            let below = Line(text: TextWidth.cut(isMore ? "  ↓" : "", to: columns), style: .quiet)
            let keyHelp = Line(text: TextWidth.cut(" \(scene.keyHelp)", to: columns), style: .quiet)
            lines = [bar] + (hasGaps ? [above] : []) + lines + (hasGaps ? [below] : []) + [keyHelp]
        }
        self.lines = lines
        scroll = first
        cursor = body.cursor.flatMap { place in
            let row = place.row - first
            guard (0..<height).contains(row) else { return nil }
            return Position(row: row + chrome / 2, column: place.column)
        }
    }
}
