import DisplayInterface

/// Turns frames into the bytes that draw their changed cells.
///
/// The sequences are those of ECMA-48; terminals without synchronised output (2026) ignore it.
struct Renderer {
    private let theme: Theme
    private var drawn: Frame?

    /// The bytes of a movement of the cursor: fewer equal cells between two changes are drawn again.
    private static let movement = 6

    init(_ theme: Theme) {
        self.theme = theme
    }

    /// Makes the renderer draw the whole next frame.
    mutating func forget() { drawn = nil }

    /// The bytes that draw a frame; nil if the frame is already shown.
    mutating func draw(_ frame: Frame) -> String? {
        let former = drawn?.size == frame.size ? drawn : nil
        drawn = frame
        let rows = frame.cells.indices.map { row in
            changes(in: row, from: former?.cells[row], to: frame.cells[row])
        }
        guard former?.cursor != frame.cursor || rows.contains(where: { !$0.isEmpty }) else { return nil }
        let cursor = frame.cursor.map { move(toRow: $0.row, column: $0.column) + "\u{1B}[?25h" } ?? ""
        return "\u{1B}[?2026h\u{1B}[?25l\(rows.joined())\(cursor)\u{1B}[?2026l"
    }

    /// The bytes that turn former cells of a row into new cells; the whole row where the former row is unknown or has wide
    /// characters.
    ///
    /// Terminals disagree about the columns of wide characters.
    private func changes(in row: Int, from former: [Frame.Cell]?, to cells: [Frame.Cell]) -> String {
        if let former, cells.elementsEqual(former, by: { $0.looksSame(as: $1) }) { return "" }
        let end = (cells.lastIndex { !$0.looksSame(as: Frame.Cell()) } ?? -1) + 1
        guard let former, !cells.contains(where: \.isUnusual), !former.contains(where: \.isUnusual) else {
            return move(toRow: row, column: 0) + "\u{1B}[K" + text(of: cells[..<end], in: row)
        }
        var changes = ""
        var column = 0
        while let start = (column..<cells.count).first(where: { !cells[$0].looksSame(as: former[$0]) }) {
            var last = start
            column = start + 1
            while column < cells.count, column - last <= Self.movement {
                if !cells[column].looksSame(as: former[column]) { last = column }
                column += 1
            }
            changes += move(toRow: row, column: start)
            guard last < end else {
                return changes + text(of: cells[start..<max(start, end)], in: row) + "\u{1B}[K"
            }
            changes += text(of: cells[start...last], in: row)
        }
        return changes
    }

    /// Cells of a row in runs of one style; behind an unusual character, the cursor is moved to the next cell.
    private func text(of cells: ArraySlice<Frame.Cell>, in row: Int) -> String {
        var text = ""
        var start = cells.startIndex
        for column in cells.indices {
            let next = column + 1
            let isEnd = next == cells.endIndex
            let isMoved = !isEnd && cells[column].isUnusual && !cells[next].isUnusual
            guard isEnd || isMoved || cells[next].style != cells[start].style else { continue }
            text += theme.text(cells[start...column].map(\.text).joined(), cells[start].style)
            if isMoved { text += move(toRow: row, column: next) }
            start = next
        }
        return text
    }
}

extension Frame.Cell {
    fileprivate func looksSame(as other: Frame.Cell) -> Bool { text == other.text && style == other.style }

    fileprivate var isUnusual: Bool {
        guard text.utf8.count != 1 else { return false }
        return text.unicodeScalars.count != 1 || TextLayout.columns(of: text) != 1
    }
}

private func move(toRow row: Int, column: Int) -> String { "\u{1B}[\(row + 1);\(column + 1)H" }

/// The appearance of styles, in the colours that the user's theme defines, or without colours.
struct Theme: Equatable {
    let hasColours: Bool

    func text(_ text: String, _ style: Line.Style) -> String {
        let parameters: String? =
            switch style {
            case .plain: nil
            case .strong: "1"
            case .box: "4"
            case .selected: hasColours ? "1;97;44" : "7"
            case .role(.muted): "2"
            case .role(.accent): hasColours ? "1;34" : "1"
            case .role(.positive): hasColours ? "32" : nil
            // Yellow letters are unreadable on a light background.
            case .role(.warning): hasColours ? "30;43" : "1"
            case .role(.negative): hasColours ? "1;31" : "1"
            }
        return parameters.map { "\u{1B}[\($0)m\(text)\u{1B}[0m" } ?? text
    }
}

extension Theme {
    /// Reads the user's preference (`NO_COLOR`, https://no-color.org) and the terminal's capability.
    init(environment: [String: String]) {
        hasColours = environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }
}
