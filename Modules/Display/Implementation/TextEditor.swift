import DisplayInterface

/// The text of a field, of one line or of several, and its insertion point.
///
/// The cost of a key is that of its change: the text is kept, and never counted or walked through as a whole.
struct TextEditor {
    /// The outcome of a key.
    enum Outcome: Equatable {
        /// The key does not edit.
        case ignored
        case moved
        case changed
        /// The text would have become longer than the field may be.
        case refused
    }

    private(set) var text: String
    /// The bytes before the insertion point.
    private(set) var cursor: Int
    /// The first visible line of the text in a text area.
    var top = LinePosition()
    let isMultiline: Bool
    /// The column that moving up and down keeps to, also past shorter lines.
    private var column: Int?

    /// Starts at the end of a text.
    init(_ text: String, isMultiline: Bool = false) {
        (self.text, self.isMultiline) = (text, isMultiline)
        self.text.makeContiguousUTF8()
        cursor = self.text.utf8.count
    }

    /// Starts at the end of a field's text.
    init(_ field: Display.Field) {
        self.init(field.text, isMultiline: field.rows > 1)
    }

    /// Takes over a text that was changed elsewhere, and keeps the insertion point as far as possible.
    mutating func follow(_ other: String) {
        // By bytes, which the insertion point counts: texts that look alike may differ in them.
        guard !other.utf8.elementsEqual(text.utf8) else { return }
        let wasAtEnd = cursor == text.utf8.count
        let (former, top) = (cursor, top)
        self = TextEditor(other, isMultiline: isMultiline)
        self.top = top
        // Slicing rounds down to where a character may begin.
        if !wasAtEnd { cursor = text[..<index(min(former, cursor))].utf8.count }
    }

    var before: Substring { text[..<index(cursor)] }
    var after: Substring { text[index(cursor)...] }

    /// Edits the text.
    ///
    /// In a text area, moving up and down depends on the lines of the text and on the number of visible rows.
    mutating func apply(_ key: Key, limit: Int, in area: (lines: TextLines, rows: Int)? = nil) -> Outcome {
        if let area, let outcome = moveByLines(key, area.lines, rows: area.rows) { return outcome }
        column = nil
        switch key {
        case .text(let typed): return insert(Display.PlainText.line(typed), limit: limit)
        case .paste(let pasted) where isMultiline:
            return insert(Display.PlainText.text(pasted), limit: limit)
        case .paste(let pasted):
            return insert(Display.PlainText.line(Self.trimmingNewlines(pasted)), limit: limit)
        case .enter where isMultiline: return insert("\n", limit: limit)
        case .oversizedPaste: return .refused
        case .left: cursor = offset(of: characterStart)
        case .right: cursor = offset(of: characterEnd)
        case .wordLeft: cursor = offset(of: wordStart)
        case .wordRight: cursor = offset(of: wordEnd)
        case .home: cursor = offset(of: lineStart)
        case .end: cursor = offset(of: lineEnd)
        case .backspace: return erase(from: characterStart, to: index(cursor))
        case .delete: return erase(from: index(cursor), to: characterEnd)
        case .eraseWord: return erase(from: wordStart, to: index(cursor))
        case .eraseToStart: return erase(from: lineStart, to: index(cursor))
        case .eraseToEnd: return erase(from: index(cursor), to: lineEnd)
        case .enter, .tab, .backTab, .escape, .up, .down, .pageUp, .pageDown, .interrupt, .suspend, .redraw,
            .control, .click,
            .scroll:
            return .ignored
        }
        return .moved
    }

    /// Moves up or down; nil for other keys, and where there is no line to move to.
    private mutating func moveByLines(_ key: Key, _ lines: TextLines, rows: Int) -> Outcome? {
        let step: Int
        switch key {
        case .up: step = -1
        case .down: step = 1
        case .pageUp: step = 1 - rows
        case .pageDown: step = rows - 1
        default: return nil
        }
        let start = lines.position(of: cursor)
        let target = lines.position(start.line, movedBy: step)
        guard target != start.line else { return nil }
        let column = column ?? start.column
        self.column = column
        cursor = lines.offset(at: target, column: column)
        return .moved
    }

    private mutating func insert(_ more: String, limit: Int) -> Outcome {
        guard !more.isEmpty else { return .moved }
        // A scalar has at least one byte, so most texts need not be counted.
        if text.utf8.count + more.utf8.count > limit {
            guard text.unicodeScalars.count + more.unicodeScalars.count <= limit else { return .refused }
        }
        text.insert(contentsOf: more, at: index(cursor))
        cursor += more.utf8.count
        return .changed
    }

    private mutating func erase(from start: String.Index, to end: String.Index) -> Outcome {
        guard start < end else { return .moved }
        let offset = offset(of: start)
        text.unicodeScalars.removeSubrange(start..<end)
        cursor = offset
        return .changed
    }

    private func index(_ offset: Int) -> String.Index {
        text.utf8.index(text.startIndex, offsetBy: offset)
    }

    private func offset(of index: String.Index) -> Int {
        text.utf8.distance(from: text.startIndex, to: index)
    }

    /// The columns to search for a typed character; longer characters are taken in pieces.
    private static let longestCharacter = 1

    /// The start of the character before the insertion point.
    private var characterStart: String.Index {
        let end = TextLayout.end(of: before, columns: Self.longestCharacter)
        return end.isEmpty ? text.startIndex : end.index(before: end.endIndex)
    }

    /// The end of the character after the insertion point.
    private var characterEnd: String.Index {
        let start = TextLayout.start(of: after, columns: Self.longestCharacter)
        return start.isEmpty ? text.endIndex : start.index(after: start.startIndex)
    }

    /// The start of the insertion point's line; the start of the text if it is one line.
    private var lineStart: String.Index {
        let before = before.unicodeScalars
        guard isMultiline, let end = before.lastIndex(where: TextLayout.isLineEnd) else {
            return text.startIndex
        }
        return before.index(after: end)
    }

    private var lineEnd: String.Index {
        guard isMultiline else { return text.endIndex }
        return after.unicodeScalars.firstIndex(where: TextLayout.isLineEnd) ?? text.endIndex
    }

    /// The start of the word before the insertion point, including spaces after it.
    private var wordStart: String.Index {
        let before = before.unicodeScalars
        guard let end = before.lastIndex(where: { !$0.properties.isWhitespace }) else {
            return text.startIndex
        }
        let space = before[..<end].lastIndex { $0.properties.isWhitespace }
        return space.map(before.index(after:)) ?? text.startIndex
    }

    /// The end of the word after the insertion point, including spaces before it.
    private var wordEnd: String.Index {
        let after = after.unicodeScalars
        guard let start = after.firstIndex(where: { !$0.properties.isWhitespace }) else {
            return text.endIndex
        }
        return after[start...].firstIndex { $0.properties.isWhitespace } ?? text.endIndex
    }

    /// A text without line ends at its end, which come with a copied line.
    private static func trimmingNewlines(_ text: String) -> String {
        var text = text[...]
        while text.last?.isNewline == true { text.removeLast() }
        return String(text)
    }
}
