import DisplayInterface

/// Lays out the visible lines of a pane.
@MainActor
struct Layout {
    private let page: Page
    private let pane: Range<Int>
    private let columns: Int
    private let focus: Place?
    private let editor: TextEditor?
    private let running: RunningAction?
    /// Whether the pane belongs to the screen that takes the keys.
    private let isActive: Bool
    /// The places that digits choose, in their order.
    private let choices: [Place]
    /// The column in which the fields of the pane begin, behind their labels.
    private let fieldStart: Int
    private let fieldWidth: Int
    /// The lines of each element; lines between groups of elements are empty and belong to no element.
    private var ranges: [Range<Int>] = []
    private var texts: [Int: [Substring]] = [:]
    private var area: Area?

    /// The first visible line of the focused text area, and its insertion point.
    private typealias Area = (top: Int, cursor: (line: Int, index: String.Index))

    init(
        _ page: Page, pane: Range<Int>? = nil, columns: Int, focus: Place? = nil, editor: TextEditor? = nil,
        running: RunningAction? = nil, isActive: Bool = true
    ) {
        self.page = page
        self.pane = pane ?? page.own
        self.columns = columns
        self.focus = focus
        self.editor = editor ?? page.field(at: focus).map { TextEditor($0) }
        self.running = running
        self.isActive = isActive
        fieldStart = Self.fieldStart(of: page.elements[self.pane], columns: columns)
        fieldWidth = Self.fieldWidth(of: page.elements[self.pane], in: columns - fieldStart)
        // In a field, digits are typed as text.
        choices = isActive && page.field(at: focus) == nil ? page.choices : []
        var former: Display.Element?
        for index in self.pane {
            let element = page.elements[index]
            let height = height(of: element, at: index)
            let isSeparated =
                height > 0 && !isBelowField(index)
                && former.map { Self.group($0) != Self.group(element) } == true
            let start = count + (isSeparated ? 1 : 0)
            ranges.append(start..<start + height)
            former = element
        }
        area = focusedArea
    }

    /// The visible lines from a line on, or from the nearest line that reveals a place.
    func body(height: Int, from start: Int, revealing place: Place?) -> Body {
        guard height > 0, count > 0 else { return Body() }
        let last = max(0, count - height)
        var top = min(start, last)
        for line in place.map(linesToReveal) ?? [] { top = min(max(top, line - height + 1), line) }
        top = min(top, last)
        let visible = top..<min(top + height, count)
        var lines = visible.map { _ in Line() }
        for (element, range) in zip(pane, ranges) where range.overlaps(visible) {
            for line in range.clamped(to: visible) {
                lines[line - top] = self.line(line - range.lowerBound, of: element)
            }
        }
        return Body(
            lines: lines, top: top, isMoreAbove: top > 0, isMoreBelow: visible.upperBound < count,
            areaTop: area?.top)
    }

    /// The first visible line after scrolling, at most to the end of the page.
    func scrolled(_ top: Int, by lines: Int, height: Int) -> Int {
        let last = max(0, count - height)
        return min(max(0, min(top, last) + lines), last)
    }

    // MARK: Lines and elements

    private var count: Int { ranges.last?.upperBound ?? 0 }

    private func lines(of element: Int) -> Range<Int> { ranges[element - pane.lowerBound] }

    /// The lines of a place, the most important last; a text area has the lines of its ends and of its cursor.
    private func linesToReveal(of place: Place) -> [Int] {
        guard pane.contains(place.element) else { return [] }
        let lines = lines(of: place.element)
        guard let field = page.field(at: place), field.rows > 1 else { return [lines.lowerBound + place.row] }
        let cursor = place == focus ? area.map { lines.lowerBound + $0.cursor.line - $0.top } : nil
        return [lines.upperBound - 1, lines.lowerBound] + (cursor.map { [$0] } ?? [])
    }

    private mutating func height(of element: Display.Element, at index: Int) -> Int {
        switch element {
        case .text(let text), .progress(let text), .error(let text):
            let start = isBelowField(index) ? fieldStart + 2 : 0
            let width = min(Pane.textColumns, columns) - start - 4
            let lines = page.lines(of: text, at: index, to: max(1, width))
            texts[index] = lines
            return lines.count
        case .field(let field) where field.rows > 1:
            let text = index == focus?.element ? editor?.text : nil
            // The insertion point behind a full line needs a column.
            texts[index] = page.lines(of: text ?? field.text, at: index, to: fieldWidth - 1)
            return field.rows
        case .list(let list): return list.count
        case .field, .button, .row: return 1
        }
    }

