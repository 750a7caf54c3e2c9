import DisplayInterface

/// The width of text in a terminal, and the ways to fit it into a number of columns.
///
/// Nothing here reads more of a text than it takes to fill the columns.
enum TextLayout {
    /// The columns of one character: mostly 0, 1 or 2, and more where several of its scalars take room of their own.
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

    /// The columns of a text.
    static func columns(of text: some StringProtocol) -> Int {
        let isASCII = text.utf8.withContiguousStorageIfAvailable { bytes in bytes.allSatisfy { $0 < 0x80 } }
        return isASCII == true ? text.utf8.count : text.reduce(0) { $0 + columns(of: $1) }
    }

    /// Whether a text fits for certain: no character has more columns than bytes.
    static func certainlyFits(_ text: String, in columns: Int) -> Bool { text.utf8.count <= columns }

    /// The beginning of any text as one line that is safe to print, ended by `…` if something is left out.
    static func line(_ text: String, to columns: Int) -> String {
        if certainlyFits(text, in: columns) { return Display.PlainText.line(text) }
        let beginning = start(of: text[...], columns: columns)
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

    /// The lines into which a text breaks between words; longer words are broken too.
    static func wrap(_ text: String, to columns: Int) -> [String] {
        let lines = lines(of: text, to: columns)
        // A space at the end of a full line begins no other.
        return (lines.count > 1 && lines[lines.count - 1].isEmpty ? lines.dropLast() : lines[...]).map(
            String.init)
    }

    /// The same lines, and an empty one after a space that breaks the last, where typing would continue.
    static func lines(of text: String, to columns: Int) -> [Substring] {
        var lines: [Substring] = []
        var start = text.startIndex
        var space: String.Index?
        var width = 0
        var index = start
        while index < text.endIndex {
            let character = text[index]
            let more = Self.columns(of: character)
            if width + more > columns, index > start {
                // The line ends before this character: at the last space, or here within a long word.
                let end = character == " " ? index : space ?? index
                lines.append(text[start..<end])
                start = end < text.endIndex && text[end] == " " ? text.index(after: end) : end
                (space, width, index) = (nil, 0, start)
                continue
            }
            if character == " " { space = index }
            width += more
            index = text.index(after: index)
        }
        return lines + [text[start...]]
    }

    /// Whether a line of a text ends here; paragraphs, in ``Paragraphs``, end at the same scalars.
    static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    /// The part of a text's start that can matter for a number of columns, whatever its characters.
    static func start(of text: Substring, columns: Int) -> Substring {
        text[
            ..<(text.unicodeScalars.index(text.startIndex, offsetBy: reach(columns), limitedBy: text.endIndex)
                ?? text.endIndex)]
    }

    /// The part of a text's end that can matter for a number of columns.
    static func end(of text: Substring, columns: Int) -> Substring {
        text[
            (text.unicodeScalars.index(text.endIndex, offsetBy: -reach(columns), limitedBy: text.startIndex)
                ?? text.startIndex)...]
    }

    /// The most scalars that can matter for a number of columns: a character hardly ever has more than 16.
    private static func reach(_ columns: Int) -> Int { 16 * max(1, columns) }

    private static func prefix(of text: String, columns: Int) -> Substring {
        var left = columns
        return text.prefix { character in
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
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        case _ where joiningJamo.contains { $0.contains(scalar.value) }: return 0
        default: break
        }
        if scalar.properties.isEmojiPresentation { return 2 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// The blocks whose characters are wide or full-width in Unicode's `EastAsianWidth.txt`, with neighbouring
    /// blocks joined.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E, 0x3041...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1D300...0x1D376, 0x1F200...0x1F265,
        0x20000...0x3FFFD,
    ]

    /// The vowels and final consonants that are drawn within a Hangul syllable.
    private static let joiningJamo: [ClosedRange<UInt32>] = [0x1160...0x11FF, 0xD7B0...0xD7FF]
}

/// A text of any length as paragraphs of bounded length, any of which can be laid out without those before it.
///
/// A paragraph ends where a line of the text does. One that is longer than ``longest`` is broken between two of its words.
struct Paragraphs {
    /// The bytes of the longest paragraph.
    static let longest = 4096

    /// The text that the paragraphs divide.
    let text: String
    private let bounds: [Range<Int>]

    /// Finds the paragraphs, in one pass over the bytes.
    init(_ text: String) {
        var text = text
        bounds = text.withUTF8(Self.split)
        self.text = text
    }

    var count: Int { bounds.count }

    /// A paragraph, safe to print.
    subscript(index: Int) -> String {
        Display.PlainText.line(
            String(text[position(bounds[index].lowerBound)..<position(bounds[index].upperBound)]))
    }

    /// The paragraph of a byte; one between two paragraphs belongs to the first.
    func index(of offset: Int) -> Int {
        var (low, high) = (0, bounds.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if bounds[middle].lowerBound <= offset { low = middle } else { high = middle }
        }
        return low
    }

    /// Whether a paragraph ends within a word.
    func isBroken(after index: Int) -> Bool {
        index + 1 < count && bounds[index].upperBound == bounds[index + 1].lowerBound
    }

    /// The number of a paragraph's scalars before a byte; the same as in its printed form.
    func scalars(of index: Int, before offset: Int) -> Int {
        let (start, end) = (
            position(bounds[index].lowerBound), position(min(offset, bounds[index].upperBound))
        )
        return text.unicodeScalars.distance(from: start, to: max(start, end))
    }

    /// The byte of the text before which a paragraph has a number of scalars.
    func offset(of index: Int, scalars: Int) -> Int {
        let start = position(bounds[index].lowerBound)
        let scalar = text.unicodeScalars.index(
            start, offsetBy: scalars, limitedBy: position(bounds[index].upperBound))
        return scalar.map { text.utf8.distance(from: text.startIndex, to: $0) } ?? bounds[index].upperBound
    }

    private func position(_ offset: Int) -> String.Index {
        text.utf8.index(text.startIndex, offsetBy: offset)
    }

    private static func split(_ bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        var bounds: [Range<Int>] = []
        var start = 0
        var space = 0
        var index = 0
        while index < bytes.count {
            let lineEnd = lineEnd(bytes, at: index)
            if lineEnd > 0 {
                bounds.append(start..<index)
                index += lineEnd
                start = index
            } else if index - start >= longest {
                var end = index
                while bytes[end] & 0xC0 == 0x80 { end -= 1 }  // not within a character
                if space > start { end = space }
                bounds.append(start..<end)
                start = end == space ? end + 1 : end
            } else {
                if bytes[index] == UInt8(ascii: " ") { space = index }
                index += 1
            }
        }
        return bounds + [start..<bytes.count]
    }

    /// The bytes of the line end that begins here; 0 where none does.
    private static func lineEnd(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        func next(_ offset: Int) -> UInt8 { index + offset < bytes.count ? bytes[index + offset] : 0 }
        switch bytes[index] {
        case 0x0A, 0x0B, 0x0C: return 1
        case 0x0D: return next(1) == 0x0A ? 2 : 1
        case 0xC2: return next(1) == 0x85 ? 2 : 0
        case 0xE2: return next(1) == 0x80 && (0xA8...0xA9).contains(next(2)) ? 3 : 0
        default: return 0
        }
    }
}
