import DisplayInterface

/// A line of a page's body: an element, the part of it that the line belongs to, and which line of that part it is.
///
/// The parts are paragraphs of a text and rows of a list; the empty line above a group of elements is the part -1.
struct LinePosition: Hashable {
    var element = 0
    var part = 0
    var line = 0

    func isBefore(_ other: LinePosition) -> Bool {
        (element, part, line) < (other.element, other.part, other.line)
    }

    /// The earlier of two positions.
    func orEarlier(_ other: LinePosition) -> LinePosition { other.isBefore(self) ? other : self }
}

/// Lays out the visible part of a page, from the line on which the view begins.
@MainActor
final class Layout {
    private let page: Page
    private let pane: Range<Int>
    private let columns: Int
    private let focus: Place?
    private let editor: TextEditor?
    private let isActive: Bool
    private let digits: [Place: Int]
    private var known: [LinePosition: [Line]] = [:]
    private var knownArea: Area?

    /// Prepares to lay out a page.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - pane: The elements that are laid out; by default, the page's own.
    ///   - columns: The columns that a line has.
    ///   - focus: The place that has the focus.
    ///   - editor: The text of the field that has the focus.
    ///   - isActive: Whether numbers and clicks choose its places.
    init(
        _ page: Page, pane: Range<Int>? = nil, columns: Int, focus: Place? = nil, editor: TextEditor? = nil,
        isActive: Bool = true
    ) {
        self.pane = pane ?? page.own
        (self.page, self.columns, self.focus, self.editor) = (page, columns, focus, editor)
        self.isActive = isActive
        // In a field, digits are typed.
        let choices = isActive && page.field(at: focus) == nil ? page.choices : []
        digits = Dictionary(uniqueKeysWithValues: choices.enumerated().map { ($1, $0 + 1) })
    }

    /// The visible lines when the view begins on a line, or on the line from which a place becomes visible.
    ///
    /// The view is full if there are enough lines.
    func body(height: Int, from start: LinePosition, revealing place: Place?) -> Body {
        guard height > 0, var top = nearest(to: start) else { return Body() }
        for line in place.map(positions) ?? [] where pane.contains(line.element) {
            top = revealing(line, from: top, height: height)
        }
        var positions = lines(from: top, height)
        while positions.count < height, let before = previous(top) {
            top = before
            positions.insert(before, at: 0)
        }
        var body = Body(top: top)
        for position in positions {
            let place = self.place(at: position)
            body.lines.append(line(at: position))
            body.places.append(place)
            if let focus, place == focus, let field = page.field(at: focus) {
                let cursor = field.rows > 1 ? area(of: field).cursor : (line: 0, column: cursorColumn)
                if position.line == cursor.line {
                    body.cursor = Frame.Position(row: body.lines.count - 1, column: cursor.column)
                }
            }
        }
        body.areaTop = knownArea?.seen.first
        body.isMoreAbove = previous(top) != nil
        body.isMoreBelow = positions.last.flatMap(next) != nil
        return body
    }

    /// The line on which the view begins after scrolling; the view does not go beyond the end of the page.
    func scrolled(_ top: LinePosition, by lines: Int, height: Int) -> LinePosition {
        guard var top = nearest(to: top), let bottom = last else { return LinePosition() }
        for _ in 0..<abs(lines) {
            guard let moved = lines < 0 ? previous(top) : next(top) else { break }
            top = moved
        }
        return top.orEarlier(back(from: bottom, by: height - 1))
    }

    /// A position far enough down for the last line to be visible.
    static let end = LinePosition(element: .max / 2)

    /// The lines of a place, the more important ones last: of a text area its ends, and then the line of the cursor.
    private func positions(of place: Place) -> [LinePosition] {
        let first = LinePosition(element: place.element, part: place.row)
        guard let field = page.field(at: place), field.rows > 1 else { return [first] }
        return [lastLine(place.element, part: 0), first]
            + (place == focus
                ? [LinePosition(element: place.element, line: area(of: field).cursor.line)] : [])
    }

    private func place(at position: LinePosition) -> Place? {
        guard isActive, position.part >= 0, page.number(of: position.element) != nil else { return nil }
        return Place(element: position.element, row: position.part)
    }

    private func revealing(_ target: LinePosition, from top: LinePosition, height: Int) -> LinePosition {
        if target.isBefore(top) { return target }
        return lines(from: top, height).contains(target) ? top : back(from: target, by: height - 1)
    }

    private func lines(from top: LinePosition, _ count: Int) -> [LinePosition] {
        var positions = [top]
        while positions.count < count, let more = next(positions[positions.count - 1]) {
            positions.append(more)
        }
        return positions
    }

    private func back(from position: LinePosition, by lines: Int) -> LinePosition {
        var position = position
        for _ in 0..<max(0, lines) {
            guard let before = previous(position) else { break }
            position = before
        }
        return position
    }

    // MARK: From line to line

