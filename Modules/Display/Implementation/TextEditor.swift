import DisplayInterface

/// The text of a field and its insertion point.
struct TextEditor {
    enum Outcome: Equatable {
        case ignored
        case moved
        case changed
        case refused
    }

    private(set) var before: String
    private(set) var after = ""
    var top = 0
    let isMultiline: Bool
    /// The column to which moving up and down returns behind shorter lines.
    private var column: Int?

    init(_ text: String, isMultiline: Bool = false) {
        before = text
        self.isMultiline = isMultiline
    }

    init(_ field: Display.Field) {
        self.init(field.text, isMultiline: field.rows > 1)
    }

    var text: String { before + after }

    /// Replaces the text, which was changed elsewhere, and keeps the insertion point where possible.
    mutating func update(to other: String) {
        // Equal strings may differ in their bytes.
        guard !other.utf8.elementsEqual(text.utf8) else { return }
        let place = other.index(other.startIndex, offsetBy: before.count, limitedBy: other.endIndex)
        split(other, at: after.isEmpty ? other.endIndex : place ?? other.endIndex)
        column = nil
    }

    /// Edits the text; in a text area, keys also move by lines and pages.
    mutating func apply(_ key: Key, limit: Int, in area: (lines: TextLines, rows: Int)? = nil) -> Outcome {
        if let area, let outcome = moveByLines(key, area.lines, rows: area.rows) { return outcome }
        column = nil
        switch key {
        case .text(let typed): return insert(Display.PlainText.line(typed), limit: limit)
        case .paste(let pasted) where pasted.utf8.count >= Paste.maximum: return .refused
        case .paste(let pasted) where isMultiline:
            return insert(Display.PlainText.lines(pasted).joined(separator: "\n"), limit: limit)
        case .paste(let pasted):
            return insert(Display.PlainText.line(Self.trimmingNewlines(pasted)), limit: limit)
        case .enter where isMultiline: return insert("\n", limit: limit)
        case .left, .backspace: return pass(back: before.suffix(1), erasing: key == .backspace)
        case .wordLeft, .eraseWord: return pass(back: wordBefore, erasing: key == .eraseWord)
        case .home, .eraseToStart: return pass(back: lineBefore, erasing: key == .eraseToStart)
        case .right, .delete: return pass(forward: after.prefix(1), erasing: key == .delete)
        case .wordRight: return pass(forward: wordAfter, erasing: false)
        case .end, .eraseToEnd: return pass(forward: lineAfter, erasing: key == .eraseToEnd)
        case .enter, .tab, .backTab, .escape, .up, .down, .pageUp, .pageDown, .interrupt, .suspend, .redraw,
            .control, .click, .scroll:
            return .ignored
        }
    }

    /// Moves up or down; nil for other keys, and where there is no such line.
    private mutating func moveByLines(_ key: Key, _ lines: TextLines, rows: Int) -> Outcome? {
        let step: Int
        switch key {
        case .up: step = -1
        case .down: step = 1
        case .pageUp: step = 1 - rows
        case .pageDown: step = rows - 1
        default: return nil
        }
        let start = lines.position(behind: before)
        let startColumn = TextLayout.columns(of: lines.lines[start.line][..<start.index])
        let target = min(max(0, start.line + step), lines.lines.count - 1)
        guard target != start.line else { return nil }
        let column = column ?? startColumn
        self.column = column
        split(lines.text, at: lines.index(line: target, column: column))
        return .moved
    }

    private mutating func insert(_ more: String, limit: Int) -> Outcome {
        guard !more.isEmpty else { return .moved }
        guard text.unicodeScalars.count + more.unicodeScalars.count <= limit else { return .refused }
        before += more
        return .changed
    }

    private mutating func split(_ text: String, at index: String.Index) {
        before = String(text[..<index])
        after = String(text[index...])
    }

    private mutating func pass(back end: Substring, erasing isErased: Bool) -> Outcome {
        before = String(before[..<end.startIndex])
        if isErased { return end.isEmpty ? .moved : .changed }
        after = end + after
        return .moved
    }

    private mutating func pass(forward start: Substring, erasing isErased: Bool) -> Outcome {
        after = String(after[start.endIndex...])
        if isErased { return start.isEmpty ? .moved : .changed }
        before += start
        return .moved
    }

    /// The last word of ``before``, with the spaces behind it.
    private var wordBefore: Substring {
        guard let end = before.lastIndex(where: { !$0.isWhitespace }) else { return before[...] }
        let space = before[..<end].lastIndex(where: \.isWhitespace)
        return before[(space.map(before.index(after:)) ?? before.startIndex)...]
    }

    /// The first word of ``after``, with the spaces in front of it.
    private var wordAfter: Substring {
        guard let start = after.firstIndex(where: { !$0.isWhitespace }) else { return after[...] }
        return after[..<(after[start...].firstIndex(where: \.isWhitespace) ?? after.endIndex)]
    }

    private var lineBefore: Substring {
        let end = isMultiline ? before.lastIndex(where: \.isNewline) : nil
        return before[(end.map(before.index(after:)) ?? before.startIndex)...]
    }

    private var lineAfter: Substring {
        let end = isMultiline ? after.firstIndex(where: \.isNewline) : nil
        return after[..<(end ?? after.endIndex)]
    }

    private static func trimmingNewlines(_ text: String) -> String {
        var text = text[...]
        while text.last?.isNewline == true { text.removeLast() }
        return String(text)
    }
}

struct TextLines {
    /// At least one line, as ``TextLayout/lines(of:to:)`` breaks them.
    let lines: [Substring]

    var text: String { lines[0].base }

    func position(behind beginning: String) -> (line: Int, index: String.Index) {
        let index = text.utf8.index(text.startIndex, offsetBy: beginning.utf8.count)
        return (lines.lastIndex { $0.startIndex <= index } ?? 0, index)
    }

    func index(line: Int, column: Int) -> String.Index {
        let text = lines[line]
        let isBroken = line + 1 < lines.count && text.endIndex == lines[line + 1].startIndex
        var left = column
        var index = text.startIndex
        while index < text.endIndex {
            left -= TextLayout.columns(of: text[index])
            let next = text.index(after: index)
            // The insertion point behind a broken word's last character is on the next line.
            if left < 0 || isBroken && next == text.endIndex { break }
            index = next
        }
        return index
    }
}
