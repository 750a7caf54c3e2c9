import DisplayInterface

/// The line on which a view of a pane begins.
struct ScrollPosition: Equatable {
    var line = 0
    /// The columns of the pane for which the lines were counted; 0 if they do not matter.
    var columns = 0

    /// A position far enough down for the last line to be visible.
    static let end = ScrollPosition(line: .max)
}

/// The lines of a pane at a width, of which the visible ones are laid out.
@MainActor
struct Layout {
    private let page: Page
    private let pane: Range<Int>
    private let columns: Int
    private let focus: Place?
    /// The text of the field that has the focus.
    private let editor: TextEditor?
    private let isActive: Bool
    private let digits: [Place: Int]
    /// The lines of each element; an empty one, which belongs to none, separates groups of elements.
    private var ranges: [Range<Int>] = []
    /// The lines of each text and of each text area, by element.
    private var texts: [Int: [Substring]] = [:]
    private var area: Area?

    /// The first visible line of the focused text area's text, and the insertion point in its lines.
    private typealias Area = (top: Int, cursor: (line: Int, index: String.Index))

    /// Counts the lines of a pane.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - pane: The elements that are laid out; by default, the page's own.
    ///   - columns: The columns that a line has.
    ///   - focus: The place that has the focus.
    ///   - editor: The text of the field that has the focus, as far as it was edited.
    ///   - isActive: Whether numbers and clicks choose its places.
    init(
        _ page: Page, pane: Range<Int>? = nil, columns: Int, focus: Place? = nil, editor: TextEditor? = nil,
        isActive: Bool = true
    ) {
        self.page = page
        self.pane = pane ?? page.own
        self.columns = columns
        self.focus = focus
        self.editor = editor ?? page.field(at: focus).map { TextEditor($0) }
        self.isActive = isActive
        // In a field, digits are typed.
        let choices = isActive && page.field(at: focus) == nil ? page.choices : []
        digits = Dictionary(uniqueKeysWithValues: choices.enumerated().map { ($1, $0 + 1) })
        var former: Display.Element?
        for index in self.pane {
            let element = page.elements[index]
            let height = height(of: element, at: index)
            let isSeparated = height > 0 && former.map { Self.group($0) != Self.group(element) } == true
            let start = count + (isSeparated ? 1 : 0)
            ranges.append(start..<start + height)
            former = element
        }
        area = focusedArea
    }

    /// The visible lines when the view begins on a line, or on the line from which a place becomes visible.
    ///
    /// The view is full if there are enough lines.
    func body(height: Int, from start: ScrollPosition, revealing place: Place?) -> Body {
        guard height > 0, count > 0 else { return Body() }
        let last = max(0, count - height)
        var top = min(line(of: start), last)
        for line in place.map(linesToReveal) ?? [] { top = min(max(top, line - height + 1), line) }
        top = min(top, last)
        let visible = top..<min(top + height, count)
        var body = Body(top: ScrollPosition(line: top, columns: columns))
        body.lines = visible.map(content)
        body.areaTop = area?.top
        body.isMoreAbove = top > 0
        body.isMoreBelow = visible.upperBound < count
        return body
    }

    /// The position after scrolling; the view does not go beyond the end of the page.
    func scrolled(_ top: ScrollPosition, by lines: Int, height: Int) -> ScrollPosition {
        let last = max(0, count - height)
        return ScrollPosition(line: min(max(0, min(line(of: top), last) + lines), last), columns: columns)
    }

    // MARK: Lines and elements

    private var count: Int { ranges.last?.upperBound ?? 0 }

    private func lines(of element: Int) -> Range<Int> { ranges[element - pane.lowerBound] }