    private var last: LinePosition? {
        previous(LinePosition(element: pane.upperBound))
    }

    /// The position itself, or one near it, because the content may have changed.
    private func nearest(to position: LinePosition) -> LinePosition? {
        let first = LinePosition(element: pane.lowerBound, part: -1)
        var position = position.isBefore(first) ? first : position
        guard pane.contains(position.element) else { return last }
        let parts = parts(of: position.element)
        guard parts > 0 else { return next(position) ?? previous(position) }
        position.part = min(position.part, parts - 1)
        if position.part < 0, !hasGap(position.element) { position.part = 0 }
        position.line = min(position.line, lineCount(position) - 1)
        return position
    }

    private func next(_ position: LinePosition) -> LinePosition? {
        if position.line + 1 < lineCount(position) {
            return LinePosition(element: position.element, part: position.part, line: position.line + 1)
        }
        if position.part + 1 < parts(of: position.element) {
            return LinePosition(element: position.element, part: position.part + 1)
        }
        return pane.dropFirst(position.element + 1 - pane.lowerBound).first { parts(of: $0) > 0 }
            .map { LinePosition(element: $0, part: hasGap($0) ? -1 : 0) }
    }

    private func previous(_ position: LinePosition) -> LinePosition? {
        if position.line > 0 {
            return LinePosition(element: position.element, part: position.part, line: position.line - 1)
        }
        if position.part > 0 { return lastLine(position.element, part: position.part - 1) }
        if position.part == 0, pane.contains(position.element), hasGap(position.element) {
            return LinePosition(element: position.element, part: -1)
        }
        return pane.prefix(position.element - pane.lowerBound).last { parts(of: $0) > 0 }
            .map { lastLine($0, part: parts(of: $0) - 1) }
    }

    private func lastLine(_ element: Int, part: Int) -> LinePosition {
        let first = LinePosition(element: element, part: part)
        return LinePosition(element: element, part: part, line: lineCount(first) - 1)
    }

    /// Elements of one group stand together; an empty line separates groups.
    private func hasGap(_ element: Int) -> Bool {
        element > pane.lowerBound && parts(of: element) > 0
            && Self.group(page.elements[element]) != Self.group(page.elements[element - 1])
    }

    private static func group(_ element: Display.Element) -> Int {
        switch element {
        case .text, .error, .progress: 0
        case .field: 1
        case .button: 2
        case .row, .list: 3
        }
    }

    private func parts(of element: Int) -> Int {
        switch page.elements[element] {
        case .text(let text), .progress(let text), .error(let text):
            page.paragraphs(of: text, at: element).count
        case .list(let list): list.count
        case .field, .button, .row: 1
        }
    }

    // MARK: The lines of a part

    private func line(at position: LinePosition) -> Line {
        if position.part < 0 { return Line() }
        if isHigh(position.element) { return lines(ofPart: position)[position.line] }
        return newLines(of: position)[0].clipped(to: columns)
    }

    private func lineCount(_ position: LinePosition) -> Int {
        position.part >= 0 && isHigh(position.element) ? lines(ofPart: position).count : 1
    }

    /// Whether a part of an element may have several lines.
    private func isHigh(_ element: Int) -> Bool {
        switch page.elements[element] {
        case .text, .progress, .error: true
        case .field(let field): field.rows > 1
        case .button, .row, .list: false
        }
    }

    /// The lines of a part, cached because a walk over the lines needs them repeatedly.
    private func lines(ofPart position: LinePosition) -> [Line] {
        let key = LinePosition(element: position.element, part: position.part)
        if let lines = known[key] { return lines }
        let lines = newLines(of: key).map { $0.clipped(to: columns) }
        known[key] = lines
        return lines
    }

    private func newLines(of position: LinePosition) -> [Line] {
        let place = Place(element: position.element, row: position.part)
        switch page.elements[position.element] {
        case .text(let text): return lines(ofText: text, at: position, sign: "  ", style: .plain)
        case .error(let text): return lines(ofText: text, at: position, sign: "! ", style: .error)
        case .progress(let text): return lines(ofText: text, at: position, sign: "… ", style: .quiet)
        case .field(let field) where field.rows > 1:
            return lines(ofArea: field, at: place)
        case .field(let field): return [line(of: field, isFocused: place == focus)]
        case .button(let button): return [choice("[ \(shown(button.title, less: 4)) ]", at: place)]
        case .row(let row): return [choice(row.line { shown($0) }, at: place)]
        case .list(let list):
            return [choice(page.row(place.row, of: list, at: place.element).line { shown($0) }, at: place)]
        }
    }

