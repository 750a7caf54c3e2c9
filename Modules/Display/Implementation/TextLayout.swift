import DisplayInterface

/// Measures text in the columns of a terminal, and fits it into a number of columns.
enum TextLayout {
    /// The columns of a character: 0, 1 or 2, and more where several of its scalars have columns.
    static func columns(of character: Character) -> Int {
        if character.utf8.count == 1 { return 1 }
        guard let first = character.unicodeScalars.first else { return 0 }
        let rest = character.unicodeScalars.dropFirst()
        guard !rest.isEmpty, first.properties.isEmoji else {
            return rest.reduce(columns(of: first)) { $0 + columns(of: $1) }
        }
        // Further emoji are joined to the first, and a variation selector widens it.
        return rest.reduce(rest.contains("\u{FE0F}") ? 2 : columns(of: first)) {
            $0 + ($1.properties.isEmoji ? 0 : columns(of: $1))
        }
    }

    static func columns(of text: some StringProtocol) -> Int {
        let isASCII = text.utf8.withContiguousStorageIfAvailable { bytes in bytes.allSatisfy { $0 < 0x80 } }
        return isASCII == true ? text.utf8.count : text.reduce(0) { $0 + columns(of: $1) }
    }

    /// Whether a text certainly fits: no character has more columns than bytes.
    static func certainlyFits(_ text: String, in columns: Int) -> Bool { text.utf8.count <= columns }

    /// The beginning of any text as one line that is safe to print, ended by `…` if something is left out.
    static func line(_ text: String, to columns: Int) -> String {
        if certainlyFits(text, in: columns) { return Display.PlainText.line(text) }
        let beginning = start(of: text, columns: columns)
        let line = Display.PlainText.line(String(beginning))
        return cut(beginning.endIndex < text.endIndex ? line + "…" : line, to: columns)
    }

    /// The longest beginning of a text that fits, ended by `…` if something is left out.
    static func cut(_ text: String, to columns: Int) -> String {
        if certainlyFits(text, in: columns) { return text }
        let beginning = prefix(of: text, columns: columns)
        if beginning.endIndex == text.endIndex { return text }
        return columns < 1 ? "" : prefix(of: text, columns: columns - 1) + "…"
    }

    /// The longest end of a text that fits, begun by `…` if something is left out.
    static func cutStart(_ text: String, to columns: Int) -> String {
        if certainlyFits(text, in: columns) { return text }
        let end = suffix(of: text, columns: columns)
        if end.startIndex == text.startIndex { return text }
        return columns < 1 ? "" : "…" + suffix(of: text, columns: columns - 1)
    }

    /// The start and the end of a text, with `…` between them where something is left out.
    static func cutMiddle(_ text: String, to columns: Int) -> String {
        if certainlyFits(text, in: columns) || Self.columns(of: text) <= columns { return text }
        let start = prefix(of: text, columns: columns / 2)
        return start + cutStart(text, to: columns - Self.columns(of: start))
    }

    static func padded(_ text: String, to columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - Self.columns(of: text)))
    }

    /// The lines of a text: it breaks at its line ends and between words, and longer words are broken too.
    ///
    /// After a space that breaks the last line, an empty line shows where typing continues.
    static func lines(of text: String, to columns: Int) -> [Substring] {
        var lines: [Substring] = []
        var start = text.startIndex
        var space: String.Index?
        var width = 0
        var index = start
        func endLine(at end: String.Index, isDropping isDropped: Bool) {
            lines.append(text[start..<end])
            start = isDropped ? text.index(after: end) : end
            index = start
            space = nil
            width = 0
        }
        while index < text.endIndex {
            let character = text[index]
            let more = Self.columns(of: character)
            if character.isNewline {
                endLine(at: index, isDropping: true)
            } else if width + more > columns, index > start {
                // The line ends at its last space, or within a long word.
                let end = character == " " ? index : space ?? index
                endLine(at: end, isDropping: text[end] == " ")
            } else {
                if character == " " { space = index }
                width += more
                index = text.index(after: index)
            }
        }
        return lines + [text[start...]]
    }

    /// A start of a text that fills a number of columns: characters with more than 16 scalars are noise.
    private static func start(of text: String, columns: Int) -> Substring {
        let end = text.unicodeScalars.index(
            text.startIndex, offsetBy: 16 * max(1, columns), limitedBy: text.endIndex)
        return text[..<(end ?? text.endIndex)]
    }

    private static func prefix(of text: String, columns: Int) -> Substring {
        var left = columns
        return start(of: text, columns: columns).prefix { character in
            left -= Self.columns(of: character)
            return left >= 0
        }
    }

    private static func suffix(of text: String, columns: Int) -> Substring {
        var left = columns
        var start = text.endIndex
        while start > text.startIndex {
            let previous = text.index(before: start)
            left -= Self.columns(of: text[previous])
            if left < 0 { break }
            start = previous
        }
        return text[start...]
    }

    private static func columns(of scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .format where scalar == "\u{AD}": return 1  // terminals show soft hyphens
        case .nonspacingMark, .enclosingMark: return 0
        // A format character is printed without columns, or replaced by a sign.
        case .format, .control: return Display.PlainText.line(String(scalar)) == String(scalar) ? 0 : 1
        case _ where joiningJamo.contains { $0.contains(scalar.value) }: return 0
        default: break
        }
        if scalar.properties.isEmojiPresentation { return 2 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// The blocks of wide and full-width characters in Unicode's `EastAsianWidth.txt`, neighbouring blocks joined.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E, 0x3041...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1D300...0x1D376, 0x1F200...0x1F265,
        0x20000...0x3FFFD,
    ]

    /// The vowels and final consonants that are drawn within a Hangul syllable.
    private static let joiningJamo: [ClosedRange<UInt32>] = [0x1160...0x11FF, 0xD7B0...0xD7FF]
}
