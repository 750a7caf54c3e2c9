import DisplayInterface

/// The lines of a text in a text area, and the position of the insertion point in them.
///
/// A line is a ``LinePosition`` whose part is a paragraph. Only the requested paragraphs are laid out.
final class TextLines {
    let paragraphs: Paragraphs
    private let columns: Int
    private var known: [Int: [Substring]] = [:]

    /// - Parameters:
    ///   - paragraphs: The text.
    ///   - columns: The columns that a line has, besides one for the insertion point behind it.
    init(_ paragraphs: Paragraphs, columns: Int) {
        (self.paragraphs, self.columns) = (paragraphs, max(1, columns))
    }

    /// The text of a line.
    func text(at line: LinePosition) -> Substring { lines(of: line.part)[line.line] }

    /// The line and the column before a byte of the text.
    func position(of offset: Int) -> (line: LinePosition, column: Int) {
        let part = paragraphs.index(of: offset)
        let lines = lines(of: part)
        let base = lines[0].base
        let scalars = paragraphs.scalars(of: part, before: offset)
        let index =
            base.unicodeScalars.index(base.startIndex, offsetBy: scalars, limitedBy: base.endIndex)
            ?? base.endIndex
        let line = lines.lastIndex { $0.startIndex <= index } ?? 0
        return (
            LinePosition(part: part, line: line),
            TextLayout.columns(of: base[lines[line].startIndex..<index])
        )
    }

    /// The byte of the text that is nearest to a column of a line.
    func offset(at line: LinePosition, column: Int) -> Int {
        let lines = lines(of: line.part)
        let text = lines[line.line]
        let isBroken =
            line.line + 1 < lines.count
            ? text.endIndex == lines[line.line + 1].startIndex : paragraphs.isBroken(after: line.part)
        var left = column
        var index = text.startIndex
        while index < text.endIndex {
            left -= TextLayout.columns(of: text[index])
            let next = text.index(after: index)
            // Behind the last character of a broken word, the insertion point is on the next line.
            if left < 0 || isBroken && next == text.endIndex { break }
            index = next
        }
        return paragraphs.offset(
            of: line.part,
            scalars: text.base.unicodeScalars.distance(from: text.base.startIndex, to: index))
    }

    /// The line a number of lines below, or above, as far as there are any.
    func position(_ line: LinePosition, movedBy lines: Int) -> LinePosition {
        var line = line
        for _ in 0..<abs(lines) {
            guard let next = lines < 0 ? previous(line) : next(line) else { break }
            line = next
        }
        return line
    }

    /// The visible lines, from the present first one or from one that makes the insertion point visible.
    func seen(from top: LinePosition, rows: Int, cursor: LinePosition) -> [LinePosition] {
        var top = nearest(to: top.orEarlier(cursor))
        // The area is full if there are enough lines.
        top = top.orEarlier(position(last, movedBy: 1 - rows))
        var seen = positions(from: top, rows)
        if let bottom = seen.last, bottom.isBefore(cursor) {
            seen = positions(from: position(cursor, movedBy: 1 - rows), rows)
        }
        return seen
    }

    func isLast(_ line: LinePosition) -> Bool { next(line) == nil }

    private func positions(from top: LinePosition, _ count: Int) -> [LinePosition] {
        Array(sequence(first: top, next: next).prefix(count))
    }

    private var last: LinePosition { lastLine(of: paragraphs.count - 1) }

    private func lastLine(of part: Int) -> LinePosition {
        LinePosition(part: part, line: lines(of: part).count - 1)
    }

    /// The line itself, or one near it, because the text may have changed.
    private func nearest(to line: LinePosition) -> LinePosition {
        guard line.part < paragraphs.count else { return last }
        return line.orEarlier(lastLine(of: line.part))
    }

    private func next(_ line: LinePosition) -> LinePosition? {
        if line.line + 1 < lines(of: line.part).count {
            return LinePosition(part: line.part, line: line.line + 1)
        }
        return line.part + 1 < paragraphs.count ? LinePosition(part: line.part + 1) : nil
    }

    private func previous(_ line: LinePosition) -> LinePosition? {
        if line.line > 0 { return LinePosition(part: line.part, line: line.line - 1) }
        return line.part > 0 ? lastLine(of: line.part - 1) : nil
    }

    private func lines(of part: Int) -> [Substring] {
        if let lines = known[part] { return lines }
        let lines = TextLayout.lines(of: paragraphs[part], to: columns)
        known[part] = lines
        return lines
    }
}
