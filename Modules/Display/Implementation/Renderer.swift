/// Turns frames into the bytes that draw their changed cells.
///
/// The sequences are those of ECMA-48; terminals without synchronised output (2026) ignore it.
struct Renderer {
    private let theme: Theme
    private var drawn: Frame?

    init(_ theme: Theme) {
        self.theme = theme
    }

    /// Makes the next frame be drawn as a whole.
    mutating func forget() {
        drawn = nil
    }

    /// The bytes that draw a frame, to be written in one piece; nil if the frame is shown already.
    mutating func draw(_ frame: Frame) -> String? {
        let former = drawn?.size == frame.size ? drawn : nil
        guard frame.lines != former?.lines else { return nil }
        drawn = frame
        var text = "\u{1B}[?2026h\u{1B}[?25l"
        for (row, line) in frame.lines.enumerated() where former?.lines[row] != line {
            let whole = draw(line, row: row)
            let changes = former.flatMap { draw(line, over: $0.lines[row], row: row) }
            text += changes.map { $0.utf8.count < whole.utf8.count ? $0 : whole } ?? whole
        }
        if let cursor = Frame.cursor(in: frame.lines) {
            text += "\(move(toRow: cursor.row, column: cursor.column))\u{1B}[?25h"
        }
        return text + "\u{1B}[?2026l"
    }

    private func draw(_ line: Line, row: Int) -> String {
        // After a line of full width, erasing to its end would erase its last character.
        move(toRow: row, column: 0) + "\u{1B}[K" + line.spans.map(theme.text).joined()
    }

    /// The bytes for the cells in which a line differs from the drawn one; nil where a character does not have one column.
    private func draw(_ line: Line, over former: Line, row: Int) -> String? {
        guard let cells = Self.cells(of: line), let drawn = Self.cells(of: former) else { return nil }
        func isSame(_ column: Int) -> Bool {
            let cell = column < cells.count ? cells[column] : .empty
            return cell == (column < drawn.count ? drawn[column] : .empty)
        }
        var text = ""
        var column = 0
        let end = max(cells.count, drawn.count)
        while let start = (column..<end).first(where: { !isSame($0) }) {
            // A few equal cells are shorter than a movement of the cursor.
            var last = start
            column = start + 1
            while column < end, column - last <= Self.movement {
                if !isSame(column) { last = column }
                column += 1
            }
            text += move(toRow: row, column: start)
            for run in Self.spans(of: cells[min(start, cells.count)..<min(last + 1, cells.count)]) {
                text += theme.text(of: run)
            }
            if last >= cells.count {
                text += "\u{1B}[K"
                break
            }
        }
        return text
    }

    /// The columns that a movement of the cursor has to save.
    private static let movement = 6

    private struct Cell: Equatable {
        let character: Character
        let style: Line.Style

        static let empty = Cell(character: " ", style: .plain)
    }

    private static func cells(of line: Line) -> [Cell]? {
        var cells: [Cell] = []
        for span in line.spans {
            for character in span.text {
                guard TextLayout.columns(of: character) == 1 else { return nil }
                cells.append(Cell(character: character, style: span.style))
            }
        }
        return cells
    }

    /// The cells as pieces of text, each of one style.
    private static func spans(of cells: ArraySlice<Cell>) -> [Line.Span] {
        cells.reduce(into: []) { spans, cell in
            if spans.last?.style == cell.style {
                spans[spans.count - 1].text.append(cell.character)
            } else {
                spans.append(Line.Span(String(cell.character), cell.style))
            }
        }
    }

    private func move(toRow row: Int, column: Int) -> String { "\u{1B}[\(row + 1);\(column + 1)H" }
}

/// The appearance of styles, readable on light and on dark backgrounds, or without colours.
struct Theme: Equatable {
    enum Colours: Equatable {
        case none, sixteen, many
    }

    let colours: Colours

    init(_ colours: Colours) {
        self.colours = colours
    }

    /// Reads the terminal's capabilities, and the user's preference (`NO_COLOR`, https://no-color.org).
    init(environment: [String: String]) {
        let isUnwanted = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        let hasMany =
            environment["COLORTERM"] != nil || environment["TERM"].map { $0.contains("256color") } ?? false
        self.init(isUnwanted ? .none : hasMany ? .many : .sixteen)
    }

    func text(of span: Line.Span) -> String {
        sequence(span.style).map { "\u{1B}[\($0)m\(span.text)\u{1B}[0m" } ?? span.text
    }

    /// The parameters of SGR; no style is distinguished from all others by its colour alone.
    private func sequence(_ style: Line.Style) -> String? {
        // The contrast of #5f5fff is 4.5 to 1 with black and with white; that of #ff0000 is 4 to 1 with white, 5 to 1 with black.
        let (accent, error) =
            switch colours {
            case .none: ("", "")
            case .sixteen: (";34", ";31")
            case .many: (";38;5;63", ";38;5;196")
            }
        return switch style {
        case .plain: nil
        case .bar: "7"
        case .strong: "1"
        case .quiet: "2"
        case .box: "4"
        case .accent: "1" + accent
        case .focused: "7" + accent
        case .error: "1" + error
        }
    }
}