    /// Whether the element is an error about the field above it.
    private func isBelowField(_ index: Int) -> Bool {
        guard index > pane.lowerBound, case .error = page.elements[index] else { return false }
        return page.field(at: Place(element: index - 1)) != nil
    }

    /// An empty line separates elements of different groups.
    private static func group(_ element: Display.Element) -> Int {
        switch element {
        case .text, .error, .progress: 0
        case .field: 1
        case .button: 2
        case .row, .list: 3
        }
    }

    // MARK: The content of a line

    /// A line of an element; a click on its spans chooses the element, or its row.
    private func line(_ offset: Int, of element: Int) -> Line {
        var place = Place(element: element)
        if case .list = page.elements[element] { place.row = offset }
        var shown =
            switch page.elements[element] {
            case .text: text(offset, at: place, prefix: "  ", style: .plain)
            case .error: text(offset, at: place, prefix: "! ", style: .role(.negative))
            case .progress: text(offset, at: place, prefix: "… ", style: .role(.muted))
            case .field(let field) where field.rows > 1: line(offset, ofArea: field, at: place)
            case .field(let field): line(of: field, at: place)
            case .button(let button): line(of: button, at: place)
            case .row(let row): line(of: row, at: place)
            case .list(let list): line(of: page.row(offset, of: list, at: element), at: place)
            }
        guard isActive, page.number(of: element) != nil else { return shown }
        for index in shown.spans.indices { shown.spans[index].place = place }
        return shown
    }

    private func text(_ offset: Int, at place: Place, prefix: String, style: Line.Style) -> Line {
        let line = texts[place.element]?[offset] ?? ""
        let margin = isBelowField(place.element) ? String(repeating: " ", count: fieldStart + 2) : ""
        return Line(margin + (offset == 0 ? prefix : "  ") + Display.PlainText.line(String(line)), style)
    }

    /// The sign before an element: the spinner of its action, the mark of the focus, or the digit that chooses the element.
    private func sign(of place: Place) -> Line.Span {
        if let spinner = running?.spinner, let origin = running?.origin,
            origin.focus.isSame(as: Focus(at: place, on: page))
        {
            return Line.Span("\(spinner) ", .role(.accent))
        }
        if place == focus { return Line.Span("› ", .role(.accent)) }
        return Line.Span(choices.firstIndex(of: place).map { "\($0 + 1) " } ?? "  ", .role(.muted))
    }

    private func line(of button: Display.Button, at place: Place) -> Line {
        let title = TextLayout.line(button.title, to: max(1, columns - 6))
        let isFocused = place == focus
        let (edge, text): (Line.Style, Line.Style) =
            isFocused ? (.selected, .selected) : (.role(.muted), .plain)
        return Line([
            sign(of: place), Line.Span("[ ", edge), Line.Span(title, text), Line.Span(" ]", edge),
        ])
    }

    /// A row in columns: the title as a whole, the detail, and the facts at the end.
    private func line(of row: Display.Row, at place: Place) -> Line {
        let room = columns - 3
        var facts = row.facts.map { Line.Span(TextLayout.line($0.text, to: 24), .role($0.role)) }
        func factColumns() -> Int { facts.reduce(0) { $0 + TextLayout.columns(of: $1.text) + 2 } }
        let column = min(Self.titleColumn, room * 2 / 5) + 2
        // The last facts leave their room to the detail, and all facts to the title.
        if row.detail != nil {
            while facts.count > 1, room - factColumns() - column < Self.leastDetail { facts.removeLast() }
        }
        while !facts.isEmpty, factColumns() > room - Self.leastTitle { facts.removeLast() }
        let left = room - factColumns()
        let title = TextLayout.line(row.title, to: max(1, left))
        let titleColumns = max(TextLayout.columns(of: title) + 2, column)
        let detail = row.detail.map {
            left - titleColumns < Self.leastDetail ? "" : TextLayout.line($0, to: left - titleColumns)
        }
        var spans = [sign(of: place), Line.Span(title, .plain)]
        if let detail, !detail.isEmpty {
            spans.append(
                Line.Span(TextLayout.padded("", to: titleColumns - TextLayout.columns(of: title)), .plain))
            spans.append(Line.Span(detail, .role(.muted)))
        }
        let end = Line(spans).columns
        if !facts.isEmpty || place == focus {
            spans.append(Line.Span(TextLayout.padded("", to: 2 + left - end), .plain))
        }
        spans += facts.flatMap { [Line.Span("  ", .plain), $0] }
        return place == focus ? Line(Line(spans).text + " ", .selected) : Line(spans)
    }