    private func lines(
        ofText text: String, at position: LinePosition, sign: String, style: Line.Style
    ) -> [Line] {
        let paragraph = page.paragraphs(of: text, at: position.element)[position.part]
        return TextLayout.wrap(paragraph, to: max(1, columns - 4)).enumerated().map { index, line in
            Line((index == 0 && position.part == 0 ? sign : "  ") + line, style)
        }
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
        let label = label(of: field)
        let width = boxWidth(behind: label)
        let (before, after) = isFocused ? text(of: field, in: width) : ("", text(unfocused: field, in: width))
        let text = before + after
        let fill = String(repeating: " ", count: max(0, width - TextLayout.columns(of: text)))
        let edge: Line.Style = isFocused ? .accent : .quiet
        return Line([
            Line.Span(isFocused ? "› " : "  ", .accent), Line.Span(label, isFocused ? .strong : .plain),
            Line.Span("│", edge), Line.Span(text + fill, .box), Line.Span("│", edge),
        ])
    }

    private var cursorColumn: Int {
        guard let field = page.field(at: focus) else { return 0 }
        let label = label(of: field)
        let before = text(of: field, in: boxWidth(behind: label)).before
        return min(columns - 1, 3 + TextLayout.columns(of: label) + TextLayout.columns(of: before))
    }

    private func label(of field: Display.Field) -> String {
        // Some columns are reserved for the text.
        let room = max(1, columns - 2 - min(14, columns / 2))
        return TextLayout.cut(TextLayout.line(field.label, to: room) + ": ", to: room)
    }

    private func boxWidth(behind label: String) -> Int {
        max(2, min(48, columns - TextLayout.columns(of: label) - 4))
    }

    /// The visible text of the focused field before and after the insertion point, which has its own column.
    private func text(of field: Display.Field, in width: Int) -> (before: String, after: String) {
        let editor = editor ?? TextEditor(field)
        func seen(_ text: Substring) -> String {
            field.isSecure ? String(repeating: "•", count: text.count) : Display.PlainText.line(String(text))
        }
        let room = width - 1
        let end = TextLayout.end(of: editor.before, columns: room)
        let isCut = end.startIndex > editor.before.startIndex
        let before = TextLayout.cutStart((isCut ? "…" : "") + seen(end), to: room)
        let left = room - TextLayout.columns(of: before)
        let start = TextLayout.start(of: editor.after, columns: left)
        let isMore = start.endIndex < editor.after.endIndex
        return (before, TextLayout.cut(seen(start) + (isMore ? "…" : ""), to: left))
    }

    private func text(unfocused field: Display.Field, in width: Int) -> String {
        guard field.isSecure else { return TextLayout.line(field.text, to: width - 1) }
        let start = TextLayout.start(of: field.text[...], columns: width - 1)
        return TextLayout.cut(String(repeating: "•", count: start.count), to: width - 1)
    }

    // MARK: Text areas

    /// The visible part of the focused text area, and the position of the cursor in the lines of the element.
    private typealias Area = (text: TextLines, seen: [LinePosition], cursor: (line: Int, column: Int))

    private func area(of field: Display.Field) -> Area {
        if let knownArea { return knownArea }
        let editor = editor ?? TextEditor(field)
        let text = textLines(of: editor.text, at: focus?.element ?? 0)
        let cursor = text.position(of: editor.cursor)
        let seen = text.seen(from: editor.top, rows: field.rows, cursor: cursor.line)
        let row = seen.firstIndex(of: cursor.line) ?? 0
        let area = (text, seen, (line: row + 1, column: min(columns - 1, 3 + cursor.column)))
        knownArea = area
        return area
    }

    /// The lines of a text area's text.
    func textLines(of text: String, at element: Int) -> TextLines {
        TextLines(page.paragraphs(of: text, at: element), columns: areaWidth - 1)
    }

    private var areaWidth: Int { max(2, min(80, columns - 4)) }

    /// The label, and a box between two bars; arrows at its ends mark that there is more of the text.
    private func lines(ofArea field: Display.Field, at place: Place) -> [Line] {
        let isFocused = place == focus
        let text = isFocused ? area(of: field).text : textLines(of: field.text, at: place.element)
        let seen =
            isFocused
            ? area(of: field).seen
            : text.seen(from: LinePosition(), rows: field.rows, cursor: LinePosition())
        let edge: Line.Style = isFocused ? .accent : .quiet
        let label = Line([
            Line.Span(isFocused ? "› " : "  ", .accent),
            Line.Span(shown(field.label, less: 1) + ":", isFocused ? .strong : .plain),
        ])
        return [label]
            + (0..<field.rows).map { row in
                let line = seen.indices.contains(row) ? String(text.text(at: seen[row])) : ""
                let fill = String(repeating: " ", count: max(0, areaWidth - TextLayout.columns(of: line)))
                let isCut =
                    row == 0 && LinePosition().isBefore(seen[0])
                    ? "↑"
                    : row == field.rows - 1 && seen.last.map(text.isLast) == false ? "↓" : "│"
                return Line([
                    Line.Span("  │", edge), Line.Span(line + fill, .box), Line.Span(isCut, edge),
                ])
            }
    }
}
