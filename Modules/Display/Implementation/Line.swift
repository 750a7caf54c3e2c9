/// A line of a frame: pieces of text, each with its style and the place that a click on it chooses.
struct Line: Equatable {
    enum Style: Equatable {
        case plain, bar, strong, quiet, accent, focused, error, box
    }

    struct Span: Equatable {
        var text: String
        var style: Style
        var place: Place?
        /// Whether the cursor stands at its start.
        var hasCursor = false

        init(_ text: String, _ style: Style, place: Place? = nil, hasCursor: Bool = false) {
            self.text = text
            self.style = style
            self.place = place
            self.hasCursor = hasCursor
        }
    }

    var spans: [Span] = []

    init(_ spans: [Span] = []) { self.spans = spans.filter { !$0.text.isEmpty } }
    init(_ text: String, _ style: Style) { self.init([Span(text, style)]) }

    var text: String { spans.map(\.text).joined() }
    var columns: Int { spans.reduce(0) { $0 + TextLayout.columns(of: $1.text) } }

    var cursor: Int? {
        spans.firstIndex(where: \.hasCursor).map { Line(Array(spans[..<$0])).columns }
    }

    /// The place that a click on a column chooses; behind the text, the place of its end.
    func place(at column: Int) -> Place? {
        var end = 0
        let span = spans.first { span in
            end += TextLayout.columns(of: span.text)
            return column < end
        }
        return (span ?? spans.last)?.place
    }

    func clipped(to columns: Int) -> Line {
        if spans.reduce(0, { $0 + $1.text.utf8.count }) <= columns { return self }
        var left = columns
        return Line(
            spans.map { span in
                var span = span
                span.text = left < 1 ? "" : TextLayout.cut(span.text, to: left)
                left -= TextLayout.columns(of: span.text)
                return span
            })
    }

    /// The line, followed by another line from a column on.
    func joined(by other: Line, at column: Int) -> Line {
        let gap = String(repeating: " ", count: max(0, column - columns))
        return Line(spans + [Span(gap, .plain, place: spans.last?.place)] + other.spans)
    }

    /// The line over a dimmed text, from a column on; half-covered wide characters are left out.
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