    /// The columns that a title has at least; facts that need these columns are left out.
    private static let leastTitle = 14
    /// The columns of a detail; a detail with fewer columns is left out.
    private static let leastDetail = 6
    /// The column in which details begin, behind shorter titles.
    private static let titleColumn = 28

    // MARK: Fields

    /// The column behind the longest label, at most the middle of the pane.
    private static func fieldStart(of elements: ArraySlice<Display.Element>, columns: Int) -> Int {
        let labels = elements.map { element in
            guard case .field(let field) = element else { return 0 }
            return TextLayout.columns(of: TextLayout.line(field.label, to: columns)) + 2
        }
        return min(labels.max() ?? 0, max(0, columns / 2 - 2))
    }

    private static func fieldWidth(of elements: ArraySlice<Display.Element>, in columns: Int) -> Int {
        let hasArea = elements.contains { element in
            if case .field(let field) = element { field.rows > 1 } else { false }
        }
        return max(2, min(hasArea ? 80 : 48, columns - 5))
    }

    private func label(of field: Display.Field, at place: Place) -> [Line.Span] {
        let label = TextLayout.cut(
            TextLayout.line(field.label, to: columns) + ":", to: max(1, fieldStart - 1))
        return [
            sign(of: place),
            Line.Span(TextLayout.padded(label, to: fieldStart), place == focus ? .strong : .plain),
        ]
    }

    /// A label and a box, which shows a long text around its insertion point.
    private func line(of field: Display.Field, at place: Place) -> Line {
        let isFocused = place == focus
        func masked(_ text: String) -> String {
            field.isSecure ? String(repeating: "•", count: text.count) : text
        }
        let before = TextLayout.cutStart(isFocused ? masked(editor?.before ?? "") : "", to: fieldWidth - 1)
        let left = fieldWidth - 1 - TextLayout.columns(of: before)
        let after = TextLayout.cut(masked(isFocused ? editor?.after ?? "" : field.text), to: left)
        return Line(
            label(of: field, at: place)
                + box(before, after, isFocused: isFocused, hasCursor: isFocused))
    }

    private func box(
        _ before: String, _ after: String, isFocused: Bool, hasCursor: Bool, end: String = "│"
    ) -> [Line.Span] {
        let (before, after) = (Display.PlainText.line(before), Display.PlainText.line(after))
        let count = fieldWidth - TextLayout.columns(of: before + after)
        let fill = String(repeating: " ", count: max(0, count))
        let edge = Line.Style.role(isFocused ? .accent : .muted)
        return [
            Line.Span("│", edge), Line.Span(before, .box),
            Line.Span(after + fill, .box, hasCursor: hasCursor), Line.Span(end, edge),
        ]
    }

    // MARK: Text areas

    func textLines(at element: Int) -> TextLines? {
        if case .field = page.elements[element] { texts[element].map(TextLines.init) } else { nil }
    }

    private var focusedArea: Area? {
        guard let focus, let field = page.field(at: focus), let editor,
            let text = textLines(at: focus.element)
        else { return nil }
        let cursor = text.position(behind: editor.before)
        // No line behind the end of a long text is shown.
        let top = min(editor.top, cursor.line, text.lines.count - field.rows)
        return (max(0, top, cursor.line - field.rows + 1), cursor)
    }

    /// A line of the box; arrows mark hidden lines, and the first line has the label.
    private func line(_ offset: Int, ofArea field: Display.Field, at place: Place) -> Line {
        let isFocused = place == focus
        let top = isFocused ? area?.top ?? 0 : 0
        let lines = texts[place.element] ?? []
        let number = top + offset
        let text = lines.indices.contains(number) ? lines[number] : ""
        let cursor = isFocused && number == area?.cursor.line ? area?.cursor.index : nil
        let isCutAbove = offset == 0 && top > 0
        let isCutBelow = offset == field.rows - 1 && top + field.rows < lines.count
        let margin = [Line.Span(TextLayout.padded("", to: 2 + fieldStart), .plain)]
        return Line(
            (offset == 0 ? label(of: field, at: place) : margin)
                + box(
                    String(text[..<(cursor ?? text.startIndex)]),
                    String(text[(cursor ?? text.startIndex)...]), isFocused: isFocused,
                    hasCursor: cursor != nil,
                    end: isCutAbove ? "↑" : isCutBelow ? "↓" : "│"))
    }
}
