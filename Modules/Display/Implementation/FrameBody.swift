import DisplayInterface

/// The elements of a screen as lines, before they are scrolled.
struct FrameBody {
    private(set) var lines: [Frame.Line] = []
    /// The lines of the element that has the focus.
    private(set) var focused: Range<Int>?
    /// Where typing would appear, in these lines.
    private(set) var cursor: Frame.Position?

    private let columns: Int

    init(_ elements: [Display.Element], focus: Int?, cursor: Int, columns: Int) {
        self.columns = columns
        var previous: Group?
        for (index, element) in elements.enumerated() {
            let group = Group(element)
            if let previous, previous != group { lines.append(Frame.Line(text: "", style: .plain)) }
            previous = group
            let start = lines.count
            add(element, isFocused: index == focus, cursor: cursor)
            if index == focus { focused = start..<lines.count }
        }
    }

    /// Elements of one group stand together; an empty line separates groups.
    private enum Group {
        case words, fields, buttons, rows

        init(_ element: Display.Element) {
            self =
                switch element {
                case .text, .error, .progress: .words
                case .field: .fields
                case .button: .buttons
                case .row: .rows
                }
        }
    }

    private mutating func add(_ element: Display.Element, isFocused: Bool, cursor: Int) {
        let mark = isFocused ? "› " : "  "
        switch element {
        case .text(let text):
            addWords(text, mark: "  ", style: .plain)
        case .error(let message):
            addWords(message, mark: "! ", style: .strong)
        case .progress(let words):
            addWords(words, mark: "… ", style: .quiet)
        case .field(let field):
            add(field, mark: mark, isFocused: isFocused, cursor: cursor)
        case .button(let button):
            addLine("\(mark)[ \(PlainText.line(button.title)) ]", style: isFocused ? .focused : .plain)
        case .row(let row):
            let words = PlainText.line(row.title) + row.shownDetail
            addLine(mark + words, style: isFocused ? .focused : .plain)
        }
    }

    private mutating func addWords(_ text: String, mark: String, style: Frame.Style) {
        let wrapped = PlainText.lines(text).flatMap { TextWidth.wrap($0, to: columns - 4) }
        for (index, line) in wrapped.enumerated() {
            addLine((index == 0 ? mark : "  ") + line, style: style)
        }
    }

    /// A field whose text is too long shows the part around the insertion point.
    private mutating func add(_ field: Display.Field, mark: String, isFocused: Bool, cursor: Int) {
        let label = mark + PlainText.line(field.label) + ": "
        // A column is kept for the insertion point behind the last character, and some for a text to be seen.
        let start = TextWidth.cut(label, to: max(2, columns - min(12, columns / 2)))
        let room = max(1, columns - TextWidth.columns(of: start) - 1)
        let shown =
            field.isSecure ? String(repeating: "•", count: field.text.count) : PlainText.line(field.text)
        guard isFocused else {
            addLine(start + TextWidth.cut(shown, to: room), style: .plain)
            return
        }
        let editor = LineEditor(field.text, cursor: cursor)
        let before =
            field.isSecure
            ? String(repeating: "•", count: editor.cursor) : PlainText.line(editor.before)
        let seen = TextWidth.cutStart(before, to: room)
        let rest = TextWidth.cut(
            String(shown.dropFirst(before.count)), to: room - TextWidth.columns(of: seen))
        self.cursor = Frame.Position(
            row: lines.count, column: TextWidth.columns(of: start) + TextWidth.columns(of: seen))
        addLine(start + seen + rest, style: .strong)
    }

    private mutating func addLine(_ text: String, style: Frame.Style) {
        lines.append(Frame.Line(text: TextWidth.cut(text, to: columns), style: style))
    }
}
