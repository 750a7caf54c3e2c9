/// A line of a frame: pieces of text, each in a style.
struct Line: Equatable {
    enum Style: Equatable {
        case plain, bar, strong, quiet, accent, focused, error, box
    }

    struct Span: Equatable {
        var text: String
        var style: Style

        init(_ text: String, _ style: Style) { (self.text, self.style) = (text, style) }
    }

    var spans: [Span] = []

    init(_ spans: [Span] = []) { self.spans = spans.filter { !$0.text.isEmpty } }
    init(_ text: String, _ style: Style) { self.init([Span(text, style)]) }

    var text: String { spans.map(\.text).joined() }
    var columns: Int { spans.reduce(0) { $0 + TextLayout.columns(of: $1.text) } }

    /// The line, cut to a number of columns.
    func clipped(to columns: Int) -> Line {
        if spans.reduce(0, { $0 + $1.text.utf8.count }) <= columns { return self }
        var left = columns
        return Line(
            spans.map { span in
                let text = left < 1 ? "" : TextLayout.cut(span.text, to: left)
                left -= TextLayout.columns(of: text)
                return Span(text, span.style)
            })
    }

    /// The line, followed by another one from a column on.
    func joined(by other: Line, at column: Int) -> Line {
        let gap = String(repeating: " ", count: max(0, column - columns))
        return Line(spans + [Span(gap, .plain)] + other.spans)
    }

    /// The line over a dimmed text, from a column on; a wide character that is half covered is left out.
    func laid(over text: String, from start: Int) -> Line {
        let end = start + columns
        var before = ""
        var after = ""
        var column = 0
        for character in text {
            let next = column + TextLayout.columns(of: character)
            if next <= start {
                before.append(character)
            } else if column >= end {
                if after.isEmpty { after = String(repeating: " ", count: column - end) }
                after.append(character)
            }
            column = next
        }
        return Line(before, .quiet).joined(by: Line(spans + [Span(after, .quiet)]), at: start)
    }
}
