import DisplayInterface

/// Turns frames into the bytes that draw their changed cells.
///
/// The sequences are those of ECMA-48; terminals without synchronised output (2026) ignore it.
struct Renderer {
    private let theme: Theme
    private var drawn: Frame?

    /// The bytes of a movement of the cursor: fewer equal cells between two changes are drawn again.
    fileprivate static let movement = 6

    init(_ theme: Theme) {
        self.theme = theme
    }

    /// Makes the renderer draw the whole next frame.
    mutating func forget() {
        drawn = nil
    }

    /// The bytes that draw a frame; nil if the frame is already shown.
    mutating func draw(_ frame: Frame) -> String? {
        let former = drawn?.size == frame.size ? drawn : nil
        drawn = frame
        let rows = frame.cells.indices.map { row in
            Row(number: row, cells: frame.cells[row]).changes(from: former?.cells[row], in: theme)
        }
        guard former?.cursor != frame.cursor || rows.contains(where: { !$0.isEmpty }) else { return nil }
        let cursor = frame.cursor.map { move(toRow: $0.row, column: $0.column) + "\u{1B}[?25h" } ?? ""
        return "\u{1B}[?2026h\u{1B}[?25l\(rows.joined())\(cursor)\u{1B}[?2026l"
    }

    private struct Row {
        let number: Int
        let cells: [Frame.Cell]

        /// The bytes that turn a former row into this row; the whole row where the former row is unknown or has wide characters.
        ///
        /// Terminals disagree about the columns of wide characters.
        func changes(from former: [Frame.Cell]?, in theme: Theme) -> String {
            guard former.map({ isSame(as: $0, in: cells.indices) }) != true else { return "" }
            let end = (cells.lastIndex { !Self.looksSame($0, Frame.Cell()) } ?? -1) + 1
            guard let former, !cells.contains(where: \.isUnusual), !former.contains(where: \.isUnusual) else {
                return move(toRow: number, column: 0) + "\u{1B}[K" + text(in: 0..<end, theme)
            }
            var text = ""
            var column = 0
            while let start = (column..<cells.count).first(where: { !Self.looksSame(cells[$0], former[$0]) })
            {
                var last = start
                column = start + 1
                while column < cells.count, column - last <= Renderer.movement {
                    if !Self.looksSame(cells[column], former[column]) { last = column }
                    column += 1
                }
                text += move(toRow: number, column: start)
                guard last < end else {
                    return text + self.text(in: start..<max(start, end), theme) + "\u{1B}[K"
                }
                text += self.text(in: start..<(last + 1), theme)
            }
            return text
        }

        private func isSame(as former: [Frame.Cell], in columns: Range<Int>) -> Bool {
            columns.allSatisfy { Self.looksSame(cells[$0], former[$0]) }
        }

        private static func looksSame(_ cell: Frame.Cell, _ other: Frame.Cell) -> Bool {
            cell.text == other.text && cell.style == other.style
        }

        /// The cells in runs of one style; behind an unusual character, the cursor is moved to the next cell.
        private func text(in columns: Range<Int>, _ theme: Theme) -> String {
            var text = ""
            var start = columns.lowerBound
            for column in columns {
                let next = column + 1
                let isEnd = next == columns.upperBound
                let isMoved = !isEnd && cells[column].isUnusual && !cells[next].isUnusual
                guard isEnd || isMoved || cells[next].style != cells[start].style else { continue }
                text += theme.text(cells[start...column].map(\.text).joined(), cells[start].style)
                if isMoved { text += move(toRow: number, column: next) }
                start = next
            }
            return text
        }
    }
}

extension Frame.Cell {
    fileprivate var isUnusual: Bool {
        guard text.utf8.count != 1 else { return false }
        return text.unicodeScalars.count != 1 || TextLayout.columns(of: text) != 1
    }
}

private func move(toRow row: Int, column: Int) -> String { "\u{1B}[\(row + 1);\(column + 1)H" }

/// The appearance of styles, in the colours that the user's theme defines, or without colours.
struct Theme: Equatable {
    let hasColours: Bool

    init(hasColours: Bool) {
        self.hasColours = hasColours
    }

    /// Reads the user's preference (`NO_COLOR`, https://no-color.org) and the terminal's capability.
    init(environment: [String: String]) {
        hasColours = environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }

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
