/// The text of a field and the place in it where typing continues.
struct LineEditor: Equatable {
    private(set) var before: String
    private(set) var after: String

    /// Starts with a text and how many of its characters stand before the insertion point.
    init(_ text: String, cursor: Int) {
        before = String(text.prefix(max(0, cursor)))
        after = String(text.dropFirst(max(0, cursor)))
    }

    var text: String { before + after }
    var cursor: Int { before.count }

    /// Edits the text.
    ///
    /// - Returns: False when the key is none that edits.
    mutating func apply(_ key: Key) -> Bool {
        switch key {
        case .character(let scalar): before.unicodeScalars.append(scalar)
        case .paste(let text): before += PlainText.line(Self.trimmingNewlines(text))
        case .left: if let last = before.popLast() { after = String(last) + after }
        case .right:
            if let first = after.first { (before, after) = (before + [first], String(after.dropFirst())) }
        case .home: (before, after) = ("", text)
        case .end: (before, after) = (text, "")
        case .backspace: _ = before.popLast()
        case .delete: after = String(after.dropFirst())
        case .eraseLine: before = ""
        case .enter, .tab, .backTab, .escape, .up, .down, .pageUp, .pageDown, .interrupt, .suspend:
            return false
        }
        return true
    }

    /// A text without line ends at its own end, which come with a copied line.
    private static func trimmingNewlines(_ text: String) -> String {
        var text = text[...]
        while text.last?.isNewline == true { text.removeLast() }
        return String(text)
    }
}
