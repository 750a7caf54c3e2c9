import DisplayInterface

/// The first visible line of a pane.
struct ScrollPosition: Equatable {
    var line = 0
    /// The columns for which the lines were counted; 0 for any.
    var columns = 0

    static let end = ScrollPosition(line: .max)
}

/// Lays out the visible lines of a pane.
@MainActor
struct Layout {
    private let page: Page
    private let pane: Range<Int>
    private let columns: Int
    private let focus: Place?
    private let editor: TextEditor?
    /// Whether numbers and clicks choose places of the pane.
    private let isActive: Bool
    private let digits: [Place: Int]
    /// The lines of each element; lines between groups of elements are empty and belong to no element.
    private var ranges: [Range<Int>] = []
    /// The broken lines of texts and text areas, by element.
    private var texts: [Int: [Substring]] = [:]
    private var area: Area?

    /// The first visible line of the focused text area, and the insertion point in its lines.
    private typealias Area = (top: Int, cursor: (line: Int, index: String.Index))

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

    /// The visible lines from a position on, or from the line nearest to it that reveals a place.
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

    /// The position after scrolling, at most to the end of the page.
    func scrolled(_ top: ScrollPosition, by lines: Int, height: Int) -> ScrollPosition {
        let last = max(0, count - height)
        return ScrollPosition(line: min(max(0, min(line(of: top), last) + lines), last), columns: columns)
    }

    // MARK: Lines and elements

    private var count: Int { ranges.last?.upperBound ?? 0 }

    private func lines(of element: Int) -> Range<Int> { ranges[element - pane.lowerBound] }

    private func element(at line: Int) -> Int {
        var (low, high) = (pane.lowerBound, pane.upperBound)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lines(of: middle).lowerBound <= line { low = middle } else { high = middle }
        }
        return low
    }

    /// The line of a position; a position of another width is as far down in the same element.
    private func line(of position: ScrollPosition) -> Int {
        guard position.columns > 0, position.columns != columns, count > 0 else { return position.line }
        let former = Layout(page, pane: pane, columns: position.columns)
        let element = former.element(at: position.line)
        let (lines, formerLines) = (lines(of: element), former.lines(of: element))
        let offset = position.line - formerLines.lowerBound
        return lines.lowerBound + offset * lines.count / max(1, formerLines.count)
    }

    /// The lines of a place, the most important last: of a text area its ends, and the line of the cursor.
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
            // The insertion point behind a line has a column.
            texts[index] = page.lines(of: text ?? field.text, at: index, to: areaWidth - 1)
            return field.rows + 1
        case .list(let list): return list.count
        case .field, .button, .row: return 1
        }
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

    private func content(of offset: Int, at place: Place) -> Line {
        switch page.elements[place.element] {
        case .text: text(offset, at: place, prefix: "  ", style: .plain)
        case .error: text(offset, at: place, prefix: "! ", style: .error)
        case .progress: text(offset, at: place, prefix: "… ", style: .quiet)
        case .field(let field) where field.rows > 1: line(offset, ofArea: field, at: place)
        case .field(let field): line(of: field, isFocused: place == focus)
        case .button(let button): choice("[ \(shown(button.title, less: 4)) ]", at: place)
        case .row(let row): choice(row.line { shown($0) }, at: place)
        case .list(let list):
            choice(page.row(place.row, of: list, at: place.element).line { shown($0) }, at: place)
        }
    }

    private func text(_ offset: Int, at place: Place, prefix: String, style: Line.Style) -> Line {
        let line = texts[place.element]?[offset] ?? ""
        return Line((offset == 0 ? prefix : "  ") + Display.PlainText.line(String(line)), style)
    }

    private func choice(_ title: String, at place: Place) -> Line {
        if place == focus { return Line("› \(title)", .focused) }
        return Line([Line.Span(digits[place].map { "\($0) " } ?? "  ", .quiet), Line.Span(title, .plain)])
    }

    private func shown(_ text: String, less: Int = 0) -> String {
        TextLayout.line(text, to: max(1, columns - 2 - less))
    }

    // MARK: Fields

    /// A label and a box, in which the insertion point of a long text is visible.
    private func line(of field: Display.Field, isFocused: Bool) -> Line {
        let room = max(1, columns - 2 - min(14, columns / 2))
        let label = TextLayout.cut(TextLayout.line(field.label, to: room) + ": ", to: room)
        let width = max(2, min(48, columns - TextLayout.columns(of: label) - 4))
        func masked(_ text: String) -> String {
            field.isSecure ? String(repeating: "•", count: text.count) : text
        }
        let before = TextLayout.cutStart(isFocused ? masked(editor?.before ?? "") : "", to: width - 1)
        let left = width - 1 - TextLayout.columns(of: before)
        let after = TextLayout.cut(masked(isFocused ? editor?.after ?? "" : field.text), to: left)
        return Line(
            [
                Line.Span(isFocused ? "› " : "  ", .accent), Line.Span(label, isFocused ? .strong : .plain),
            ] + box(before, after, width: width, isFocused: isFocused, hasCursor: isFocused))
    }

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

    func textLines(at element: Int) -> TextLines? {
        if case .field = page.elements[element] { texts[element].map(TextLines.init) } else { nil }
    }

    private var focusedArea: Area? {
        guard let focus, let field = page.field(at: focus), let editor,
            let text = textLines(at: focus.element)
        else { return nil }
        let cursor = text.position(behind: editor.before)
        // A long text fills the area.
        let top = min(editor.top, cursor.line, text.lines.count - field.rows)
        return (max(0, top, cursor.line - field.rows + 1), cursor)
    }

    /// The label, or a line of the box, in which arrows mark hidden lines.
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