    /// The last element that begins on a line or above it.
    private func element(at line: Int) -> Int {
        var (low, high) = (pane.lowerBound, pane.upperBound)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lines(of: middle).lowerBound <= line { low = middle } else { high = middle }
        }
        return low
    }

    /// The line of a position; for one that was counted at another width, as far down in the same element.
    private func line(of position: ScrollPosition) -> Int {
        guard position.columns > 0, position.columns != columns, count > 0 else { return position.line }
        let former = Layout(page, pane: pane, columns: position.columns)
        let element = former.element(at: position.line)
        let (lines, formerLines) = (lines(of: element), former.lines(of: element))
        let offset = position.line - formerLines.lowerBound
        return lines.lowerBound + offset * lines.count / max(1, formerLines.count)
    }

    /// The lines of a place, the more important ones last: of a text area its ends, and then the line of the cursor.
    private func linesToReveal(of place: Place) -> [Int] {
        guard pane.contains(place.element) else { return [] }
        let lines = lines(of: place.element)
        guard let field = page.field(at: place), field.rows > 1 else { return [lines.lowerBound + place.row] }
        let cursor = place == focus ? area.map { lines.lowerBound + 1 + $0.cursor.line - $0.top } : nil
        return [lines.upperBound - 1, lines.lowerBound] + (cursor.map { [$0] } ?? [])
    }

    private mutating func height(of element: Display.Element, at index: Int) -> Int {
        switch element {
        case .text(let text), .progress(let text), .error(let text):
            let lines = page.lines(of: text, at: index, to: max(1, columns - 4))
            texts[index] = lines
            return lines.count
        case .field(let field) where field.rows > 1:
            let text = index == focus?.element ? editor?.text : nil
            // A column is for the insertion point behind a line.
            texts[index] = page.lines(of: text ?? field.text, at: index, to: areaWidth - 1)
            return field.rows + 1
        case .list(let list): return list.count
        case .field, .button, .row: return 1
        }
    }

    /// Elements of one group stand together.
    private static func group(_ element: Display.Element) -> Int {
        switch element {
        case .text, .error, .progress: 0
        case .field: 1
        case .button: 2
        case .row, .list: 3
        }
    }

    // MARK: The content of a line

    private func content(of line: Int) -> Line {
        let element = element(at: line)
        guard lines(of: element).contains(line) else { return Line() }
        let offset = line - lines(of: element).lowerBound
        var place = Place(element: element)
        if case .list = page.elements[element] { place.row = offset }
        var content = content(of: offset, at: place).clipped(to: columns)
        guard isActive, page.number(of: element) != nil else { return content }
        for index in content.spans.indices { content.spans[index].place = place }
        return content
    }

    /// A line of an element, counted from its first.
    private func content(of offset: Int, at place: Place) -> Line {
        switch page.elements[place.element] {
        case .text: text(offset, at: place, sign: "  ", style: .plain)
        case .error: text(offset, at: place, sign: "! ", style: .error)
        case .progress: text(offset, at: place, sign: "… ", style: .quiet)
        case .field(let field) where field.rows > 1: line(offset, ofArea: field, at: place)
        case .field(let field): line(of: field, isFocused: place == focus)
        case .button(let button): choice("[ \(shown(button.title, less: 4)) ]", at: place)
        case .row(let row): choice(row.line { shown($0) }, at: place)
        case .list(let list):
            choice(page.row(place.row, of: list, at: place.element).line { shown($0) }, at: place)
        }
    }

    private func text(_ offset: Int, at place: Place, sign: String, style: Line.Style) -> Line {
        let line = texts[place.element]?[offset] ?? ""
        return Line((offset == 0 ? sign : "  ") + Display.PlainText.line(String(line)), style)
    }

    private func choice(_ title: String, at place: Place) -> Line {
        if place == focus { return Line("› \(title)", .focused) }
        return Line([Line.Span(digits[place].map { "\($0) " } ?? "  ", .quiet), Line.Span(title, .plain)])
    }

    private func shown(_ text: String, less: Int = 0) -> String {
        TextLayout.line(text, to: max(1, columns - 2 - less))
    }

    // MARK: Fields

    /// A box between two bars; for a text that is too long for it, the part around the insertion point.
    private func line(of field: Display.Field, isFocused: Bool) -> Line {
        // Some columns are reserved for the text.
        let room = max(1, columns - 2 - min(14, columns / 2))
        let label = TextLayout.cut(TextLayout.line(field.label, to: room) + ": ", to: room)
        let width = max(2, min(48, columns - TextLayout.columns(of: label) - 4))
        func seen(_ text: String) -> String {
            field.isSecure ? String(repeating: "•", count: text.count) : text
        }
        // The insertion point has its own column.
        let before = TextLayout.cutStart(isFocused ? seen(editor?.before ?? "") : "", to: width - 1)
        let left = width - 1 - TextLayout.columns(of: before)
        let after = TextLayout.cut(seen(isFocused ? editor?.after ?? "" : field.text), to: left)
        return Line(
            [
                Line.Span(isFocused ? "› " : "  ", .accent), Line.Span(label, isFocused ? .strong : .plain),
            ] + box(before, after, width: width, isFocused: isFocused, hasCursor: isFocused))
    }

    /// A text between two bars, and the cursor in it.
    private func box(
        _ before: String, _ after: String, width: Int, isFocused: Bool, hasCursor: Bool, end: String = "│"
    ) -> [Line.Span] {
        let (before, after) = (Display.PlainText.line(before), Display.PlainText.line(after))
        let fill = String(repeating: " ", count: max(0, width - TextLayout.columns(of: before + after)))
        let edge: Line.Style = isFocused ? .accent : .quiet
        return [
            Line.Span("│", edge), Line.Span(before, .box),
            Line.Span(after + fill, .box, hasCursor: hasCursor), Line.Span(end, edge),
        ]
    }

    // MARK: Text areas

    private var areaWidth: Int { max(2, min(80, columns - 4)) }

    /// The lines of the text in a text area.
    func textLines(at element: Int) -> TextLines? {
        if case .field = page.elements[element] { texts[element].map(TextLines.init) } else { nil }
    }

    private var focusedArea: Area? {
        guard let focus, let field = page.field(at: focus), let editor,
            let text = textLines(at: focus.element)
        else { return nil }
        let cursor = text.position(behind: editor.before)
        // The area is full if there are enough lines.
        let top = min(editor.top, cursor.line, text.lines.count - field.rows)
        return (max(0, top, cursor.line - field.rows + 1), cursor)
    }

    /// The label, or a line of a box between two bars; arrows at its ends mark that there is more of the text.
    private func line(_ offset: Int, ofArea field: Display.Field, at place: Place) -> Line {
        let isFocused = place == focus
        guard offset > 0 else {
            return Line([
                Line.Span(isFocused ? "› " : "  ", .accent),
                Line.Span(shown(field.label, less: 1) + ":", isFocused ? .strong : .plain),
            ])
        }
        let top = isFocused ? area?.top ?? 0 : 0
        let lines = texts[place.element] ?? []
        let number = top + offset - 1
        let text = lines.indices.contains(number) ? lines[number] : ""
        let cursor = isFocused && number == area?.cursor.line ? area?.cursor.index : nil
        let isCutAbove = offset == 1 && top > 0
        let isCutBelow = offset == field.rows && top + field.rows < lines.count
        return Line(
            [Line.Span("  ", .plain)]
                + box(
                    String(text[..<(cursor ?? text.startIndex)]),
                    String(text[(cursor ?? text.startIndex)...]),
                    width: areaWidth, isFocused: isFocused, hasCursor: cursor != nil,
                    end: isCutAbove ? "↑" : isCutBelow ? "↓" : "│"))
    }
}
